// The same scene, finer or coarser: for convergence studies, and for offline runs at sizes that a test has no time for.
#pragma once

#include "engine/scene/scene.h"

namespace meniscus {

// Divides what has a length of its own by the factor: spacings of particles, cells of the grid, edges of surfaces that are made
// from primitives with a resolution. Meshes of files, steps and materials stay as they are. Throws Error(input), the scene
// being as it was, for a factor that is not positive and finite, or whose cells are too many or do not fill the domain.
void refine(SceneDef& scene, double factor);

}  // namespace meniscus

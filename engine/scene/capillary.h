// Surface tension of a scene's fluids, and how long a step resolves it.
#pragma once

#include "engine/scene/scene.h"

namespace meniscus {

bool hasSurfaceTension(const SceneDef& scene);
// The longest sub-step [s] at which the tensions are stable at this spacing [m]; infinite without any.
double longestCapillaryStep(const SceneDef& scene, double dx);

}  // namespace meniscus

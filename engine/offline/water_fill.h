// Where a scene's water is at the start.
#pragma once

#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/smoke/smoke_domain.h"
#include "engine/offline/scene_solids.h"

namespace meniscus::offline {

// Of each cell's centre the distance to the surface of the water [m], negative in it: of the union of the fluid's shapes, less what
// is within solids in its place. A side of a box that lies on a side of the domain, or beyond it, is no surface. faces: of the
// solids' mesh. Throws Error(input) with its place for a shape that there is no water in.
template <int D>
std::vector<double> waterAtStart(const SceneDef& scene, const SmokeDomain<D>& domain, const ShellFaces<D>& faces,
                                 const std::vector<SceneSolid<D>>& solids);

}  // namespace meniscus::offline

// Inflows that a solid in place of the fluid lies over.
#pragma once

#include "engine/grid/smoke/smoke_domain.h"
#include "engine/offline/scene_solids.h"

namespace meniscus::offline {

// Of each inflow of the domain the number of the solid that the cell behind it is within, or -1, with the nodes of all solids at x.
// mesh: theirs, solid by solid.
template <int D>
std::vector<int> solidsOverInflows(const SmokeDomain<D>& domain, const ShellMesh<D>& mesh, const std::vector<double>& x,
                                   const std::vector<SceneSolid<D>>& solids);

// Throws Error(input) with its place for an inflow of the scene that static solids cover wholly, naming one of them. Tells the
// notes (may be null) of those that solids cover in part, or cover and can leave.
template <int D>
void checkCovered(const SceneDef& scene, const SmokeDomain<D>& domain, const std::vector<int>& over,
                  const std::vector<SceneSolid<D>>& solids, std::vector<std::string>* notes);

}  // namespace meniscus::offline

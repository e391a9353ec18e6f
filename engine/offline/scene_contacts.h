// What the solids of a scene touch on a grid: one another, themselves where they are cloth or soft, and the domain's walls.
#pragma once

#include <memory>

#include "engine/offline/scene_solids.h"
#include "engine/solid/implicit/solid_contacts.h"

namespace meniscus::offline {

// Gaps in cells. Nodes and edges keep `thickness` from surfaces and walls; a step counts as converged with an error of up to
// `accepted`, and solids may overlap by that at the start.
struct ContactLengths {
  double thickness = 0.05, reach = 0.1;
  double tolerance = 1e-4, accepted = 1e-3;
  double recovery = 5e-3, recoverySpeed = 0.5;  // a step; a second
};

// Numbers of the grown round solids that overlap another one at the start.
template <int D>
std::vector<std::size_t> grownThatOverlap(const SceneDef& scene, const std::vector<SceneSolid<D>>& solids, double cell);

// start: positions of all nodes at the scene's start. cell: [m]. Throws Error(input) with all solids that overlap there, and
// their places in the file.
template <int D>
std::unique_ptr<implicit::SolidContacts> sceneContacts(const SceneDef& scene, const std::vector<SceneSolid<D>>& solids,
                                                       const std::vector<double>& start, double cell);

}  // namespace meniscus::offline

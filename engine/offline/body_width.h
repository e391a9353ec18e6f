// How thin a body is beside the cells of the grid.
#pragma once

#include <string>

#include "engine/offline/scene_solids.h"

namespace meniscus::offline {

// The smallest distance between two parallel planes that hold the body, over those along its elements [m].
template <int D>
double bodyWidth(const SceneSolid<D>& solid);

// What a scene's author is told of a body in water that is less than a cell wide, and moved by it; else empty.
template <int D>
std::string narrowBody(const SceneDef& scene, const SceneSolid<D>& solid, double cell);

}  // namespace meniscus::offline

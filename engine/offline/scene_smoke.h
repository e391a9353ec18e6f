// The smoke of a scene: grid, sides, inflows, and what there is at the start.
#pragma once

#include "engine/grid/smoke/smoke_domain.h"
#include "engine/scene/scene.h"

namespace meniscus::offline {

// Throws Error(input) with its place for an inflow that covers no face, or one of another.
template <int D>
SmokeDomain<D> sceneDomain(const SceneDef& scene);

// Smoke in the fluid's shapes and its velocity; faces of given velocity keep theirs.
template <int D>
void setSmoke(const SceneDef& scene, const SmokeDomain<D>& domain, SmokeState<D>& state);

}  // namespace meniscus::offline

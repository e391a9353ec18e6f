// What a scene says of the time: when its inflows flow, and when its pins let go.
#pragma once

#include "engine/grid/smoke/smoke_domain.h"
#include "engine/offline/scene_solids.h"

namespace meniscus::offline {

// Velocities [m/s along their axes] of the domain's inflows in a step from t to t + dt [s]: of one that flows for a part of it that
// part, so that what flows in is exact. full: those while they flow; inflows: of the scene, with schedules merged.
template <int D>
std::vector<double> inflowsAt(const SmokeDomain<D>& domain, const std::vector<double>& full, const std::vector<InflowDef>& inflows,
                              double t, double dt);

// Holds and lets go the nodes of pins that have an end, as they are for a step that begins at t [s]. True where one changed.
template <int D>
bool holdPins(SceneSolid<D>& solid, double t);

}  // namespace meniscus::offline

// Solids and pins whose motion the scene gives by key frames.
#pragma once

#include "engine/offline/scene_solids.h"

namespace meniscus::offline {

// Where the point x [m, world frame, at the start without key frames] is at time t [s].
Vec3d carriedTo(const std::vector<KeyFrame>& motion, const Vec3d& origin, const Vec3d& x, double t);

// Before a step from time to time + dt [s]: kinematic solids and nodes of moving pins get the velocity that brings them to their
// place at its end.
template <int D>
void giveMotion(SceneSolid<D>& solid, double time, double dt);

// The greatest speed [m/s] of what moves by key frames from time to end [s]; 0 where nothing does.
template <int D>
double givenSpeed(const SceneSolid<D>& solid, double time, double end);

}  // namespace meniscus::offline

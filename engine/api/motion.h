// The motion of a body as a whole.
#pragma once

#include "engine/api/publish.h"

namespace meniscus::api {

// Of a deformable body: all nodes, held ones with their masses.
struct RigidMotion {
  double mass = 0;  // kg
  Vec3d center{};   // m
  Vec3d linear{};   // m/s
  Vec3d angular{};  // rad/s: angular momentum about the centre over inertia
};
RigidMotion motionOfNodes(const SolidState& s, const Body& b);

// j [N s] at a point [m] (null: the centre of mass). Free nodes of a deformable body get the change of velocity of its rigid
// motion. Bodies that are told where to go are left as they are.
void applyImpulse(SolidState& s, const SolidPlace& place, const Vec3d& j, const Vec3d* point);

}  // namespace meniscus::api

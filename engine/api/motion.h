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

// What an impulse j [N s] at a point [m] (null: the centre of mass) changes of a body's motion: `linear`, `angular`, and `center`.
// Nothing of bodies that are told where to go.
RigidMotion changeByImpulse(const SolidState& s, const SolidPlace& place, const Vec3d& j, const Vec3d* point);
// Makes that change; of a deformable body to its free nodes.
void addMotion(SolidState& s, const SolidPlace& place, const RigidMotion& change);
// Fastest that any point of the body would move after the change [m/s].
double fastestAfter(const SolidState& s, const SolidPlace& place, const RigidMotion& change);

}  // namespace meniscus::api

// Contact of nodes and rigid bodies with obstacles, with Coulomb friction and restitution. The coefficient of a pair is the larger
// of the two, since 0 is also what a material has that says nothing.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>

#include "engine/solid/solid.h"
#include "kernels/solid/rigid_hold.h"

namespace meniscus {

// One contact of a rigid body, found at different times.
inline bool sameContact(const RigidContact& a, const RigidContact& b) {
  return a.rigid == b.rigid && a.other == b.other && a.sample == b.sample && dot(a.n, b.n) > 0.9;
}
// kg m, the most friction of one that carries.
inline double mostFriction(const RigidContact& c) {
  return c.lambda > 0 ? c.friction * std::max(0.0, c.load + c.lambda - c.seed) : 0;
}
// That of a range in the order of precedes, or its end.
inline bool precedes(const RigidContact& a, const RigidContact& b) {
  return std::tie(a.rigid, a.other, a.sample) < std::tie(b.rigid, b.other, b.sample);
}
template <class It>
It findContact(It begin, It end, const RigidContact& c) {
  It it = std::lower_bound(begin, end, c, precedes);
  while (it != end && !precedes(c, *it) && !sameContact(*it, c)) ++it;
  return it != end && sameContact(*it, c) ? it : end;
}

// Forgets the contacts of the last projection and collects the points of rigid bodies near obstacles and near each other.
void beginContacts(SolidState& s, const Obstacles* obstacles, double margin, double dt);
// Of a rigid body where it is at the scene's start: what its points are off obstacles that face along x, y, z and against them, at
// most the margin and at least 0 [m].
std::array<double, 6> startingGaps(SolidState& s, const Obstacles& obstacles, Index rigid, double margin);
// One sweep over the nodes: to the margin, then friction against the motion since xPrev. Parallel: a node has no neighbours here.
void projectNodeContacts(Exec& exec, SolidState& s, const Obstacles& obstacles, double margin, double dt);
// One sweep over the points of rigid bodies.
void projectRigidContacts(SolidState& s, double dt);
// Between sweeps: bodies of many points that they leave off their places, such as flat bottoms, are put where all fit.
void fitRigidContacts(SolidState& s, double dt);

// Normal velocities after the contacts of the last projection: restitution times the approach velocity, or 0; what the correction
// of a penetration added beyond that is taken back.
void bounceNodes(Exec& exec, SolidState& s, double dt);
void bounceRigid(SolidState& s, View<const RigidContact> contacts, double dt);
// Before it, of contacts that carried: those at rest, or without restitution, give nothing back (lambda 0). But where two bodies
// part again, what they rest on bears the blow: those contacts may push.
void leaveImpacts(const SolidState& s, double slow, RigidContact* contacts, std::size_t count);
// After a projection: what carried, to SolidWork::touches.
void noteTouches(SolidState& s);
double restitutionOf(const SolidState& s, const RigidContact& c);
// From the centres of its bodies to where a contact acts: of two bodies that is one place, halfway between their points.
inline Vec3d armOf(const SolidState& s, const RigidContact& c, bool ofOther) {
  const RigidBody& a = s.rigid[std::size_t(c.rigid)];
  const Vec3d own = a.q.rotate(c.local);
  if (c.other < 0) return own;
  const RigidBody& b = s.rigid[std::size_t(c.other)];
  const Vec3d other = b.q.rotate(c.otherLocal), apart = (b.x + other) - (a.x + own);
  return ofOther ? other - apart * 0.5 : own + apart * 0.5;
}
// Normal velocity of a contact's point against the obstacle or the other body [m/s]; rateOf(rigid): the velocity of a body.
template <class RateOf>
double approachOf(const SolidState& s, const RigidContact& c, const RateOf& rateOf) {
  const auto at = [&](Index body, const Vec3d& local) {
    const RigidRate rate = rateOf(std::size_t(body));
    return rate.linear + cross(rate.angular, s.rigid[std::size_t(body)].q.rotate(local));
  };
  return dot(c.n, at(c.rigid, c.local) - (c.other < 0 ? c.v : at(c.other, c.otherLocal)));
}

// The same for one node. approach: normal velocity, relative to the obstacle, before the contact. now: after it. received: normal
// velocity that it gave, at most which is taken back. slow: approaches below it are resting contact (resting).
inline double bounceOf(double restitution, double approach, double now, double received, double slow) {
  const double target = approach < -slow ? -restitution * approach : 0;
  return target - now > -received ? target - now : -received;
}
inline double restingSpeed(const SolidState& s, double dt) { return 2 * s.work.gravity * dt; }  // m/s, the fall of two steps

}  // namespace meniscus

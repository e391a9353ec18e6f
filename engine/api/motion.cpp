#include "engine/api/motion.h"

#include "engine/solid/angular_momentum.h"
#include "engine/solid/rigid.h"

namespace meniscus::api {
namespace {

// Sum of m (r^2 1 - r r^T) over the nodes, about c.
Mat3d inertiaOf(const SolidState& s, const Body& b, const Vec3d& c) {
  Mat3d I{};
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) {
    const Vec3d r = s.x[i] - c;
    I = I + (Mat3d::identity() * dot(r, r) - Mat3d::outer(r, r)) * s.mass[i];
  }
  return I;
}

// The angular velocity that an angular momentum L is about the centre.
Vec3d angularVelocity(const SolidState& s, const Body& b, const Vec3d& c, const Vec3d& L) {
  return rotationAgainst(inertiaOf(s, b, c), L * -1.0);
}

}  // namespace

RigidMotion motionOfNodes(const SolidState& s, const Body& b) {
  RigidMotion m;
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) {
    m.mass += s.mass[i];
    m.center += s.mass[i] * s.x[i];
    m.linear += s.mass[i] * s.v[i];
  }
  if (!(m.mass > 0)) return m;
  m.center = m.center * (1 / m.mass);
  m.linear = m.linear * (1 / m.mass);
  Vec3d L{};
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) L += s.mass[i] * cross(s.x[i] - m.center, s.v[i] - m.linear);
  m.angular = angularVelocity(s, b, m.center, L);
  return m;
}

void applyImpulse(SolidState& s, const SolidPlace& place, const Vec3d& j, const Vec3d* point) {
  if (place.rigid >= 0) {
    RigidBody& r = s.rigid[std::size_t(place.rigid)];
    if (!(r.invMass > 0)) return;
    r.v += j * r.invMass;
    if (point) r.omega += applyInverseInertia(r, cross(*point - r.x, j));
    rigidNodeVelocities(s, r);
    return;
  }
  if (!place.body) return;
  const Body& b = *place.body;
  const RigidMotion m = motionOfNodes(s, b);
  if (!(m.mass > 0)) return;
  const Vec3d dv = j * (1 / m.mass);
  const Vec3d dw = point ? angularVelocity(s, b, m.center, cross(*point - m.center, j)) : Vec3d{};
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i)
    if (s.w[i] > 0) s.v[i] += dv + cross(dw, s.x[i] - m.center);
}

}  // namespace meniscus::api

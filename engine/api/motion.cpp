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

RigidMotion changeByImpulse(const SolidState& s, const SolidPlace& place, const Vec3d& j, const Vec3d* point) {
  RigidMotion d;
  if (place.rigid >= 0) {
    const RigidBody& r = s.rigid[std::size_t(place.rigid)];
    d.center = r.x;
    d.linear = j * r.invMass;
    if (point && r.invMass > 0) d.angular = applyInverseInertia(r, cross(*point - r.x, j));
  } else if (place.body) {
    const RigidMotion m = motionOfNodes(s, *place.body);
    if (!(m.mass > 0)) return d;
    d.center = m.center;
    d.linear = j * (1 / m.mass);
    if (point) d.angular = angularVelocity(s, *place.body, m.center, cross(*point - m.center, j));
  }
  return d;
}

void addMotion(SolidState& s, const SolidPlace& place, const RigidMotion& d) {
  if (place.rigid >= 0) {
    RigidBody& r = s.rigid[std::size_t(place.rigid)];
    r.v += d.linear;
    r.omega += d.angular;
    rigidNodeVelocities(s, r);
  } else if (place.body) {
    for (Index i = place.body->nodeBegin; i < place.body->nodeEnd; ++i)
      if (s.w[i] > 0) s.v[i] += d.linear + cross(d.angular, s.x[i] - d.center);
  }
}

double fastestAfter(const SolidState& s, const SolidPlace& place, const RigidMotion& d) {
  if (place.rigid >= 0) {
    const RigidBody& r = s.rigid[std::size_t(place.rigid)];
    return norm(r.v + d.linear) + norm(r.omega + d.angular) * r.reach;
  }
  double most = 0;
  for (Index i = place.body ? place.body->nodeBegin : 0; place.body && i < place.body->nodeEnd; ++i) {
    const double speed = norm(s.v[i] + d.linear + cross(d.angular, s.x[i] - d.center));
    if (!(speed <= most)) most = speed;  // also where it is not a number
  }
  return most;
}

}  // namespace meniscus::api

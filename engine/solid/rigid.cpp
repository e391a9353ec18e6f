#include "engine/solid/rigid.h"

#include "engine/solid/motion.h"
#include "kernels/solid/rotation.h"

namespace meniscus {

Vec3d applyInverseInertia(const RigidBody& b, const Vec3d& a) {
  const Vec3d l = b.q.conjugate().rotate(a);
  return b.q.rotate({l.x * b.invInertia.x, l.y * b.invInertia.y, l.z * b.invInertia.z});
}

void predictRigid(RigidBody& b, const Vec3d& g, double end, double dt) {
  b.xPrev = b.x;
  b.qPrev = b.q;
  if (b.invMass == 0) {
    const Pose k = poseAt(b.motion, end);
    b.x = b.start.translate + k.x;
    b.q = (k.q * b.start.rotate).normalizedQuat();
    b.v = (b.x - b.xPrev) * (1 / dt);
    b.omega = rotationToVector(b.q * b.qPrev.conjugate()) * (1 / dt);
    return;
  }
  b.v += g * dt;
  b.x += b.v * dt;
  const Vec3d l = b.q.conjugate().rotate(b.omega);
  Vec3d m{l.x * b.inertia.x, l.y * b.inertia.y, l.z * b.inertia.z};
  FreeRotation<double>{b.invInertia}.step(b.q, m, dt);
  b.omega = b.q.rotate({m.x * b.invInertia.x, m.y * b.invInertia.y, m.z * b.invInertia.z});
  b.qFree = b.q;
  b.omegaFree = b.omega;
}

// By the sum of all changes: turns about different axes do not add up, and a body that many pushes tip to and fro would end where
// it was with a spin left over.
void addRigidVelocity(RigidBody& b, const Vec3d& dv, const Vec3d& domega, double dt) {
  b.v += dv;
  b.x += dv * dt;
  b.omega += domega;
  b.q = (rotationFromVector((b.omega - b.omegaFree) * dt) * b.qFree).normalizedQuat();
}

double inverseMassAt(const RigidBody& b, const Vec3d& r, const Vec3d& u) {
  const Vec3d t = cross(r, u);
  return b.invMass + dot(t, applyInverseInertia(b, t));
}

void pushRigid(RigidBody& b, const Vec3d& r, const Vec3d& p, double dt) {
  addRigidVelocity(b, p * (b.invMass / dt), applyInverseInertia(b, cross(r, p)) * (1 / dt), dt);
}

void placeRigidNodes(SolidState& s, const RigidBody& b) {
  if (b.body < 0) return;
  const Body& body = s.bodies[std::size_t(b.body)];
  const Mat3d r = b.q.matrix();
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) s.x[i] = b.x + r * s.xRest[i];
}

void rigidNodeVelocities(SolidState& s, const RigidBody& b) {
  if (b.body < 0) return;
  const Body& body = s.bodies[std::size_t(b.body)];
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) s.v[i] = pointVelocity(b, s.x[i]);
}

}  // namespace meniscus

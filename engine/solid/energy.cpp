#include "engine/solid/evaluate.h"
#include "engine/solid/solid.h"

namespace meniscus {
namespace {

void addRigid(const RigidBody& b, const Vec3d& g, SolidEnergy& e) {
  if (b.invMass == 0) return;
  const Vec3d l = b.q.conjugate().rotate(b.omega);
  e.kinetic += 0.5 * b.mass * norm2(b.v) + 0.5 * (b.inertia.x * l.x * l.x + b.inertia.y * l.y * l.y + b.inertia.z * l.z * l.z);
  e.potential -= b.mass * dot(g, b.x);
}

}  // namespace

SolidEnergy energyOfSolids(const SolidState& s, const Vec3d& g) {
  SolidEnergy e;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    if (s.w[i] <= 0) continue;
    e.kinetic += 0.5 * s.mass[i] * norm2(s.v[i]);
    e.potential -= s.mass[i] * dot(g, s.x[i]);
  }
  for (const RigidBody& b : s.rigid) addRigid(b, g, e);
  for (const Constraint& c : s.constraints.items) {
    if (c.stiffness >= 0 || c.compliance <= 0) continue;
    ConstraintValue v;
    evaluateConstraint(c, s.rest.data(), s.x.data(), v);
    e.elastic += 0.5 * v.C * v.C / c.compliance;
  }
  for (const VolumeConstraint& c : s.volumes) {
    const double volume = enclosedVolume(s, c.triBegin, c.triEnd), excess = volume - c.restVolume;
    if (c.restVolume <= 0)
      e.elastic -= c.pressure * volume;
    else if (c.stiffness < 0 && c.compliance > 0)
      e.elastic += 0.5 * excess * excess / c.compliance;
  }
  return e;
}

}  // namespace meniscus

#include "engine/solid/evaluate.h"
#include "engine/solid/solid.h"
#include "kernels/solid/xpbd.h"

namespace meniscus {
namespace {

void addRigid(const RigidBody& b, const Vec3d& g, SolidEnergy& e) {
  if (b.invMass == 0) return;
  const Vec3d l = b.q.conjugate().rotate(b.omega);
  e.kinetic += 0.5 * b.mass * norm2(b.v) + 0.5 * (b.inertia.x * l.x * l.x + b.inertia.y * l.y * l.y + b.inertia.z * l.z * l.z);
  e.potential -= b.mass * dot(g, b.x);
}

// Beside a joint solve, with the compliance that the solve used and without what slack edges would store.
double storedEnergy(const SolidState& s, const Constraint& c) {
  if (c.stiffness >= 0 || c.compliance <= 0) return 0;
  ConstraintValue v;
  evaluateConstraint(c, s.rest.data(), s.x.data(), v);
  double compliance = c.compliance;
  if (s.multiplierStep > 0) {
    if (c.type == ConstraintType::distance && v.C < 0) return 0;
    double gWg = 0;
    for (int n = 0; n < v.nodes; ++n) gWg += s.w[c.node[n]] * norm2(v.grad[n]);
    const double dt2 = s.multiplierStep * s.multiplierStep;
    compliance = dt2 * Xpbd<double>::solvableAlphaTilde(compliance / dt2, s.work.solvable, gWg);
  }
  return 0.5 * v.C * v.C / compliance;
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
  for (const Constraint& c : s.constraints.items) e.elastic += storedEnergy(s, c);
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

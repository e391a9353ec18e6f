#include "engine/output/balance.h"

#include "engine/solid/solid.h"

namespace meniscus {
namespace {

double particleMass(const World& w, std::size_t i) {
  const std::size_t kind = w.fluid.kind[i];
  return (kind < w.scene.fluids.size() ? w.scene.fluids[kind].density : 0) * w.particleVolume;
}

}  // namespace

double totalEnergy(const World& w) {
  double kinetic = 0, potential = 0;
  for (std::size_t i = 0; i < std::size_t(w.fluid.n); ++i) {
    const double m = particleMass(w, i);
    kinetic += 0.5 * m * norm2(Vec3d(w.fluid.u[i].xyz()));
    potential -= m * dot(w.scene.gravity, w.scene.domain.min + Vec3d(w.fluid.x[i].xyz()));
  }
  const SolidEnergy s = energyOfSolids(w.solid, w.scene.gravity);
  return kinetic + potential + s.kinetic + s.potential + s.elastic;
}

Momentum totalMomentum(const World& w) {
  Momentum sum;
  const auto add = [&](double m, const Vec3d& v) {
    sum.p += m * v;
    sum.mass += m;
  };
  for (std::size_t i = 0; i < std::size_t(w.fluid.n); ++i) add(particleMass(w, i), Vec3d(w.fluid.u[i].xyz()));
  const SolidState& s = w.solid;
  for (std::size_t i = 0; i < s.x.size(); ++i)
    if (s.w[i] > 0) add(s.mass[i], s.v[i]);
  for (const RigidBody& r : s.rigid)
    if (r.invMass > 0) add(r.mass, r.v);
  return sum;
}

}  // namespace meniscus

// Momentum of everything that moves freely.
#pragma once

#include "engine/world/world.h"

namespace meniscus::testing {

struct Momentum {
  Vec3d linear{}, angular{};  // kg m/s, kg m^2/s about the origin
};

inline Momentum momentumOf(const World& w) {
  Momentum m;
  const auto add = [&](double mass, const Vec3d& x, const Vec3d& v) {
    m.linear += v * mass;
    m.angular += cross(x, v * mass);
  };
  for (Index i = 0; i < w.fluid.n; ++i)
    add(w.scene.fluids[w.fluid.kind[i]].density * w.particleVolume, Vec3d(w.fluid.x[i].xyz()) + w.scene.domain.min,
        Vec3d(w.fluid.u[i].xyz()));
  for (std::size_t i = 0; i < w.solid.x.size(); ++i)
    if (w.solid.w[i] > 0) add(1 / w.solid.w[i], w.solid.x[i], w.solid.v[i]);
  for (const RigidBody& r : w.solid.rigid) {
    if (r.invMass == 0) continue;
    add(r.mass, r.x, r.v);
    const Vec3d o = r.q.conjugate().rotate(r.omega);
    m.angular += r.q.rotate({o.x * r.inertia.x, o.y * r.inertia.y, o.z * r.inertia.z});
  }
  return m;
}

}  // namespace meniscus::testing

#include "engine/particle/device_bodies.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/solid/motion.h"
#include "engine/solid/rigid.h"
#include "engine/solid/solid.h"

namespace meniscus {
namespace {

void copy3(const Vec3d& from, double (&to)[3]) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}
void copy9(const Mat3d& from, double (&to)[9]) {
  for (int k = 0; k < 9; ++k) to[k] = from.r[k / 3][k % 3];
}

}  // namespace

template <class Call>
int BodiesOfWorld::guarded(const Call& call) {
  try {
    call();
    return 0;
  } catch (const Error& e) {
    error_ = std::current_exception();
    return int(e.kind);
  } catch (...) {
    error_ = std::current_exception();
    return int(ErrorKind::internal);
  }
}

DeviceBodies BodiesOfWorld::calls() {
  DeviceBodies c;
  c.user = this;
  c.fastest = [](void* user, double remaining, double* speed) {
    auto& b = *static_cast<BodiesOfWorld*>(user);
    return b.guarded([&] { *speed = b.fastest(remaining); });
  };
  c.move = [](void* user, double h, DeviceRigid* rigids) {
    auto& b = *static_cast<BodiesOfWorld*>(user);
    return b.guarded([&] { b.move(h, rigids); });
  };
  c.finish = [](void* user, double h, const double* force) {
    auto& b = *static_cast<BodiesOfWorld*>(user);
    return b.guarded([&] { b.finish(h, force); });
  };
  return c;
}

// As ParticleSolver's rule for the length of sub-steps: the bodies' speeds now, and what key frames ask for.
double BodiesOfWorld::fastest(double remaining) const {
  const SolidState& s = world_.solid;
  const double across = norm(world_.scene.domain.max - world_.scene.domain.min), end = world_.time + remaining;
  double fastest = 0;
  for (const RigidBody& r : s.rigid) {
    const double speed = norm(r.v) + norm(r.omega) * std::min(r.reach, across);
    if (!(speed <= 1e8))
      throw Error(ErrorKind::simulation, fmt::format("the simulation is no longer finite: {} has no valid velocity", r.name));
    fastest = std::max(fastest, speed);
    if (r.kinematic) fastest = std::max(fastest, greatestSpeed(r.motion, std::min(r.reach, across), world_.time, end));
  }
  return fastest;
}

void BodiesOfWorld::move(double h, DeviceRigid* out) {
  SolidState& s = world_.solid;
  predictSolids(exec_, s, world_.scene.gravity, world_.time, h);
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    const RigidBody& r = s.rigid[i];
    DeviceRigid& d = out[i];
    copy3(r.xPrev - world_.scene.domain.min, d.xStart);
    copy3(r.x - world_.scene.domain.min, d.x);
    copy9(r.qPrev.matrix(), d.rotationStart);
    copy9(r.q.matrix(), d.rotation);
    copy3(r.v, d.v);
    copy3(r.omega, d.omega);
  }
}

void BodiesOfWorld::finish(double h, const double* force) {
  SolidState& s = world_.solid;
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    RigidBody& r = s.rigid[i];
    r.fluidForce = {force[3 * i], force[3 * i + 1], force[3 * i + 2]};
    rigidNodeVelocities(s, r);
  }
  world_.time += h;
}

}  // namespace meniscus

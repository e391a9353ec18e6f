#include "engine/coupling/rigid_solid_box.h"

#include <fmt/format.h>

#include "engine/coupling/body_coordinates.h"
#include "engine/coupling/given_bodies.h"
#include "engine/solid/obstacles.h"
#include "engine/solid/rigid.h"

namespace meniscus::coupling {

RigidSolidBox::RigidSolidBox(Exec& exec, World& world)
    : exec_(exec),
      world_(world),
      bodies_(coupledBodies(world.solid)),
      obstacles_(std::make_unique<SceneObstacles>(world.scene.domain, world.solid)),
      saved_(world.solid.rigid) {}

void RigidSolidBox::save() {
  const SolidState& s = world_.solid;
  saved_ = s.rigid;
  x_ = s.x;
  v_ = s.v;
  xPrev_ = s.xPrev;
  time_ = world_.time;
}

void RigidSolidBox::restore() {
  SolidState& s = world_.solid;
  s.rigid = saved_;
  s.x = x_;
  s.v = v_;
  s.xPrev = xPrev_;
}

// Between two steps rotations are 0: they count from the beginning of the next.
Motion RigidSolidBox::motion() const { return motionOf(world_.solid.rigid, world_.solid.rigid, bodies_); }

Motion RigidSolidBox::solve(const Load& load, double dt) {
  if (load.kind != LoadKind::impulse) throw Error(ErrorKind::input, "coupling: rigid bodies take impulses as their load");
  if (load.value.size() != kBodyNumbers * bodies_.size())
    throw Error(ErrorKind::input, fmt::format("coupling: {} numbers of load for {} rigid bodies; give {}", load.value.size(),
                                              bodies_.size(), kBodyNumbers * bodies_.size()));
  SolidState& s = world_.solid;
  const Vec3d& g = world_.scene.gravity;
  std::vector<Vec3d> forceFree;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    RigidBody& r = s.rigid[bodies_[k]];
    const BodyLoad j = loadOf(load.value, k, r.reach);
    r.v += j.impulse * r.invMass;
    r.omega += applyInverseInertia(r, j.moment);
    forceFree.push_back(r.v + g * dt);
  }
  stepSolids(exec_, s, obstacles_.get(), world_.scene.solver.contactDistance * world_.dx, g, time_, dt, 1,
             world_.scene.solver.constraintIterations);
  contact_.clear();
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const RigidBody& r = s.rigid[bodies_[k]];
    contact_.push_back((r.v - forceFree[k]) * r.mass);
  }
  const Motion end = motionOf(s.rigid, saved_, bodies_);
  load_ = load.value;
  position_ = end.position;
  return end;
}

}  // namespace meniscus::coupling

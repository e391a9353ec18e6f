#include "engine/coupling/given_bodies.h"

#include <utility>

#include "engine/solid/prescribed.h"

namespace meniscus::coupling {

std::vector<std::size_t> coupledBodies(const SolidState& s) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < s.rigid.size(); ++i)
    if (s.rigid[i].invMass > 0) list.push_back(i);
  return list;
}

GivenBodies::GivenBodies(SolidState& s) : s_(s), rigid_(s.rigid), x_(s.x), v_(s.v), xPrev_(s.xPrev) {
  for (const Body& b : s.bodies) kind_.push_back(b.kind);
  for (const std::size_t i : coupledBodies(s)) {
    RigidBody& r = s.rigid[i];
    r.kinematic = true;
    r.invMass = 0;
    r.invInertia = {};
    r.start.translate = r.x;
    r.start.rotate = r.q;
    r.motion.clear();
    if (r.body >= 0) s.bodies[std::size_t(r.body)].kind = SolidKind::kinematic;
  }
}

GivenBodies::~GivenBodies() {
  for (std::size_t i = 0; i < rigid_.size(); ++i) rigid_[i].fluidForce = s_.rigid[i].fluidForce;  // a result of the solve
  s_.rigid.swap(rigid_);
  for (std::size_t b = 0; b < kind_.size(); ++b) s_.bodies[b].kind = kind_[b];
  s_.x.swap(x_);
  s_.v.swap(v_);
  s_.xPrev.swap(xPrev_);
}

void GivenBodies::move(std::size_t rigid, const Pose& to, double now, double dt) { moveBody(s_.rigid[rigid], to, now, dt); }

std::unique_ptr<ParticleSolver> solverOfGivenBodies(Exec& exec, World& world) {
  const GivenBodies given(world.solid);
  return std::make_unique<ParticleSolver>(exec, world);
}

}  // namespace meniscus::coupling

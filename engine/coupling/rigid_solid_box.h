// The rigid bodies of a particle scene as the black box S of a coupling: motion = S(impulses of the fluid).
//
// One step of the position-based solver: impulses and gravity change the velocities, the bodies move by them, contacts with walls
// and obstacles are projected, restitution gives back. Symplectic Euler: x = x^n + dt v, so the fluid that is given x sees v.
//
// Based on: Akbay et al. 2018, section 7.4; there too the solids are a position-based rigid body solver.
#pragma once

#include <memory>
#include <vector>

#include "engine/coupling/coupling.h"
#include "engine/exec/exec.h"
#include "engine/solid/solid.h"
#include "engine/world/world.h"

namespace meniscus::coupling {

class RigidSolidBox : public SolidBox {
 public:
  // Both must outlive this.
  RigidSolidBox(Exec& exec, World& world);

  // The coordinates are those of body_coordinates.h. A save is the beginning of a step: rotations count from it.
  void save() override;
  void restore() override;
  LoadKind loadKind() const override { return LoadKind::impulse; }
  Motion motion() const override;
  // Throws Error(input) for loads that are no impulses or of another size.
  Motion solve(const Load& load, double dt) override;

  // Of the last solve: its load, and the positions that it returned.
  const std::vector<double>& lastLoad() const { return load_; }
  const std::vector<double>& lastPosition() const { return position_; }
  // Of the last solve, one a coupled body: what contacts with walls and obstacles gave it [N s].
  const std::vector<Vec3d>& contactImpulses() const { return contact_; }

 private:
  Exec& exec_;
  World& world_;
  std::vector<std::size_t> bodies_;
  std::unique_ptr<Obstacles> obstacles_;
  std::vector<RigidBody> saved_;
  Buffer<Vec3d> x_, v_, xPrev_;  // of nodes, saved
  double time_ = 0;              // s, saved
  std::vector<Vec3d> contact_;
  std::vector<double> load_, position_;
};

}  // namespace meniscus::coupling

// Viscosity in the fluid and at its surfaces, where it slips or sticks, as one implicit step of backward Euler:
//   (M + h L) u = M u*,   unknowns: velocities of particles and of the nodes and rigid bodies that it touches
// M: masses. L is symmetric and positive semidefinite, so the step is stable for any viscosity and any light skin. Conjugate
// gradients with M as the preconditioner: every iterate differs from u* by internal impulses over masses, so momentum is exact to
// round-off whatever the tolerance leaves over.
#pragma once

#include "engine/linear/conjugate_gradient.h"
#include "engine/particle/boundary.h"
#include "engine/particle/pressure_system.h"
#include "engine/solid/solid.h"
#include "kernels/fluid/viscous_kernel.h"

namespace meniscus {

// The slots that act on each body, in ascending order, with their weights there.
struct BodySlots {
  const Offset* begin;  // bodies + 1
  const Offset* slot;
  const float* weight;
};
struct BodySlotLists {
  Buffer<Offset> begin, slot, cursor;
  Buffer<float> weight;
  BodySlots view() const { return {begin.data(), slot.data(), weight.data()}; }
  std::size_t bytes() const {
    return begin.capacityBytes() + slot.capacityBytes() + cursor.capacityBytes() + weight.capacityBytes();
  }
};

class Viscosity {
 public:
  // Is there anything to do?
  static bool wanted(const World& world);
  // Velocities of the particles, from world.fluid.u, to `out`; nodes and rigid bodies are changed in place, their positions by what
  // that moves them in h. The system is the one assembled for this sub-step.
  KrylovReport step(Exec& exec, World& world, const Boundary& boundary, const PressureSystem& system, double h, Buffer<Vec4f>& out);
  // After step: the impulses of the shear on rigid bodies that are held or move as given, with the velocities u that it ended with.
  void addShearOnGiven(const World& world, const Boundary& boundary, const Buffer<Vec4f>& u, std::vector<GivenImpulse>& impulse);
  std::size_t bytes() const;

  // ---- operator of the Krylov loop; vectors: four floats a particle, then a node, then two times four a rigid body ----
  using Value = float;
  void apply(const Buffer<float>& x, Buffer<float>& y);
  double precondition(const Buffer<float>& r, Buffer<float>& z);
  KrylovVectors<float>& vectors() { return *vectors_; }

 private:
  // viscosity_walls.cpp
  void findWalls(const Boundary& boundary);
  void listBodySlots(const Boundary& boundary);
  void setWalls(const float* x, bool prescribed);
  void pass(const float* x, float* y, bool step);
  void finish(World& world, double h, Buffer<Vec4f>& out);

  Exec* exec_ = nullptr;
  const World* world_ = nullptr;
  const PressureSystem* system_ = nullptr;
  KrylovVectors<float>* vectors_ = nullptr;
  ViscousKernel kernel_{};
  Index n_ = 0, nodes_ = 0, rigids_ = 0;
  Buffer<float> mu_, rho_, x_, b_;
  Buffer<Vec4f> wall_, prescribed_, shear_;  // per slot
  View<const std::uint8_t> featureCount_;    // per particle near a surface
  View<const Index> slotBegin_;              // per near row
  BodySlotLists nodeSlots_, rigidSlots_;
  std::vector<Mat3d> inertia_, invInertia_;  // of rigid bodies, world axes
  KrylovWork<float> work_;
};

}  // namespace meniscus

// Water of particles (ISPH) as the black box F of a coupling with rigid bodies: load = F(motion of the bodies over the step).
//
//   1  the bodies move evenly from where they are to where `end` puts them
//   2  the particle engine steps the water beside them, in as many sub-steps as it needs
//   3  the load: what pressure, contact and shear gave the bodies in all sub-steps
// The state is the world's: particles, openings, counters. All that a step reads of it is in the table of its fields, and so in the
// saved copy; the solver's own memory holds none.
//
// Based on: Akbay et al. 2018, section 7.4; there the fluid is divergence-free SPH with sampled boundaries.
#pragma once

#include "engine/coupling/coupling.h"
#include "engine/particle/step.h"
#include "engine/world/state_copy.h"

namespace meniscus::coupling {

class SphFluidBox : public FluidBox {
 public:
  // solver: of solverOfGivenBodies for this world. Both must outlive this.
  SphFluidBox(World& world, ParticleSolver& solver);

  // The bodies' coordinates as in body_coordinates.h. Throws Error(input) for another number of them.
  void setBoundary(const Motion& now) override;
  void save() override { saved_.take(world_); }
  // With the world's solids, which a step of this box leaves where they are.
  void restore() override;
  LoadKind loadKind() const override { return LoadKind::impulse; }

  // Throws Error(simulation) where a particle is no longer finite or the water would need more sub-steps than there may be.
  Load solve(const Motion& end, double dt) override;

  // Of the last solve: the world's report of it.
  const StepReport& report() const { return report_; }
  std::size_t bytes() const { return saved_.bytes(); }

 private:
  World& world_;
  ParticleSolver& solver_;
  std::vector<std::size_t> bodies_;
  StateCopy saved_;
  StepReport report_;
};

}  // namespace meniscus::coupling

// The ISPH-PBD step. Algorithm 1 of Abu Rumman, Nair, Mueller, Barthe, Vanderhaeghe 2020, with the pressure solve and
// the constraint projection coupled in one symmetric positive definite system.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/exec/exec.h"
#include "engine/particle/given_impulse.h"
#include "engine/world/state_copy.h"

namespace meniscus {

// Working memory of a simulation: neighbour lists, boundary features, solver vectors. Holds no state that a snapshot needs.
class ParticleSolver {
 public:
  ParticleSolver(Exec& exec, World& world);
  ~ParticleSolver();

  // Advances the world by dt [s], in sub-steps chosen by the CFL rule. Fills world.report. stop (may be null) is asked between
  // sub-steps: once it says true, the world is put back to where it was before the call, report included, and the result is false.
  // (Half a step would be a state too, but one whose report and row in a table of steps nobody could give.)
  // before: the world as it is now, where the caller has it; else it is copied where it may be needed.
  bool step(World& world, double dt, bool (*stop)() = nullptr, const StateCopy* before = nullptr);
  // Moves the particles of a fresh world until the packing at walls is at rest density, with all solids held still.
  void settle(World& world);

  // What the fluid gave in the last step to each of SolidState::rigid that is held or moves as given, by pressure, contact and
  // shear. 0 for those that are free: they have it in their velocities. No state: of the step only.
  const std::vector<GivenImpulse>& impulsesOnGiven() const;

  // (stage name, seconds) since the last reset, in order of first use
  std::vector<std::pair<std::string, double>> stageSeconds() const;
  void resetStages();
  std::size_t bytes() const;  // memory held

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace meniscus

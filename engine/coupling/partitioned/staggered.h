// Staggered (weak) coupling: one fluid and one solid solve a step, and what they disagree about is left. For comparison: what
// particle engines do by themselves.
//
// An error of x comes back -g times as large in the next step (gain.h): an added mass above the solid's own makes it unstable.
//
// Based on: Akbay et al. 2018, section 7.4, where it is what XPM is held against.
#pragma once

#include "engine/coupling/coupling.h"

namespace meniscus::coupling {

class Staggered : public Coupling {
 public:
  // extrapolate: the fluid is given x^n + dt v^n; else x^n.
  Staggered(const StopRule& stop, bool extrapolate);

  // Ends with Stop::onePass.
  Report advance(FluidBox& fluid, SolidBox& solid, double dt) override;

 private:
  StopRule stop_;
  bool extrapolate_;
};

}  // namespace meniscus::coupling

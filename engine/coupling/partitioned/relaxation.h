// Gauss-Seidel passes x <- x + omega (S(F(x)) - x) with a fixed or an adapted omega.
//
// Based on: Akbay et al. 2018, algorithm 3; Kuettler & Wall, Fixed-point fluid-structure interaction solvers with dynamic
// relaxation, 2008 (Aitken). The test is on S(F(x)) - x, not on the step omega times it: a small omega would else pass at once.
#pragma once

#include "engine/coupling/coupling.h"

namespace meniscus::coupling {

struct RelaxationOptions {
  StopRule stop;
  double omega = 0.05;      // (0, 1]; stable below 2 / (1 + g), see gain.h. With aitken: of the first pass, at most
  bool aitken = false;      // omega from the last two residuals
  bool extrapolate = true;  // the first x is x^n + dt v^n; else x^n
};

class Relaxation : public Coupling {
 public:
  // Throws Error(input) for options out of their range.
  explicit Relaxation(const RelaxationOptions& options);

  Report advance(FluidBox& fluid, SolidBox& solid, double dt) override;
  void reset() override { omega_ = options_.omega; }
  std::vector<double> carried() const override { return {omega_}; }
  void setCarried(const std::vector<double>& numbers) override;

 private:
  RelaxationOptions options_;
  double omega_;  // of the last pass: Aitken's next step starts from the smaller of it and the option
};

}  // namespace meniscus::coupling

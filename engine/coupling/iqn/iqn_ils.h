// IQN-ILS: quasi-Newton on the residual of the composed map S(F(x)) - x, with the inverse Jacobian in least squares. The sibling of
// XPM that general coupling libraries use; here to compare with.
//
// Based on: Degroote, Bathe & Vierendeels, Performance of a new partitioned procedure versus a monolithic procedure in
// fluid-structure interaction, 2009. Differences of outputs (not inputs) carry the correction: x <- x~ - W R^-1 Q^T r with r = x~ -
// x. Where F is another function all at once (sprung_box.h) what was learnt before is forgotten, and where the passes do not near
// one another a step of few rigid bodies ends by rigid_agreement.h, as by XPM.
#pragma once

#include "engine/coupling/coupling.h"
#include "engine/coupling/secant_model.h"

namespace meniscus::coupling {

struct IqnIlsOptions {
  StopRule stop;
  double omega = 0.1;        // (0, 1] of the first correction, before there is a difference
  double threshold = 1e-10;  // of the column filter
  double stepCap = 0.5;      // of stop.length: largest change of a coordinate in a pass; 0: none
  int reuse = 0;             // earlier steps whose differences stay
  bool extrapolate = true;   // the first x is x^n + dt v^n; else x^n
};

class IqnIls : public Coupling {
 public:
  // Throws Error(input) for options out of their range.
  explicit IqnIls(const IqnIlsOptions& options);

  Report advance(FluidBox& fluid, SolidBox& solid, double dt) override;
  void reset() override { pairs_.clear(); }
  std::vector<double> carried() const override;
  void setCarried(const std::vector<double>& numbers) override;

 private:
  IqnIlsOptions options_;
  SecantPairs pairs_;  // (r, x~)
};

}  // namespace meniscus::coupling

// XPM: a partitioned step whose guesses come from a reduced model of both boxes, learnt during the step.
//
// Based on: Akbay et al., An extended partitioned method for conservative solid-fluid coupling, 2018, algorithm 1. Boxes that
// exchange impulses make it XPM, boxes that exchange forces or pressures the same paper's RMI. Where the defaults differ from the
// paper:
//   - the second x is relaxed (the paper takes S's first answer whole, which at a strong added mass is many cells away), and where
//     the two sides are then farther apart than before, it is taken nearer: answers of the boxes to what is far away say little of
//     the step. What was near enough is where the next step begins,
//   - a step is capped, so that neither box is asked far from where its model holds,
//   - the step ends on S(F(x)) - x, the error of the interface, instead of the change of S's answer. The solid's last load in a
//     step that converges is the fluid's own and not the model's, one solid solve more: what one side gives away the other has, to
//     round-off, and what the tolerance leaves open is in the positions. Where the answer to it is farther off, as beside a
//     very light solid, the model's is the better end, as it is as printed (`successive`): what is left between the two loads the
//     next step can give (owed_impulse.h),
//   - where the passes do not near one another, and the solids move in few ways, the step ends by rigid_agreement.h; where they are
//     thrown or do not end, and the solids move in many ways, by krylov_agreement.h.
#pragma once

#include "engine/coupling/coupling.h"
#include "engine/coupling/secant_model.h"

namespace meniscus::coupling {

enum class XpmResidual {
  interface,  // |x^s_k - x^f_k|
  successive  // |x^s_k - x^s_k-1| as printed; at least two passes, and about one more than `interface`
};

struct XpmOptions {
  StopRule stop;
  double omega = 0.1;        // (0, 1] of the second x, before there is a model (w0): the most; 1 is never made less
  double stepCap = 0.5;      // of stop.length: largest change of a coordinate in a pass; 0: none
  double threshold = 1e-10;  // of the column filter
  XpmResidual residual = XpmResidual::interface;
  // The solid's last load is the fluid's own where that is near, for boxes whose impulses keep momentum; else, and with
  // `successive`, it is the model's.
  bool ownLoad = true;
  int reuse = 0;            // earlier steps whose columns stay in the model
  bool extrapolate = true;  // the first x is x^n + dt v^n; else x^n

  // Algorithm 1 as printed: the second x whole, no cap, the successive residual.
  static XpmOptions paper(const StopRule& stop);
};

class Xpm : public Coupling {
 public:
  // Throws Error(input) for options out of their range.
  explicit Xpm(const XpmOptions& options);

  Report advance(FluidBox& fluid, SolidBox& solid, double dt) override;
  void reset() override;
  std::vector<double> carried() const override;
  void setCarried(const std::vector<double>& numbers) override;

 private:
  struct Newest;  // the newest call of each box
  Vector nextPosition(const Newest& newest, Pass& pass) const;
  Vector nextLoad(const Newest& newest) const;
  bool takeOwnLoad(BoxCalls& calls, Newest& newest, Pass& pass);
  bool tooFar(const Newest& newest, const Newest& last, const Pass& pass);

  XpmOptions options_;
  double omega_;                         // of the second x, at most the option's
  SecantPairs fluidPairs_, solidPairs_;  // (x^f, p^f), (p^s, x^s)
};

}  // namespace meniscus::coupling

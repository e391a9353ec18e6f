#include "engine/coupling/partitioned/staggered.h"

#include "engine/coupling/box_calls.h"

namespace meniscus::coupling {

Staggered::Staggered(const StopRule& stop, bool extrapolate) : stop_(stop), extrapolate_(extrapolate) { stop.check(); }

Report Staggered::advance(FluidBox& fluid, SolidBox& solid, double dt) {
  BoxCalls calls(fluid, solid, dt, stop_);
  if (calls.size() == 0) {
    calls.advanceApart();
    return calls.report();
  }
  const Vector x = extrapolate_ ? calls.extrapolated() : calls.start();
  Vector load, xs;
  if (!calls.fluid(x, load) || !calls.solid(load, xs)) return calls.report();
  Pass pass;
  pass.residual = pass.jump = (xs - x).norm();
  pass.step = (x - calls.start()).lpNorm<Eigen::Infinity>();
  calls.finish(pass, xs);
  Report report = calls.report();
  report.stop = Stop::onePass;
  return report;
}

}  // namespace meniscus::coupling

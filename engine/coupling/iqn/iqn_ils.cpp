#include "engine/coupling/iqn/iqn_ils.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/coupling/check_options.h"
#include "engine/coupling/krylov_agreement.h"
#include "engine/coupling/rigid_agreement.h"
#include "engine/coupling/sprung_box.h"

namespace meniscus::coupling {
namespace {

// Of the jump that a pass leaves, where earlier steps' columns are worth to be kept.
constexpr double kFall = 0.5;

}  // namespace

IqnIls::IqnIls(const IqnIlsOptions& options) : options_(options), pairs_(options.reuse) {
  options.stop.check();
  checkRelaxation(options.omega);
  checkColumns(options.threshold, options.stepCap, options.reuse);
}

std::vector<double> IqnIls::carried() const {
  std::vector<double> numbers;
  pairs_.write(numbers);
  return numbers;
}

void IqnIls::setCarried(const std::vector<double>& numbers) {
  SecantPairs pairs = pairs_;
  size_t at = 0;
  pairs.read(numbers, at);
  checkAllRead(at, numbers.size());
  pairs_ = std::move(pairs);
}

Report IqnIls::advance(FluidBox& fluid, SolidBox& solid, double dt) {
  BoxCalls calls(fluid, solid, dt, options_.stop);
  if (calls.size() == 0) {
    calls.advanceApart();
    return calls.report();
  }
  calls.tighten();
  pairs_.beginStep();
  Vector x = options_.extrapolate ? calls.guess() : calls.start();
  Vector load, xs;
  Pass pass;
  pass.step = (x - calls.start()).lpNorm<Eigen::Infinity>();
  double lastJump = std::numeric_limits<double>::infinity(), best = lastJump;
  while (calls.fluid(x, load) && calls.trySolid(load, xs)) {
    if (calls.isWild(x, xs) && endByKrylov(calls, options_.stop.length)) break;
    if (!xs.allFinite() && !calls.failSolid()) break;
    const Vector r = xs - x, xf = x;
    pass.residual = pass.jump = r.norm();
    if (calls.finish(pass, xs) || endByAgreement(calls, options_.stop.length)) break;
    pairs_.add(r, xs);
    // what was learnt in another step is of no use to this one where it does not bring the two sides nearer
    if (!(pass.jump < kFall * lastJump) && pairs_.hasEarlier()) pairs_.keepThisStep();
    lastJump = pass.jump;
    if (hasSprung(options_.stop, pass, best, calls.tolerance(xs))) pairs_.restart(r, xs);
    best = std::min(best, pass.jump);
    if (calls.holdWhereStuck()) {
      pairs_.dropNewest(BoxCalls::kStuckPasses);
      best = pass.jump;
    }
    const SecantModel m = pairs_.model(options_.threshold);
    pass = {};
    pass.columnsUsed = m.columns();
    pass.columnsDropped = m.dropped;
    if (m.columns() > 0) {
      x = xs - m.apply(r);
    } else {
      pass.omega = options_.omega;
      x = xf + options_.omega * r;
    }
    capStep(xf, options_.stepCap * options_.stop.length, x, pass);
  }
  return calls.report();
}

}  // namespace meniscus::coupling

#include "engine/coupling/xpm/xpm.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/coupling/check_options.h"
#include "engine/coupling/krylov_agreement.h"
#include "engine/coupling/rigid_agreement.h"
#include "engine/coupling/sprung_box.h"
#include "engine/coupling/xpm/reduced_model.h"

namespace meniscus::coupling {

namespace {

// Of the jump that a pass leaves, where earlier steps' columns are worth to be kept.
constexpr double kFall = 0.5;

}  // namespace

struct Xpm::Newest {
  Vector xf, pf;  // pf = F(xf)
  Vector xs, ps;  // xs = S(ps); empty before the step's first solid solve
};

XpmOptions XpmOptions::paper(const StopRule& stop) {
  XpmOptions o;
  o.stop = stop;
  o.omega = 1;
  o.stepCap = 0;
  o.residual = XpmResidual::successive;
  o.ownLoad = false;
  return o;
}

Xpm::Xpm(const XpmOptions& options)
    : options_(options), omega_(options.omega), fluidPairs_(options.reuse), solidPairs_(options.reuse) {
  options.stop.check();
  checkRelaxation(options.omega);
  checkColumns(options.threshold, options.stepCap, options.reuse);
}

void Xpm::reset() {
  omega_ = options_.omega;
  fluidPairs_.clear();
  solidPairs_.clear();
}

// Equation 6, or the relaxed answer of S where there is no model yet or none that is regular.
Vector Xpm::nextPosition(const Newest& newest, Pass& pass) const {
  ReducedModel model{fluidPairs_.model(options_.threshold), solidPairs_.model(options_.threshold)};
  // a load that does not hang on the position teaches S^ nothing, and nothing needs to be known of it: the solid's answer is right
  const bool oneWay = model.fluid.columns() > 0 && model.fluid.A.isZero(0);
  Vector x = model.position(newest.xf, newest.pf, newest.xs, newest.ps);
  if (model.columns() == 0 && !oneWay) {
    pass.omega = omega_;
    x = newest.xf + omega_ * (newest.xs - newest.xf);
  }
  pass.columnsUsed = model.columns();
  pass.columnsDropped = model.dropped();
  capStep(newest.xf, options_.stepCap * options_.stop.length, x, pass);
  return x;
}

// Equation 7, or the fluid's answer as it is where there is no model.
Vector Xpm::nextLoad(const Newest& newest) const {
  if (newest.xs.size() == 0) return newest.pf;
  ReducedModel model{fluidPairs_.model(options_.threshold), solidPairs_.model(options_.threshold)};
  if (model.columns() == 0) return newest.pf;
  const Vector load = model.load(newest.xf, newest.pf, newest.xs, newest.ps);
  return model.columns() > 0 ? load : newest.pf;
}

std::vector<double> Xpm::carried() const {
  std::vector<double> numbers = {omega_};
  fluidPairs_.write(numbers);
  solidPairs_.write(numbers);
  return numbers;
}

void Xpm::setCarried(const std::vector<double>& numbers) {
  SecantPairs fluid = fluidPairs_, solid = solidPairs_;
  size_t at = 1;
  if (numbers.empty() || !(numbers[0] > 0 && numbers[0] <= 1))
    throw Error(ErrorKind::input,
                "coupling: the snapshot has no relaxation factor of this method; resume with the method that wrote it");
  fluid.read(numbers, at);
  solid.read(numbers, at);
  checkAllRead(at, numbers.size());
  omega_ = std::min(numbers[0], options_.omega);  // which may have been lowered since
  fluidPairs_ = std::move(fluid);
  solidPairs_ = std::move(solid);
}

// Whether a relaxed x has taken the two sides apart: then the next one is to be nearer. One that has left most of the jump in its
// direction was very near, and the next step's may be twice as far.
bool Xpm::tooFar(const Newest& newest, const Newest& last, const Pass& pass) {
  constexpr double kLeastOmega = 1e-9;         // of the option: below it is not the interface's gain that takes the sides apart
  constexpr double kMost = 0.5, kLeast = 0.1;  // of the relaxation that was too much
  constexpr double kLeft = 0.5;                // of the jump, so that a linear interface's would change its sign no sooner
  if (pass.omega == 0 || options_.omega == 1 || omega_ < kLeastOmega * options_.omega) return false;
  const Vector before = last.xs - last.xf, now = newest.xs - newest.xf;
  if (!(now.norm() < before.norm())) {
    omega_ *= std::clamp(before.norm() / now.norm(), kLeast, kMost);
    return true;
  }
  if (now.dot(before) > kLeft * before.squaredNorm()) omega_ = std::min(options_.omega, 2 * omega_);
  return false;
}

// The solid under the very load of the fluid's last solve, where the pass would end with the model's: only then has the solid what
// the fluid gave away, at any tolerance. Tried once a step: beside a very light solid the answer is as many times farther off as
// the interface's gain is large, and passes that go on after it then learn from round-off. False where the solid failed.
bool Xpm::takeOwnLoad(BoxCalls& calls, Newest& newest, Pass& pass) {
  if (!options_.ownLoad || calls.kind() != LoadKind::impulse || newest.ps == newest.pf) return true;
  if (!(pass.residual <= calls.tolerance(newest.xs))) return true;
  constexpr double kFar = 2;  // tolerances: farther off, the model's load is the better end
  Vector own;
  if (!calls.trySolid(newest.pf, own)) return false;
  const double jump = (own - newest.xf).norm();
  if (!(jump <= kFar * calls.tolerance(own))) return calls.solid(newest.ps, newest.xs);
  newest.ps = newest.pf;
  newest.xs = own;
  solidPairs_.add(newest.ps, newest.xs);
  pass.jump = pass.residual = jump;
  return true;
}

Report Xpm::advance(FluidBox& fluid, SolidBox& solid, double dt) {
  BoxCalls calls(fluid, solid, dt, options_.stop);
  if (calls.size() == 0) {
    calls.advanceApart();
    return calls.report();
  }
  if (options_.residual == XpmResidual::interface) calls.tighten();
  fluidPairs_.beginStep();
  solidPairs_.beginStep();
  Newest newest, last;
  newest.xf = options_.extrapolate ? calls.guess() : calls.start();
  Pass pass;
  pass.step = (newest.xf - calls.start()).lpNorm<Eigen::Infinity>();
  double lastJump = std::numeric_limits<double>::infinity(), best = lastJump;
  bool restarted = false, triedOwn = false;
  const double omega = omega_;
  // p^f = F(x^f)
  while (calls.fluid(newest.xf, newest.pf)) {
    fluidPairs_.add(newest.xf, newest.pf);
    // p^s by equation 7, x^s = S(p^s)
    newest.ps = nextLoad(newest);
    const Vector before = newest.xs;
    if (!calls.trySolid(newest.ps, newest.xs)) break;
    if (options_.residual == XpmResidual::interface && calls.isWild(newest.xf, newest.xs) &&
        endByKrylov(calls, options_.stop.length))
      break;
    if (!newest.xs.allFinite() && !calls.failSolid()) break;
    solidPairs_.add(newest.ps, newest.xs);
    pass.jump = pass.residual = (newest.xs - newest.xf).norm();
    if (options_.residual == XpmResidual::successive)
      pass.residual = before.size() > 0 ? (newest.xs - before).norm() : std::numeric_limits<double>::infinity();
    const int solids = calls.report().solidSolves;
    if (!triedOwn && !takeOwnLoad(calls, newest, pass)) break;
    triedOwn = triedOwn || calls.report().solidSolves > solids;
    if (calls.finish(pass, newest.xs)) break;
    if (options_.residual == XpmResidual::interface && endByAgreement(calls, options_.stop.length)) {
      omega_ = omega;
      break;
    }
    if (!restarted && tooFar(newest, last, pass)) {
      newest = last;
      fluidPairs_.restart(last.xf, last.pf);
      solidPairs_.restart(last.ps, last.xs);
      pass = {};
      newest.xf = nextPosition(newest, pass);
      continue;
    }
    // what was learnt in another step is of no use to this one where it does not bring the two sides nearer
    if (!(pass.jump < kFall * lastJump) && (fluidPairs_.hasEarlier() || solidPairs_.hasEarlier())) {
      fluidPairs_.keepThisStep();
      solidPairs_.keepThisStep();
    }
    lastJump = pass.jump;
    if (options_.residual == XpmResidual::interface && hasSprung(options_.stop, pass, best, calls.tolerance(newest.xs))) {
      fluidPairs_.restart(newest.xf, newest.pf);
      solidPairs_.restart(newest.ps, newest.xs);
      restarted = true;
    }
    best = std::min(best, pass.jump);
    if (options_.residual == XpmResidual::interface && calls.holdWhereStuck()) {
      // a model with slopes that are none may see the two sides agree under a load that the fluid does not give
      fluidPairs_.restart(newest.xf, newest.pf);
      best = pass.jump;
      restarted = true;
    }
    // x^f by equation 6
    pass = {};
    last = newest;
    newest.xf = nextPosition(newest, pass);
  }
  return calls.report();
}

}  // namespace meniscus::coupling

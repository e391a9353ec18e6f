#include "engine/coupling/box_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meniscus::coupling {
namespace {

Vector toVector(const std::vector<double>& v) {
  Vector x(static_cast<Eigen::Index>(v.size()));
  std::copy(v.begin(), v.end(), x.data());
  return x;
}

std::vector<double> toDoubles(const Vector& x) { return {x.data(), x.data() + x.size()}; }

void checkSize(const char* what, Eigen::Index found, Eigen::Index expected) {
  if (found != expected)
    throw Error(ErrorKind::input, fmt::format("coupling: {} has {} numbers where {} are expected; the interface must not change "
                                              "within a step",
                                              what, found, expected));
}

}  // namespace

BoxCalls::BoxCalls(FluidBox& fluid, SolidBox& solid, double dt, const StopRule& rule)
    : fluid_(fluid), solid_(solid), dt_(dt), rule_(rule), kind_(fluid.loadKind()) {
  rule.check();
  if (!(dt > 0) || !std::isfinite(dt))
    throw Error(ErrorKind::input, fmt::format("coupling: the time step is {} s; give one above 0", dt));
  if (solid.loadKind() != kind_)
    throw Error(ErrorKind::input,
                "coupling: the fluid gives a load of one kind (impulse, force or pressure) and the solid takes "
                "another; make them agree");
  const Motion now = solid.motion();
  start_ = toVector(now.position);
  velocity_ = toVector(now.velocity);
  checkSize("the solid's velocity", velocity_.size(), start_.size());
  fluid_.setBoundary(now);
  fluid_.save();
  solid_.save();
  report_.tolerance = rule.tolerance(dt);
  parts_ = solid_.parts();
}

bool BoxCalls::fail(Stop stop) {
  report_.stop = stop;
  fluid_.restore();
  solid_.restore();
  return false;
}

void BoxCalls::restore() {
  if (fluidMoved_) fluid_.restore();
  if (solidMoved_) solid_.restore();
  fluidMoved_ = solidMoved_ = false;
}

bool BoxCalls::linearSystem(int iterations, bool solved) {
  ++report_.linearSystems;
  report_.linearIterations += iterations;
  return solved || fail(Stop::systemNotSolved);
}

Vector BoxCalls::guess() {
  const Vector x = extrapolated();
  const std::vector<double> at =
      fluid_.stopped({{x.data(), x.data() + x.size()}, {velocity_.data(), velocity_.data() + velocity_.size()}}, dt_);
  return Eigen::Map<const Vector>(at.data(), Eigen::Index(at.size()));
}

bool BoxCalls::fluid(const Vector& x, Vector& load) {
  if (!x.allFinite()) return fail(Stop::guessNotFinite);
  if (fluidMoved_) fluid_.restore();
  fluidMoved_ = true;
  ++report_.fluidSolves;
  report_.questions += asks_;
  if (report_.fluidSolves == 1) first_ = x;
  lastX_ = x;
  const Load answer = fluid_.solve({toDoubles(x), toDoubles((x - start_) / dt_)}, dt_);
  if (loadSize_ < 0) loadSize_ = static_cast<Eigen::Index>(answer.value.size());
  checkSize("the fluid's load", static_cast<Eigen::Index>(answer.value.size()), loadSize_);
  load = toVector(answer.value);
  return load.allFinite() || fail(Stop::fluidNotFinite);
}

bool BoxCalls::fluidBeside(const Vector& x, Vector& load) {
  fluid_.holdPiece(true);
  const bool answered = fluid(x, load);
  fluid_.holdPiece(false);
  return answered;
}

bool BoxCalls::askSolid(const Vector& load, Vector& x) {
  if (!load.allFinite()) return fail(Stop::guessNotFinite);
  if (solidMoved_) solid_.restore();
  solidMoved_ = true;
  ++report_.solidSolves;
  const Motion answer = solid_.solve({kind_, toDoubles(load)}, dt_);
  checkSize("the solid's position", static_cast<Eigen::Index>(answer.position.size()), start_.size());
  x = toVector(answer.position);
  return true;
}

bool BoxCalls::solid(const Vector& load, Vector& x) { return askSolid(load, x) && (x.allFinite() || fail(Stop::solidNotFinite)); }

bool BoxCalls::trySolid(const Vector& load, Vector& x) { return askSolid(load, x); }

double BoxCalls::tolerance(const Vector& xs) const {
  constexpr double kOfParts = 0.1;
  const bool tight = tight_ && (report_.passes.empty() || seen_ > kHard);
  return (tight ? kOfParts : 1) * std::max(rule_.tolerance(dt_), rule_.relative * xs.norm());
}

int BoxCalls::freedoms() const {
  int sum = 0;
  for (const SolidPart& p : parts_) sum += p.freedoms;
  return sum;
}

bool BoxCalls::isLost() const {
  if (released_) return strikes_ >= kMoreStrikes;
  if (freedoms() <= kFewFreedoms) return strikes_ >= kStrikes;
  // the first two passes may be alike by chance; a cell apart after so many is lost by any measure
  return strikes_ >= kManyStrikes && (seen_ > kHard || report_.passes.back().jump > rule_.length);
}

bool BoxCalls::finish(Pass pass, const Vector& xs) {
  // the first two passes of each method are S(F(x)) itself
  if (report_.passes.size() == 1) seen_ = (xs - firstAnswer_).norm() / (lastX_ - first_).norm();
  if (report_.passes.empty()) firstAnswer_ = xs;
  report_.tolerance = tolerance(xs);
  constexpr double kNearer = 0.5;  // of the least jump before
  if (!report_.passes.empty() && !(pass.jump < kNearer * least_)) ++strikes_;
  if (report_.passes.empty() || pass.jump < least_) {
    least_ = pass.jump;
    nearest_ = lastX_;
  }
  report_.passes.push_back(pass);
  constexpr int kMore = 3;  // passes at most for the tighter tolerance
  const double loose = std::max(rule_.tolerance(dt_), rule_.relative * xs.norm());
  near_ = pass.residual <= loose ? near_ + 1 : 0;
  const bool again = near_ > kMore;
  if (again) report_.tolerance = loose;
  if (again || pass.residual <= report_.tolerance) {
    report_.stop = Stop::converged;
    return true;
  }
  report_.stop = Stop::maxIterations;
  return std::max(report_.fluidSolves - report_.questions, report_.linearSystems) >= rule_.maxIterations;
}

bool BoxCalls::isWild(const Vector& xf, const Vector& xs) {
  constexpr double kWild = 1;  // of rule_.length, as the largest coordinate
  if (!xs.allFinite() || (parts_.empty() && strikes_ >= kStrayStrikes)) return true;
  return (xs - xf).lpNorm<Eigen::Infinity>() > kWild * rule_.length && ++wild_ > 1;
}

bool BoxCalls::holdWhereStuck() {
  constexpr double kNearer = 0.9;   // of the least jump before
  constexpr double kSmall = 0.015;  // of rule_.length: a larger step than that may yet find something
  const std::vector<Pass>& passes = report_.passes;
  if (report_.heldFrom > 0 || int(passes.size()) <= kStuckPasses || !(passes.back().step < kSmall * rule_.length)) return false;
  const auto nearest = [](auto begin, auto end) {
    return std::min_element(begin, end, [](const Pass& a, const Pass& b) { return a.residual < b.residual; })->residual;
  };
  const auto late = passes.end() - kStuckPasses;
  return !(nearest(late, passes.end()) < kNearer * nearest(passes.begin(), late)) && keepFaces();
}

bool BoxCalls::keepFaces() {
  if (!fluid_.holdFaces()) return false;
  report_.heldFrom = int(report_.passes.size());
  return true;
}

bool BoxCalls::hold() {
  strikes_ = 0;
  return report_.heldFrom > 0 || keepFaces();
}

void BoxCalls::release() {
  fluid_.releaseFaces();
  report_.heldFrom = 0;
  released_ = true;
}

void BoxCalls::advanceApart() {
  Vector load, x;
  if (fluid(start_, load) && solid(load, x)) report_.stop = Stop::noInterface;
}

void capStep(const Vector& last, double cap, Vector& x, Pass& pass) {
  pass.step = (x - last).lpNorm<Eigen::Infinity>();
  if (!(cap > 0) || !(pass.step > cap)) return;
  x = last + (x - last) * (cap / pass.step);
  pass.step = cap;
  pass.capped = true;
}

}  // namespace meniscus::coupling

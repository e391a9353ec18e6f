#include "engine/coupling/enclosed_pressure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace meniscus::coupling {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The part of the load or the pressure that a first difference changes it by.
constexpr double kDifference = 1e-3;
constexpr double kMostChange = 100;  // of the largest pressure that is there
constexpr double kLittle = 1e-3;     // of the error: a cut change that took away less leads nowhere
constexpr int kCuts = 6;             // shorter changes that are tried
constexpr int kAnswers = 4;          // of the solid for each step of Newton's method that there may be

constexpr double kTiny = 1e-300;  // keeps 0 / 0 away where no pressure changed

VectorXd toVector(const std::vector<double>& v) {
  VectorXd x(static_cast<Eigen::Index>(v.size()));
  std::copy(v.begin(), v.end(), x.data());
  return x;
}

}  // namespace

struct EnclosedPressure::Step {
  LoadKind kind;
  double dt;
  std::vector<size_t> region;  // the regions that have a pressure to solve for
  MatrixXd area;               // n x regions
  VectorXd load, start;        // start: positions at the beginning of the step
  VectorXd outflow, p, net;    // of each region; net: area . v + outflow at p [m^3/s]
  Motion answer;               // of the last solid solve
  bool moved = false;

  double perPascal() const { return kind == LoadKind::impulse ? dt : 1; }  // load for 1 Pa on 1 m^2
  double error() const { return net.size() > 0 ? net.lpNorm<Eigen::Infinity>() * dt : 0; }
};

EnclosedPressure::EnclosedPressure(SolidBox& solid, Regions regions, const EnclosedPressureOptions& options)
    : solid_(solid), regions_(std::move(regions)), options_(options) {
  if (solid.loadKind() == LoadKind::pressure)
    throw Error(ErrorKind::input, "enclosed pressure: the solid takes pressures; give it forces or impulses");
  if (!(options.volumeTolerance > 0))
    throw Error(ErrorKind::input,
                fmt::format("enclosed pressure: the volume tolerance is {} m^3; give one above 0", options.volumeTolerance));
  if (options.maxIterations < 1)
    throw Error(ErrorKind::input, fmt::format("enclosed pressure: {} iterations at most; give 1 or more", options.maxIterations));
  if (!(options.pressureStep > 0))
    throw Error(ErrorKind::input,
                fmt::format("enclosed pressure: the pressure step is {} Pa; give one above 0", options.pressureStep));
}

void EnclosedPressure::save() {
  solid_.save();
  savedPressure_ = pressure_;
  derivative_.resize(0, 0);
  report_ = {};
}

void EnclosedPressure::restore() {
  solid_.restore();
  pressure_ = savedPressure_;
}

// The solid under load + area p. False where its answer is not finite.
bool EnclosedPressure::evaluate(Step& s, const VectorXd& p) {
  if (s.moved) solid_.restore();
  s.moved = true;
  ++report_.solidSolves;
  const VectorXd total = s.load + s.perPascal() * (s.area * p);
  s.answer = solid_.solve({s.kind, {total.data(), total.data() + total.size()}}, s.dt);
  s.p = p;
  s.net = s.area.transpose() * ((toVector(s.answer.position) - s.start) / s.dt) + s.outflow;
  return s.net.allFinite();
}

// The derivative by one solid solve a region; s.p and s.net stay.
bool EnclosedPressure::differentiate(Step& s) {
  const VectorXd p = s.p, net = s.net;
  derivative_.resize(net.size(), net.size());
  for (Eigen::Index i = 0; i < p.size(); ++i) {
    const double push = s.perPascal() * s.area.col(i).norm();
    double step = kDifference * std::max(std::abs(p[i]), s.load.norm() / push);
    if (!(step > 0)) step = options_.pressureStep;
    VectorXd changed = p;
    changed[i] += step;
    if (!evaluate(s, changed)) return false;
    derivative_.col(i) = (s.net - net) / step;
  }
  s.p = p;
  s.net = net;
  return true;
}

// The regions' areas, outflows and the pressures to start from. Regions without a node that moves have no pressure to solve for:
// they are only counted, and what they let out is returned in `lost` [m^3].
EnclosedPressure::Step EnclosedPressure::begin(const Load& load, double dt, double& lost) {
  const std::vector<EnclosedRegion> regions = regions_();
  Step s{load.kind, dt, {}, {}, toVector(load.value), toVector(solid_.motion().position), {}, {}, {}, {}, false};
  for (size_t i = 0; i < regions.size(); ++i) {
    const EnclosedRegion& r = regions[i];
    if (r.area.size() != load.value.size() || s.start.size() != s.load.size())
      throw Error(ErrorKind::input,
                  fmt::format("enclosed pressure: region {} has {} areas for a load of {} numbers and {} coordinates", i,
                              r.area.size(), load.value.size(), s.start.size()));
    if (!toVector(r.area).isZero(0)) {
      s.region.push_back(i);
    } else {
      ++report_.rigidRegions;
      lost = std::max(lost, std::abs(r.outflow) * dt);
    }
  }
  if (pressure_.size() != regions.size()) pressure_.assign(regions.size(), 0.0);
  const Eigen::Index count = static_cast<Eigen::Index>(s.region.size());
  s.area.resize(s.load.size(), count);
  s.outflow.resize(count);
  s.p.resize(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    s.area.col(k) = toVector(regions[s.region[k]].area);
    s.outflow[k] = regions[s.region[k]].outflow;
    s.p[k] = pressure_[s.region[k]];
  }
  return s;
}

// What a change of the pressures is at most, by the largest push of a region and of the load: where what encloses a region is held
// by contacts on all sides its volume does not hang on its pressure, and Newton's method asks for any.
double EnclosedPressure::mostChange(const Step& s) const {
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < s.p.size(); ++i) least = std::min(least, s.perPascal() * s.area.col(i).norm());
  return kMostChange * std::max({s.p.lpNorm<Eigen::Infinity>(), s.load.norm() / least, options_.pressureStep});
}

// The volumes that are lost are the derivative of a convex function of the pressures, as no solid answers against its load: a
// change is made as far as that falls. Where contacts held what encloses a region its slope said next to nothing of the way.
bool EnclosedPressure::changeBy(Step& s, VectorXd& change, bool& beyond) {
  constexpr double kEnough = 0.5, kLeast = 0.1, kMost = 0.7;
  const VectorXd p = s.p, way = change;
  const double begin = s.net.dot(way);
  double near = 0, far = 1, slopeNear = begin, slopeFar = 0, part = 1;
  beyond = false;
  for (int cut = 0;; ++cut) {
    change = part * way;
    if (!evaluate(s, p + change)) return false;
    const double slope = s.net.dot(way);
    const bool rises = slope > -kEnough * begin, falls = beyond && slope < kEnough * begin;
    if (!(begin < 0) || (!rises && !falls) || cut == kCuts) return true;
    beyond = true;
    (rises ? far : near) = part;
    (rises ? slopeFar : slopeNear) = slope;
    part = near + (far - near) * std::clamp(slopeNear / (slopeNear - slopeFar), kLeast, kMost);
  }
}

// Newton's method with Broyden's update; the derivative is taken anew where a step does not halve the error. Regions that press on
// the same nodes alike make it singular: the shortest change of the pressures is taken. A step that was cut and did hardly any good
// is the last one, and the best pressures before it are kept. False where the solid's answer is not finite.
bool EnclosedPressure::balance(Step& s) {
  if (!evaluate(s, s.p)) return false;
  if (derivative_.cols() != s.p.size()) derivative_.resize(0, 0);
  const int most = report_.solidSolves + kAnswers * options_.maxIterations;
  while (s.error() > options_.volumeTolerance && report_.iterations < options_.maxIterations && report_.solidSolves < most) {
    if (derivative_.size() == 0 && !differentiate(s)) return false;
    const VectorXd p = s.p, net = s.net;
    VectorXd change = -derivative_.completeOrthogonalDecomposition().solve(net);
    const double before = s.error(), longest = mostChange(s), far = change.lpNorm<Eigen::Infinity>();
    if (far > longest) change *= longest / far;
    bool beyond = false;
    if (!changeBy(s, change, beyond)) return false;
    if (far > longest && !beyond && !(s.error() < (1 - kLittle) * before)) {
      derivative_.resize(0, 0);
      return evaluate(s, p);
    }
    ++report_.iterations;
    derivative_ += (s.net - net - derivative_ * change) * change.transpose() / std::max(change.squaredNorm(), kTiny);
    if (s.error() > 0.5 * before) derivative_.resize(0, 0);
  }
  return true;
}

Motion EnclosedPressure::solve(const Load& load, double dt) {
  report_.iterations = report_.rigidRegions = 0;
  if (!options_.keepDerivative) derivative_.resize(0, 0);
  double lost = 0;
  Step s = begin(load, dt, lost);
  const bool finite = balance(s);
  for (size_t k = 0; k < s.region.size(); ++k) pressure_[s.region[k]] = s.p[static_cast<Eigen::Index>(k)];
  report_.volumeError = std::max(lost, s.error());
  report_.converged = finite && report_.volumeError <= options_.volumeTolerance;
  return s.answer;
}

}  // namespace meniscus::coupling

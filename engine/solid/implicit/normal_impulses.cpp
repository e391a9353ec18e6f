#include "engine/solid/implicit/normal_impulses.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/stop.h"

namespace meniscus::implicit {
namespace {

constexpr double kHangs = 1e-9;      // of its own response: left of it, a contact hangs on those that press
constexpr double kRoundOff = 1e-13;  // of the largest way
constexpr int kStepsAContact = 20;   // far more than there are, so that round-off does not go round for ever
constexpr Eigen::Index kFirst = 64;  // contacts that press, to begin with

}  // namespace

// The contact that is nearer than its target by most, or -1.
Eigen::Index NormalImpulses::worst(const Vector& r) const {
  Eigen::Index found = -1;
  double most = tolerance_ + kRoundOff * r.lpNorm<Eigen::Infinity>();
  for (Eigen::Index c = 0; c < p_.contacts(); ++c) {
    const Eigen::Index n = c * p_.dimension;
    if (presses_[std::size_t(c)] || !p_.answers[std::size_t(n)] || !(p_.target[c] - r[n] > most)) continue;
    most = p_.target[c] - r[n];
    found = c;
  }
  return found;
}

// What is left of the row's own response where those that press stay where they are; column_ and part_ are of it.
double NormalImpulses::answer(Eigen::Index row) {
  const Eigen::Index k = Eigen::Index(pressing_.size());
  column_.resize(k);
  for (Eigen::Index i = 0; i < k; ++i) column_[i] = p_.response(pressing_[std::size_t(i)], row);
  const auto r = factor_.topLeftCorner(k, k).triangularView<Eigen::Upper>();
  r.transpose().solveInPlace(column_);
  part_ = column_;
  r.solveInPlace(part_);
  return p_.response(row, row) - column_.squaredNorm();
}

void NormalImpulses::add(Eigen::Index row, double left) {
  const Eigen::Index k = Eigen::Index(pressing_.size());
  if (k == factor_.rows()) {
    factor_.conservativeResize(2 * k, 2 * k);
    column_.conservativeResize(k);
  }
  factor_.col(k).head(k) = column_;
  factor_.row(k).head(k).setZero();
  factor_(k, k) = std::sqrt(left);
  pressing_.push_back(row);
  presses_[std::size_t(row / p_.dimension)] = 1;
}

// The factor without one of its columns, made upper triangular again by rotations of its rows.
void NormalImpulses::drop(Eigen::Index at) {
  const Eigen::Index k = Eigen::Index(pressing_.size());
  presses_[std::size_t(pressing_[std::size_t(at)] / p_.dimension)] = 0;
  pressing_.erase(pressing_.begin() + at);
  for (Eigen::Index j = at; j + 1 < k; ++j) factor_.col(j).head(k) = factor_.col(j + 1).head(k);
  for (Eigen::Index j = at; j + 1 < k; ++j) {
    const double a = factor_(j, j), b = factor_(j + 1, j), length = std::hypot(a, b), c = a / length, s = b / length;
    for (Eigen::Index i = j; i + 1 < k; ++i) {
      const double upper = factor_(j, i), lower = factor_(j + 1, i);
      factor_(j, i) = c * upper + s * lower;
      factor_(j + 1, i) = c * lower - s * upper;
    }
  }
}

NormalsEnd NormalImpulses::press(Eigen::Index contact, double beyond, Vector& lambda, Vector& r) {
  const Eigen::Index row = contact * p_.dimension;
  for (const int most = kStepsAContact * int(p_.contacts()); steps_ < most;) {
    ++steps_;
    const double left = answer(row), own = p_.response(row, row);
    const bool moves = left > kHangs * own;
    double by = moves ? (p_.target[contact] - r[row]) / left : std::numeric_limits<double>::infinity();
    Eigen::Index letsGo = -1;
    for (Eigen::Index i = 0; i < part_.size(); ++i) {
      const double has = lambda[pressing_[std::size_t(i)]];
      if (!(part_[i] > 0) || !(has < by * part_[i])) continue;
      by = has / part_[i];
      letsGo = i;
    }
    const bool wedged = std::isinf(by);
    if (wedged) by = beyond / own;
    lambda[row] += by;
    r += by * p_.response.col(row);
    for (Eigen::Index i = 0; i < part_.size(); ++i) {
      const Eigen::Index n = pressing_[std::size_t(i)];
      lambda[n] = std::max(0.0, lambda[n] - by * part_[i]);
      r -= by * part_[i] * p_.response.col(n);
    }
    if (wedged) return NormalsEnd::wedged;
    if (letsGo < 0) {
      add(row, left);
      return NormalsEnd::solved;
    }
    lambda[pressing_[std::size_t(letsGo)]] = 0;
    drop(letsGo);
  }
  return NormalsEnd::tooManySteps;
}

NormalsEnd NormalImpulses::solve(double beyond, Vector& lambda, Vector& r) {
  pressing_.clear();
  presses_.assign(std::size_t(p_.contacts()), 0);
  factor_.resize(kFirst, kFirst);
  for (Eigen::Index c = 0; c < p_.contacts(); ++c) lambda[c * p_.dimension] = 0;
  r = p_.free + p_.response * lambda;
  for (;;) {
    stopIfAsked();
    const Eigen::Index c = worst(r);
    const NormalsEnd end = c < 0 ? NormalsEnd::solved : press(c, beyond, lambda, r);
    if (c < 0 || end != NormalsEnd::solved) return end;
    for (const Eigen::Index n : pressing_)
      if (lambda[n] * p_.response(n, n) > beyond) return NormalsEnd::wedged;
  }
}

}  // namespace meniscus::implicit

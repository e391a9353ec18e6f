#include "engine/coupling/krylov_agreement.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace meniscus::coupling {
namespace {

constexpr double kProbe = 1e-2;  // of a cell: both sides are asked so far along a direction, as the largest coordinate
constexpr double kLeastProbe = 1e-4, kMostProbe = 0.1;  // of a cell: the solids, where they are asked anew
constexpr int kSizes = 6;                               // loads that are tried for one that moves them so far
constexpr double kStart = 0.1;                          // of what there is to begin with: so far the solids are taken to be linear
constexpr double kLinear = 0.1;                         // of the tolerance: or so far
constexpr double kPart = 0.3;               // of the tolerance: what is left of the solids' answers when the fluid is asked again
constexpr double kNew = 1e-6;               // of a direction: what less than that is along those that are known
constexpr double kAcross = 0.5;             // of what is left: so much across the directions calls for another one
constexpr double kFar = 0.5;                // of a cell: longest step, as the largest coordinate
constexpr double kAffine = 1e-6;            // of a load: what the fluid's answer is off by rounding
constexpr int kMost = 60;                   // directions
constexpr int kAsks = 60, kCuts = 6;        // answers of the solids that are put right, and shorter steps that are tried
constexpr double kSlopes[] = {1, 0.1, 10};  // of what is left: lengths of differences that may show a way where none is found
constexpr int kRounds = 12;                 // answers of the fluid

class KrylovAgreement {
 public:
  KrylovAgreement(BoxCalls& calls, double length) : calls_(calls), length_(length), probe_(kProbe * length) {}

  // About the pass that had the two sides nearest. False where a box has no answer; so below.
  bool begin();

  // The linear problem about the solids' free flight: directions, and a first y.
  bool findDirections();

  // y so that the solids agree with the fluid's affine answer to a part of the tolerance, or as near as it comes.
  bool solve();

  // Asks both sides there, and puts the affine answer right.
  bool askFluid();

  // The solids under the load that they agreed on.
  bool takeModel() {
    Vector x;
    return solid(agreed_, x);
  }

 private:
  // False where the solids have no answer; that of a box that failed is in the report.
  bool solid(const Vector& load, Vector& x) { return calls_.trySolid(load, x) && x.allFinite(); }
  // For another direction.
  bool hasRoom() const { return Q_.cols() < kMost && calls_.hasSolvesLeft(); }
  bool answer(const Vector& load, Vector& change);
  bool addDirection(Vector way);
  bool ask(const Vector& y, Vector& h);
  bool stepAlong(const Vector& way, bool& whole, bool& nearer);
  bool differentiate(double part);
  Vector correction(const Vector& h) const {
    if (Q_.cols() == 0) return Vector(0);  // Eigen decomposes no matrix without columns
    return (T_ - Q_).completeOrthogonalDecomposition().solve(-h);
  }

  BoxCalls& calls_;
  double length_, probe_;         // m: of a cell, and as far as the solids are asked
  Vector base_, load_;            // x_b and f: F(x) = f + A Q^T (x - x_b)
  Vector about_, place_;          // the load that S' is taken at, and the answer to it
  Eigen::MatrixXd Q_, A_, T_;     // of the header
  Vector y_, h_;                  // h = S(f + A y) - x_b - Q y
  Vector where_, there_, lastY_;  // where the fluid was asked last, its answer, and y there
  Vector agreed_;                 // the affine answer there
};

bool KrylovAgreement::begin() {
  for (Eigen::MatrixXd* m : {&Q_, &A_, &T_}) m->resize(calls_.size(), 0);
  y_.resize(0);
  base_ = calls_.nearest();
  about_ = Vector::Zero(calls_.size());
  if (!solid(about_, place_) || !calls_.fluid(base_, load_)) return false;
  where_ = base_;
  there_ = load_;
  return true;
}

// S' load, by a difference that is small.
bool KrylovAgreement::answer(const Vector& load, Vector& change) {
  const double most = load.lpNorm<Eigen::Infinity>();
  change = Vector::Zero(load.size());
  if (!(most > 0)) return true;
  double size = 1e-6 / most;  // N s: the first answer says how much is little
  for (int turn = 0; turn < kSizes; ++turn) {
    Vector x;
    if (!solid(about_ + size * load, x)) return false;
    change = (x - place_) / size;
    const double moved = (x - place_).lpNorm<Eigen::Infinity>();
    if (!(moved > 0) || (moved < 2 * probe_ && moved > 0.1 * probe_)) break;
    size *= probe_ / moved;
  }
  return true;
}

// A direction, the fluid's answer to it and the solids' to that. One that is known adds nothing.
bool KrylovAgreement::addDirection(Vector way) {
  const double length = way.norm();
  for (int turn = 0; turn < 2; ++turn) way -= Q_ * (Q_.transpose() * way);
  if (!(way.norm() > kNew * length)) return true;
  way /= way.norm();
  const double far = kProbe * length_ / way.lpNorm<Eigen::Infinity>();
  const Eigen::Index k = Q_.cols();
  Vector load, change;
  if (!calls_.fluid(where_ + far * way, load)) return false;
  load = (load - there_) / far;
  if (!answer(load, change)) return false;
  for (Eigen::MatrixXd* m : {&Q_, &A_, &T_}) m->conservativeResize(calls_.size(), k + 1);
  Q_.col(k) = way;
  A_.col(k) = load;
  T_.col(k) = change;
  y_.conservativeResize(k + 1);
  y_[k] = 0;
  return true;
}

bool KrylovAgreement::findDirections() {
  Vector first;
  if (!answer(load_, first)) return false;
  first += place_ - base_;
  Vector left = first;
  for (;;) {
    const Eigen::Index k = Q_.cols();
    if (!hasRoom() || !(left.norm() > std::max(kLinear * calls_.tolerance(base_), kStart * first.norm()))) return true;
    if (!addDirection(left)) return false;
    if (Q_.cols() == k) return true;
    y_ = correction(first);
    left = first + (T_ - Q_) * y_;
  }
}

bool KrylovAgreement::ask(const Vector& y, Vector& h) {
  Vector x;
  if (!calls_.trySolid(load_ + A_ * y, x)) return false;
  h = x - base_ - Q_ * y;
  return true;
}

// The solids' answers about where they are now. part: of what is left, as the length of differences.
bool KrylovAgreement::differentiate(double part) {
  about_ = load_ + A_ * y_;
  probe_ = std::clamp(part * h_.lpNorm<Eigen::Infinity>(), kLeastProbe * length_, kMostProbe * length_);
  if (!solid(about_, place_)) return false;
  for (Eigen::Index j = 0; j < Q_.cols(); ++j) {
    Vector change;
    if (!answer(A_.col(j), change)) return false;
    T_.col(j) = change;
  }
  return true;
}

// As far along the way as it makes h less.
bool KrylovAgreement::stepAlong(const Vector& way, bool& whole, bool& nearer) {
  const double far = (Q_ * way).lpNorm<Eigen::Infinity>();
  double part = far > kFar * length_ ? kFar * length_ / far : 1;
  Vector tried;
  nearer = false;
  for (int cut = 0; cut < kCuts && !nearer; ++cut, part /= 2) {
    if (!ask(y_ + part * way, tried)) return false;
    nearer = tried.allFinite() && tried.norm() < (1 - 0.1 * part) * h_.norm();
    whole = cut == 0;
    if (!nearer) continue;
    y_ += part * way;
    h_ = tried;
  }
  return true;
}

bool KrylovAgreement::solve() {
  const double enough = kPart * calls_.tolerance(base_);
  for (int cut = 0;; ++cut, y_ /= 2) {
    if (!ask(y_, h_)) return false;
    if (h_.allFinite()) break;
    if (cut == kCuts) return false;
  }
  std::size_t tries = 0;
  for (int k = 0; k < kAsks && h_.norm() > enough; ++k) {
    const Vector way = correction(h_), left = h_ + (T_ - Q_) * way;
    if (left.norm() > kAcross * h_.norm() && hasRoom()) {
      const Eigen::Index n = Q_.cols();
      if (!addDirection(left)) return false;
      if (Q_.cols() > n) continue;
    }
    bool whole = false, nearer = false;
    if (!stepAlong(way, whole, nearer)) return false;
    if (nearer) tries = 0;
    if (nearer && whole) continue;
    if (tries == std::size(kSlopes)) break;
    if (!differentiate(kSlopes[tries++])) return false;
  }
  return true;
}

// The fluid's answer has kinks of its own, where it comes to the solids or leaves them: the difference of its last two answers
// is put in the place of what was known along their way, as by Broyden.
bool KrylovAgreement::askFluid() {
  const Vector x = base_ + Q_ * y_;
  agreed_ = load_ + A_ * y_;
  Vector load, xs;
  if (!calls_.fluid(x, load) || !solid(load, xs)) return false;
  Pass pass;
  pass.columnsUsed = int(Q_.cols());
  pass.jump = pass.residual = (xs - x).norm();
  calls_.finish(pass, xs);
  Vector step = y_;
  if (lastY_.size() > 0) step.head(lastY_.size()) -= lastY_;
  const Vector off = load - agreed_;
  if (off.norm() > kAffine * load.norm() && step.squaredNorm() > 0 && !calls_.report().converged()) {
    Vector change;
    if (!answer(off, change)) return false;
    A_ += off * step.transpose() / step.squaredNorm();
    T_ += change * step.transpose() / step.squaredNorm();
  }
  load_ = load - A_ * y_;
  where_ = x;
  there_ = load;
  lastY_ = y_;
  return true;
}

}  // namespace

bool endByKrylov(BoxCalls& calls, double length) {
  const bool kept = calls.report().heldFrom > 0;
  if (!calls.parts().empty() || !calls.hold()) return false;
  Vector load, x;
  if (!kept) {  // the faces of the nearest pass
    calls.release();
    if (!calls.fluid(calls.nearest(), load)) return true;
    calls.hold();
  }
  KrylovAgreement agreement(calls, length);
  bool answered = agreement.begin() && agreement.findDirections();
  for (int round = 0; answered && round < kRounds && (round == 0 || calls.hasSolvesLeft()) && !calls.report().converged(); ++round)
    answered = agreement.solve() && agreement.askFluid();
  if (calls.report().stop != Stop::maxIterations) return true;
  // where the solids' answer to the fluid's own load is far off, that to the load that they agreed on is the better end
  if (answered && agreement.takeModel()) return true;
  // as near as the passes came
  if (calls.fluid(calls.nearest(), load) && calls.trySolid(load, x) && !x.allFinite()) calls.failSolid();
  return true;
}

}  // namespace meniscus::coupling

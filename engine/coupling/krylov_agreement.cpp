#include "engine/coupling/krylov_agreement.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "engine/coupling/both_sides.h"

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
constexpr int kMostAnswers = 600;           // of the solids in all, after which it ends as near as it came
constexpr int kRounds = 12;                 // answers of the fluid
constexpr int kPieces = 8;                  // of its answer that are learnt

class KrylovAgreement {
 public:
  KrylovAgreement(BoxCalls& calls, double length)
      : calls_(calls), before_(calls.report().solidSolves), length_(length), probe_(kProbe * length) {}

  // About the pass that had the two sides nearest and the solids' free flight. False where a box has no answer; so below.
  bool begin();

  // y so that the solids agree with the fluid's affine answer to a part of the tolerance, or as near as it comes.
  bool solve();

  // Asks both sides there, and puts the affine answer right.
  bool askFluid();

  // Whether the solids were asked so often that it is to end as near as it came.
  bool isSpent() const { return calls_.report().solidSolves > before_ + kMostAnswers; }

  // The solids under the load that they agreed on.
  bool takeModel() {
    Vector x;
    return solid(last_.taken, x);
  }

 private:
  // False where the solids have no answer; that of a box that failed is in the report.
  bool solid(const Vector& load, Vector& x) { return calls_.trySolid(load, x) && x.allFinite(); }
  // For another direction.
  bool hasRoom() const { return Q_.cols() < kMost && calls_.hasSolvesLeft(); }
  void clear();
  bool beginAnew();
  bool correct(const Vector& lastX);
  bool answer(const Vector& load, Vector& change);
  // The linear problem about about_: directions, and a first y.
  bool findDirections();
  bool addDirection(Vector way);
  bool ask(const Vector& y, Vector& h);
  bool stepAlong(const Vector& way, bool& whole, bool& nearer);
  bool differentiate(double part);
  Vector correction(const Vector& h) const {
    if (Q_.cols() == 0) return Vector(0);  // Eigen decomposes no matrix without columns
    return (T_ - Q_).completeOrthogonalDecomposition().solve(-h);
  }

  BoxCalls& calls_;
  int before_;                 // solid solves
  double length_, probe_;      // m: of a cell, and as far as the solids are asked
  Vector base_, load_;         // x_b and f: F(x) = f + A Q^T (x - x_b)
  Vector about_, place_;       // the load that S' is taken at, and the answer to it
  Eigen::MatrixXd Q_, A_, T_;  // of the header
  Vector y_, h_;               // h = S(f + A y) - x_b - Q y
  BothSides last_;             // where the fluid was asked last
  long long piece_ = 0;        // of its answer, in which A is its derivative
  int pieces_ = 0;             // before that one
};

bool KrylovAgreement::begin() {
  clear();
  base_ = calls_.nearest();
  about_ = Vector::Zero(calls_.size());
  if (!solid(about_, place_) || !calls_.fluid(base_, load_)) return false;
  piece_ = calls_.piece();
  last_ = {base_, {}, load_};
  return findDirections();
}

void KrylovAgreement::clear() {
  for (Eigen::MatrixXd* m : {&Q_, &A_, &T_}) m->resize(calls_.size(), 0);
  y_.resize(0);
  piece_ = calls_.piece();
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
  calls_.asks(true);
  const bool answered = calls_.fluidBeside(last_.x + far * way, load);
  calls_.asks(false);
  if (!answered) return false;
  load = (load - last_.given) / far;
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
  if (!answer(load_ - about_, first)) return false;
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
  for (int k = 0; k < kAsks && h_.norm() > enough && !isSpent(); ++k) {
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

// The fluid's answer has kinks of its own, where it comes to the solids or leaves them: beyond one all is asked anew, from there.
// Where that was often enough the difference of the last two answers is put in the place of what was known along their way, as by
// Broyden.
bool KrylovAgreement::askFluid() {
  BothSides newest{base_ + Q_ * y_, load_ + A_ * y_, {}};
  bool cut = false;
  if (!calls_.fluid(newest.x, newest.given) || !goBack(calls_, last_, newest, cut)) return false;
  Vector xs;
  if (!calls_.trySolid(newest.given, xs)) return false;
  const bool beyond = cut || calls_.piece() != piece_;
  if (xs.allFinite()) {
    Pass pass;
    pass.columnsUsed = int(Q_.cols());
    pass.jump = pass.residual = (xs - newest.x).norm();
    calls_.finish(pass, xs);
    if (calls_.report().converged()) return true;
  } else if (!beyond || pieces_ == kPieces) {
    return false;
  }
  const Vector lastX = last_.x;
  last_ = newest;
  if (beyond && pieces_ < kPieces) return beginAnew();
  return correct(lastX);
}

bool KrylovAgreement::beginAnew() {
  ++pieces_;
  clear();
  base_ = last_.x;
  load_ = last_.given;
  about_ = last_.taken;
  probe_ = kProbe * length_;
  return solid(about_, place_) && findDirections();
}

// Along the way from the last answer but one.
bool KrylovAgreement::correct(const Vector& lastX) {
  const Vector off = last_.given - last_.taken;
  Vector step = y_;
  if (lastX.size() > 0) step -= Q_.transpose() * (lastX - base_);
  if (off.norm() > kAffine * last_.given.norm() && step.squaredNorm() > 0) {
    Vector change;
    if (!answer(off, change)) return false;
    A_ += off * step.transpose() / step.squaredNorm();
    T_ += change * step.transpose() / step.squaredNorm();
  }
  load_ = last_.given - A_ * y_;
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
  bool answered = agreement.begin();
  for (int round = 0; answered && round < kRounds && (round == 0 || (calls.hasSolvesLeft() && !agreement.isSpent())) &&
                      !calls.report().converged();
       ++round)
    answered = agreement.solve() && agreement.askFluid();
  if (calls.report().stop != Stop::maxIterations) return true;
  // where the solids' answer to the fluid's own load is far off, that to the load that they agreed on is the better end
  if (answered && agreement.takeModel()) return true;
  // as near as the passes came
  if (calls.fluid(calls.nearest(), load) && calls.trySolid(load, x) && !x.allFinite()) calls.failSolid();
  return true;
}

}  // namespace meniscus::coupling

#include "engine/coupling/rigid_agreement.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/coupling/both_sides.h"
#include "engine/coupling/solid_ways.h"

namespace meniscus::coupling {
namespace {

constexpr double kProbe = 1e-2;  // of a cell: the fluid is asked so far along a way, as the largest coordinate
constexpr double kSlope = 1e-5;  // of a cell: differences of the solids' answers are over that
constexpr double kFar = 0.5;     // of a cell: longest step of Newton's method, as the largest coordinate
constexpr double kStart = 1;     // of a cell: it starts so far off at most
constexpr double kPart = 0.01;   // of the tolerance: what is left of Newton's method, which the solids' answer enlarges
constexpr double kFelt = 1e-6;   // of the fluid's largest answer: less than that is none
constexpr double kKeep = 0.5;    // of what was left before: a step that leaves more asks for the slope anew
constexpr int kNewton = 40, kCuts = 8;
constexpr int kAnswers = 40;  // of the solids in all, for each of their ways and some more: then it ends as near as it came
constexpr int kMoreWays = 10;
constexpr int kIdle = 8;    // passes of it that do not halve what is left: the solids' answer has no slope there
constexpr int kPieces = 8;  // of the fluid's answer that are learnt

class RigidAgreement {
 public:
  RigidAgreement(BoxCalls& calls, double length) : calls_(calls), before_(calls.report().solidSolves), length_(length) {}

  // Asks the fluid, whose faces are kept, about each of the solids' ways around xf. False where a box failed, with the reason in
  // the report of the calls; so below.
  bool learn(const Vector& xf, const Vector& pf);

  // The load on which the solids and what was learnt agree about the newest call pf = F(xf), and their answer to it.
  bool solve(const Vector& xf, const Vector& pf, double tolerance, Vector& load, Vector& xs);

  // The newest call after another: a way that was not known yet is learnt from the two, and all of them anew where the fluid came
  // to the solids or left them in between.
  bool add(const BothSides& last, const BothSides& newest);

  bool empty() const { return Q_.cols() == 0; }

  bool isSpent() const { return calls_.report().solidSolves > before_ + kAnswers * int(Q_.cols() + kMoreWays); }

  // How many times an error of a part's ways comes back to it by the fluid and the solids: the largest of the norms of its block of
  // d(Q^T S F^)/dy at the newest call. Infinite where a box failed.
  double gain(const Vector& xf, const Vector& pf);

 private:
  // y and what the solids answer there: h = Q^T (x - x^f) - y.
  struct Point {
    Vector y, h, load, x;
  };
  bool ask(const Vector& xf, const Vector& pf, Point& at);
  bool slopeAt(const Vector& xf, const Vector& pf, const Point& at, Eigen::MatrixXd& slope);
  bool goAlong(const Vector& xf, const Vector& pf, const Vector& way, Point& at, Vector& gone);
  Vector massless(const Vector& pf) const;

  BoxCalls& calls_;
  int before_;     // solid solves
  double length_;  // m, of a cell
  Eigen::MatrixXd Q_, A_;
  long long piece_ = 0;  // of the fluid's answer that A is of
  int learnt_ = 0;
  Eigen::MatrixXd heavy_;  // -(Q^T A + its transpose) / 2: the fluid that the ways bring along
};

bool RigidAgreement::learn(const Vector& xf, const Vector& pf) {
  Q_ = solidWays(calls_, pf, length_);
  A_.resize(pf.size(), Q_.cols());
  calls_.asks(true);
  for (Eigen::Index j = 0; j < Q_.cols(); ++j) {
    const double far = kProbe * length_ / Q_.col(j).lpNorm<Eigen::Infinity>();
    Vector load;
    if (!calls_.fluidBeside(xf + far * Q_.col(j), load)) return false;
    A_.col(j) = (load - pf) / far;
  }
  calls_.asks(false);
  piece_ = calls_.piece();
  ++learnt_;
  heavy_ = -(Q_.transpose() * A_ + A_.transpose() * Q_) / 2;
  return true;
}

bool RigidAgreement::add(const BothSides& last, const BothSides& newest) {
  if (calls_.piece() != piece_ && learnt_ < kPieces) return learn(newest.x, newest.given);
  const Vector moved = newest.x - last.x, known = Q_.transpose() * moved;
  const Vector foreseen = last.given + A_ * known;
  if (!addWay(Q_, moved)) return true;
  A_.conservativeResize(Eigen::NoChange, Q_.cols());
  A_.rightCols(1) = (newest.given - foreseen) / Q_.rightCols(1).col(0).dot(moved);
  heavy_ = -(Q_.transpose() * A_ + A_.transpose() * Q_) / 2;
  return true;
}

bool RigidAgreement::ask(const Vector& xf, const Vector& pf, Point& at) {
  at.load = pf + A_ * at.y;
  if (!calls_.solid(at.load, at.x)) return false;
  at.h = Q_.transpose() * (at.x - xf) - at.y;
  return true;
}

// dh/dy
bool RigidAgreement::slopeAt(const Vector& xf, const Vector& pf, const Point& at, Eigen::MatrixXd& slope) {
  const Eigen::Index k = Q_.cols();
  const double delta = kSlope * length_;
  slope.resize(k, k);
  for (Eigen::Index j = 0; j < k; ++j) {
    Point beside;
    beside.y = at.y;
    beside.y[j] += delta;
    if (!ask(xf, pf, beside)) return false;
    slope.col(j) = (beside.h - at.h) / delta;
  }
  return true;
}

// Where the load of the fluid vanishes, but in ways that it feels so little that it would be far off.
Vector RigidAgreement::massless(const Vector& pf) const {
  const double most = heavy_.diagonal().cwiseAbs().maxCoeff();
  for (double felt = kFelt;; felt *= 10) {
    Eigen::MatrixXd a = heavy_;
    a.diagonal().array() += felt * most;
    const Vector y = a.ldlt().solve(Q_.transpose() * pf);
    if ((Q_ * y).lpNorm<Eigen::Infinity>() < kStart * length_) return y;
    if (!(felt < 1)) return Vector::Zero(y.size());
  }
}

// The two agree where E(y) = y^T B y / 2 + s(p^f - B y) is least, with B = heavy_ and s the function whose derivative is the
// solids' answer to a load: convex, as no solid answers against its load. It is not known, but its derivative -B h is: a way is
// gone as far as E falls.
bool RigidAgreement::goAlong(const Vector& xf, const Vector& pf, const Vector& way, Point& at, Vector& gone) {
  constexpr double kEnough = 0.9, kLeast = 0.1, kMost = 0.7;
  constexpr double kJump = 10;  // of what was left: more is another answer of the solids, and no slope goes there
  const Vector weighed = heavy_ * way;
  const double rise = -at.h.dot(weighed);
  Point trial;
  double part = 1;
  for (int cut = 0;; ++cut) {
    trial.y = at.y + part * way;
    if (!ask(xf, pf, trial)) return false;
    const double there = -trial.h.dot(weighed);
    const double left = trial.h.norm() / at.h.norm();
    if (left < kEnough || (there <= 0 && left < kJump) || cut == kCuts) break;
    part *= rise < 0 && there > 0 ? std::clamp(rise / (rise - there), kLeast, kMost) : 0.5;
  }
  gone = part * way;
  at = trial;
  return true;
}

// Newton's method; between two slopes that are asked for, Broyden's update.
bool RigidAgreement::solve(const Vector& xf, const Vector& pf, double tolerance, Vector& load, Vector& xs) {
  Point at;
  at.y = massless(pf);
  if (!ask(xf, pf, at)) return false;
  Eigen::MatrixXd slope;
  Point best = at;
  double least = at.h.norm();
  for (int pass = 0, idle = 0; pass < kNewton && idle < kIdle && !isSpent() && at.h.norm() > tolerance; ++pass) {
    if (slope.size() == 0 && !slopeAt(xf, pf, at, slope)) return false;
    Vector way = slope.completeOrthogonalDecomposition().solve(-at.h), gone;
    const double far = (Q_ * way).lpNorm<Eigen::Infinity>(), left = at.h.norm();
    if (far > kFar * length_) way *= kFar * length_ / far;
    const Vector h = at.h;
    if (!goAlong(xf, pf, way, at, gone)) return false;
    if (at.h.norm() < best.h.norm()) best = at;
    idle = at.h.norm() < kKeep * least ? 0 : idle + 1;
    if (idle == 0) least = at.h.norm();
    if (at.h.norm() > kKeep * left) {
      slope.resize(0, 0);
    } else {
      slope += (at.h - h - slope * gone) * gone.transpose() / gone.squaredNorm();
    }
  }
  load = best.load;
  xs = best.x;
  return true;
}

double RigidAgreement::gain(const Vector& xf, const Vector& pf) {
  Point at;
  at.y = Vector::Zero(Q_.cols());
  Eigen::MatrixXd slope;
  if (!ask(xf, pf, at) || !slopeAt(xf, pf, at, slope)) return std::numeric_limits<double>::infinity();
  slope.diagonal().array() += 1;
  double most = 0;
  for (const SolidPart& part : calls_.parts()) {
    std::vector<Eigen::Index> own;
    for (Eigen::Index j = 0; j < Q_.cols(); ++j)
      if (!Q_.col(j).segment(part.begin, part.end - part.begin).isZero(0)) own.push_back(j);
    most = std::max(most, slope(own, own).norm());
  }
  return most;
}

}  // namespace

bool endByAgreement(BoxCalls& calls, double length) {
  if (!calls.isLost() || calls.parts().empty()) return false;
  BothSides at, next;
  at.x = calls.first();
  if (!calls.fluid(at.x, at.given)) return true;
  if (!calls.hold()) return false;
  RigidAgreement agreement(calls, length);
  if (!agreement.learn(at.x, at.given)) return true;
  if (agreement.empty()) return false;
  if (!calls.wasReleased() && agreement.gain(at.x, at.given) < BoxCalls::kHard) {
    calls.release();
    return false;
  }
  BothSides best;
  double least = std::numeric_limits<double>::infinity();
  for (;;) {
    Pass pass;
    Vector own;
    bool cut = false;
    if (!agreement.solve(at.x, at.given, kPart * calls.tolerance(at.x), next.taken, next.x)) return true;
    pass.step = (next.x - at.x).lpNorm<Eigen::Infinity>();
    if (!calls.fluid(next.x, next.given) || !goBack(calls, at, next, cut) || !calls.solid(next.given, own)) return true;
    pass.jump = pass.residual = (own - next.x).norm();
    const bool ends = calls.finish(pass, own);
    if (pass.jump < least) {
      least = pass.jump;
      best = next;
    }
    if (ends || agreement.isSpent()) break;
    if (!agreement.add(at, next)) return true;
    at = next;
  }
  // where the solids' answer to the fluid's own load is far off, that to the load of the agreement is the better end
  if (!calls.report().converged() && (best.x == next.x || calls.fluid(best.x, best.given))) calls.solid(best.taken, best.x);
  return true;
}

}  // namespace meniscus::coupling

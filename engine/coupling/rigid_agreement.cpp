#include "engine/coupling/rigid_agreement.h"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

namespace meniscus::coupling {
namespace {

constexpr double kSmall = 1e-4;  // of a cell: so far the solids are pushed to see which ways they have
constexpr double kNew = 1e-3;    // of a push's answer: what less than that is along ways that are known
constexpr int kIdle = 2;         // pushes that show no new way, one after another
constexpr double kLift = 0.1;    // of a cell: so far the fluid's load takes the solids at most, as the largest coordinate
constexpr double kProbe = 1e-2;  // of a cell: the fluid is asked so far along a way, as the largest coordinate
constexpr double kSlope = 1e-5;  // of a cell: differences of the solids' answers are over that
constexpr double kFar = 0.5;     // of a cell: longest step of Newton's method, as a 2-norm of y
constexpr double kPart = 0.01;   // of the tolerance: what is left of Newton's method, which the solids' answer enlarges
constexpr int kNewton = 25, kCuts = 8;

// Of the gain. What a face does that closes or opens is little beside less, and passes end by themselves, with the faces that
// belong to their end: a brick of .4 of its water's density in a full box had 8, light boxes near a floor 14 to 140.
constexpr double kHard = 12;

// Without a part that vanishes by a symmetry of the solids.
Vector pattern(Eigen::Index n, int k) {
  Vector q(n);
  for (Eigen::Index i = 0; i < n; ++i) q[i] = std::sin(1.7 * double(i) * (k + 1) + 0.3 + 2.1 * k);
  return q;
}

class RigidAgreement {
 public:
  RigidAgreement(BoxCalls& calls, double length) : calls_(calls), length_(length) {}

  // Asks the fluid, whose faces are kept, about each of the solids' ways around xf. False where a box failed, with the reason in
  // the report of the calls; so below.
  bool learn(const Vector& xf, const Vector& pf);

  // The load on which the solids and what was learnt agree about the newest call pf = F(xf), and their answer to it.
  bool solve(const Vector& xf, const Vector& pf, double tolerance, Vector& load, Vector& xs);

  // The newest call after one at xf: a way that was not known yet is learnt from the two.
  void add(const Vector& xf, const Vector& pf, const Vector& xNew, const Vector& pNew);

  bool empty() const { return Q_.cols() == 0; }

  // How many times an error of the solids' ways comes back by the fluid and the solids: the 2-norm of d(Q^T S F^)/dy at the newest
  // call. Infinite where a box failed.
  double gain(const Vector& xf, const Vector& pf);

 private:
  bool directions(const Vector& pf);
  bool pushAbout(const Vector& load);
  bool addWay(Vector way);
  bool ask(const Vector& xf, const Vector& pf, const Vector& y, Vector& h, Vector& load, Vector& xs);

  BoxCalls& calls_;
  double length_;  // m, of a cell
  Eigen::MatrixXd Q_, A_;
};

// An orthonormal basis of the ways in which the solids answer to small pushes: about where they fly freely, and about where the
// fluid takes them, as what lies on a floor there does not go up by a small one.
bool RigidAgreement::directions(const Vector& pf) {
  const Eigen::Index n = calls_.size();
  Q_.resize(n, 0);
  Vector free, lifted;
  if (!calls_.solid(Vector::Zero(n), free) || !calls_.solid(pf, lifted)) return false;
  const double far = (lifted - free).lpNorm<Eigen::Infinity>(), part = far > kLift * length_ ? kLift * length_ / far : 1;
  if (!pushAbout(Vector::Zero(n))) return false;
  return pushAbout(part * pf);
}

bool RigidAgreement::pushAbout(const Vector& load) {
  Vector at, pushed;
  if (!calls_.solid(load, at)) return false;
  double size = 1;  // N s
  for (int k = 0, idle = 0; idle < kIdle && k < 2 * BoxCalls::kFewFreedoms && Q_.cols() < BoxCalls::kFewFreedoms; ++k) {
    Vector way;
    for (int turn = 0; turn < 2; ++turn) {  // the first answer says how much is little
      if (!calls_.solid(load + size * pattern(calls_.size(), k), pushed)) return false;
      way = pushed - at;
      const double moved = way.lpNorm<Eigen::Infinity>();
      if (!(moved > 0) || (moved < 2 * kSmall * length_ && moved > 0.1 * kSmall * length_)) break;
      size *= kSmall * length_ / moved;
    }
    idle = addWay(way) ? 0 : idle + 1;
  }
  return true;
}

// False where it is along the others.
bool RigidAgreement::addWay(Vector way) {
  const double length = way.norm();
  for (int turn = 0; turn < 2; ++turn) way -= Q_ * (Q_.transpose() * way);
  if (!(way.norm() > kNew * length)) return false;
  Q_.conservativeResize(Eigen::NoChange, Q_.cols() + 1);
  Q_.rightCols(1) = way / way.norm();
  return true;
}

bool RigidAgreement::learn(const Vector& xf, const Vector& pf) {
  if (!directions(pf)) return false;
  A_.resize(pf.size(), Q_.cols());
  for (Eigen::Index j = 0; j < Q_.cols(); ++j) {
    const double far = kProbe * length_ / Q_.col(j).lpNorm<Eigen::Infinity>();
    Vector load;
    if (!calls_.fluid(xf + far * Q_.col(j), load)) return false;
    A_.col(j) = (load - pf) / far;
  }
  return true;
}

void RigidAgreement::add(const Vector& xf, const Vector& pf, const Vector& xNew, const Vector& pNew) {
  const Vector moved = xNew - xf, known = Q_.transpose() * moved;
  const Vector foreseen = pf + A_ * known;
  if (!addWay(moved)) return;
  A_.conservativeResize(Eigen::NoChange, Q_.cols());
  A_.rightCols(1) = (pNew - foreseen) / Q_.rightCols(1).col(0).dot(moved);
}

bool RigidAgreement::ask(const Vector& xf, const Vector& pf, const Vector& y, Vector& h, Vector& load, Vector& xs) {
  load = pf + A_ * y;
  if (!calls_.solid(load, xs)) return false;
  h = Q_.transpose() * (xs - xf) - y;
  return true;
}

bool RigidAgreement::solve(const Vector& xf, const Vector& pf, double tolerance, Vector& load, Vector& xs) {
  const Eigen::Index k = Q_.cols();
  const double delta = kSlope * length_;
  Vector y = (Q_.transpose() * A_).completeOrthogonalDecomposition().solve(-(Q_.transpose() * pf));
  Vector h, tried, trialLoad, trialX;
  if (!ask(xf, pf, y, h, load, xs)) return false;
  for (int pass = 0; pass < kNewton && h.norm() > tolerance; ++pass) {
    Eigen::MatrixXd slope(k, k);
    for (Eigen::Index j = 0; j < k; ++j) {
      Vector beside = y;
      beside[j] += delta;
      if (!ask(xf, pf, beside, tried, trialLoad, trialX)) return false;
      slope.col(j) = (tried - h) / delta;
    }
    Vector way = slope.completeOrthogonalDecomposition().solve(-h);
    if (way.norm() > kFar * length_) way *= kFar * length_ / way.norm();
    double part = 1;
    Vector trial;
    for (int cut = 0;; ++cut, part /= 2) {
      trial = y + part * way;
      if (!ask(xf, pf, trial, tried, trialLoad, trialX)) return false;
      if (tried.norm() < (1 - 0.1 * part) * h.norm() || cut == kCuts) break;
    }
    y = trial;
    h = tried;
    load = trialLoad;
    xs = trialX;
  }
  return true;
}

double RigidAgreement::gain(const Vector& xf, const Vector& pf) {
  const Eigen::Index k = Q_.cols();
  const double delta = kSlope * length_;
  Vector h, beside, load, xs;
  if (!ask(xf, pf, Vector::Zero(k), h, load, xs)) return std::numeric_limits<double>::infinity();
  Eigen::MatrixXd slope(k, k);
  for (Eigen::Index j = 0; j < k; ++j) {
    if (!ask(xf, pf, delta * Vector::Unit(k, j), beside, load, xs)) return std::numeric_limits<double>::infinity();
    slope.col(j) = (beside - h) / delta + Vector::Unit(k, j);
  }
  return slope.norm();
}

}  // namespace

bool endByAgreement(BoxCalls& calls, double length) {
  if (!calls.fewFreedoms() || !calls.isLost()) return false;
  Vector xf = calls.nearest(), pf, load, xs, own, next;
  if (!calls.fluid(xf, pf)) return true;
  if (!calls.hold()) return false;
  RigidAgreement agreement(calls, length);
  if (!agreement.learn(xf, pf)) return true;
  if (agreement.empty()) return false;
  if (!calls.wasReleased() && agreement.gain(xf, pf) < kHard) {
    calls.release();
    return false;
  }
  for (;;) {
    Pass pass;
    if (!agreement.solve(xf, pf, kPart * calls.tolerance(xf), load, xs)) return true;
    pass.step = (xs - xf).lpNorm<Eigen::Infinity>();
    if (!calls.fluid(xs, next) || !calls.solid(next, own)) return true;
    pass.jump = pass.residual = (own - xs).norm();
    if (calls.finish(pass, own)) break;
    agreement.add(xf, pf, xs, next);
    xf = xs;
    pf = next;
  }
  // where the solids' answer to the fluid's own load is far off, that to the load of the agreement is the better end
  if (!calls.report().converged()) calls.solid(load, xs);
  return true;
}

}  // namespace meniscus::coupling

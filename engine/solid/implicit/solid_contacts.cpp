#include "engine/solid/implicit/solid_contacts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "engine/base/stop.h"

namespace meniscus::implicit {
namespace {

constexpr double kUnfelt = 1e-3;       // of the tolerance that a node may be too near by without a contact
constexpr Eigen::Index kColumns = 64;  // of the response at a time
constexpr double kGrown = 1e-4;        // of the largest impulse that grew beyond bounds: the others that did
constexpr double kAlong = 1e-8;        // square of the cosine between what two contacts move above which one moves the other
constexpr double kStiff = 1e6;         // over the mass that a contact feels: of the springs that hold contacts

// Unit vectors, the first one along n; in the plane two.
Eigen::Matrix3d frameOf(const Eigen::Vector3d& n, int dimension) {
  Eigen::Matrix3d f;
  f.col(0) = n;
  if (dimension == 2) {
    f.col(1) = Eigen::Vector3d(-n[1], n[0], 0);
    f.col(2).setZero();
    return f;
  }
  int least = 0;
  n.cwiseAbs().minCoeff(&least);
  f.col(1) = n.cross(Eigen::Vector3d::Unit(least)).normalized();
  f.col(2) = n.cross(Eigen::Vector3d(f.col(1)));
  return f;
}

SparseMatrix directionsOf(const std::vector<ContactPoint>& points, int dimension, Eigen::Index size) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t c = 0; c < points.size(); ++c) {
    const ContactPoint& p = points[c];
    const Eigen::Matrix3d frame = frameOf(p.normal, dimension);
    for (int k = 0; k < dimension; ++k)
      for (int a = 0; a < dimension; ++a) {
        const int row = int(c) * dimension + k;
        for (int i = 0; i < p.nodes; ++i)
          entries.emplace_back(row, p.node[std::size_t(i)] * dimension + a, p.weight[std::size_t(i)] * frame(a, k));
      }
  }
  SparseMatrix m(Eigen::Index(points.size()) * dimension, size);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

}  // namespace

SolidContacts::SolidContacts(ContactScene scene, const Vector& start, const ContactOptions& options)
    : search_(std::move(scene), start), options_(options), velocity_(Vector::Zero(start.size())) {
  checkPositive("contact: tolerance", options.tolerance);
  checkPositive("contact: accepted error", options.accepted);
  checkPositive("contact: recovery", options.recovery, true);
  if (!(options.recoverySpeed > 0)) refuse("contact: recovery speed", "must be above 0");
  checkPositive("contact: resting speed", options.restingSpeed, true);
  impulse_ = Vector::Zero(start.size());
}

void SolidContacts::begin(const Vector& start, const Vector& velocity) {
  search_.begin(start);
  velocity_ = velocity;
}

// Adds what is near at `end`. True where some of that is nearer than it may be.
bool SolidContacts::look(const Vector& end) {
  bool violated = false;
  std::vector<ContactPoint> found = search_.find(end);
  std::set<std::array<int, 6>> known;
  for (const ContactPoint& p : points_) known.insert(p.key());
  std::vector<ContactPoint> added;
  for (const ContactPoint& p : found) {
    if (!known.insert(p.key()).second) continue;
    added.push_back(p);
    const double least = std::min(0.0, p.gap);  // what does not come nearer waits for its recovery
    violated |= p.gapAt(search_.scene().dimension, search_.start(), end) < least - kUnfelt * options_.tolerance;
  }
  // contacts that were never near enough to act need no rows
  if (!violated) return false;
  points_.insert(points_.end(), added.begin(), added.end());
  bounces_.resize(points_.size(), 0);
  keeps_.resize(points_.size(), 0);
  const int d = search_.scene().dimension;
  const Eigen::Index before = lambda_.size();
  lambda_.conservativeResize(Eigen::Index(points_.size()) * d);
  lambda_.tail(lambda_.size() - before).setZero();
  directions_ = directionsOf(points_, d, search_.start().size());
  return true;
}

// The least way along the normal: what closes the gap, opens a part of one that is below zero, or is that of a bounce.
// approach: the velocity along it at the beginning of the step [m/s].
double SolidContacts::targetOf(std::size_t c, double approach, double dt) const {
  const ContactPoint& p = points_[c];
  double least = std::min({-p.gap, options_.recovery, options_.recoverySpeed * dt});
  if (keeps_[c] == 1) least = std::min(least, -p.gap - search_.scene().thickness);  // to the surface itself, forth and back
  if (keeps_[c] == 2) least = std::min(least, 0.0);
  return bounces_[c] ? std::max(least, -p.restitution * approach * dt) : least;
}

// The solids as linear about their answer `end` to the impulses now.
void SolidContacts::assemble(SteppedSolids& solids, const Vector& end, double dt) {
  const SparseFactor factor(solids.endSystem());
  if (nodes_.size() == 0) nodes_ = solids.nodes();
  atSolids_ = (directions_ * nodes_).transpose();
  linear_.dimension = search_.scene().dimension;
  linear_.response.resize(atSolids_.cols(), atSolids_.cols());
  for (Eigen::Index first = 0; first < atSolids_.cols(); first += kColumns) {
    stopIfAsked();
    const Eigen::Index count = std::min(kColumns, atSolids_.cols() - first);
    const Eigen::MatrixXd answers = factor.solve(Eigen::MatrixXd(atSolids_.middleCols(first, count)));
    linear_.response.middleCols(first, count) = dt * (atSolids_.transpose() * answers);
  }
  linear_.findAnswers();
  linear_.free = directions_ * (end - search_.start()) - linear_.response * lambda_;
  const Eigen::Index n = Eigen::Index(points_.size());
  linear_.target.resize(n);
  linear_.friction.resize(n);
  for (Eigen::Index c = 0; c < n; ++c) linear_.friction[c] = points_[std::size_t(c)].friction;
}

// Contacts on opposite sides of what has no room for the thickness on both ask for no more than that surfaces do not pass one
// another, and where they have done so already, for no more than that it stays: those whose impulses grew beyond bounds, and what
// moves along with them, as the others beside them ask for the same. False where none of them was to open.
bool SolidContacts::keepGaps(const Vector& grown) {
  const Eigen::Index d = linear_.dimension, contacts = linear_.contacts();
  const auto own = [&](Eigen::Index c) { return linear_.response(c * d, c * d); };
  double most = 0;
  for (Eigen::Index c = 0; c < contacts; ++c) most = std::max(most, grown[c * d] * own(c));
  bool any = false;
  const std::vector<char> kept = keeps_;
  for (Eigen::Index c = 0; c < contacts; ++c) {
    if (!(grown[c * d] * own(c) > kGrown * most)) continue;
    for (Eigen::Index o = 0; o < contacts; ++o) {
      const double both = linear_.response(c * d, o * d);
      if (kept[std::size_t(o)] > 1 || !(points_[std::size_t(o)].gap < 0) || !(both * both > kAlong * own(c) * own(o))) continue;
      keeps_[std::size_t(o)] = char(kept[std::size_t(o)] + 1);
      any = true;
    }
  }
  return any;
}

// A contact that presses and was met fast bounces from now on.
void SolidContacts::solveLinear(double dt) {
  const int d = linear_.dimension;
  const Vector approach = directions_ * velocity_;
  const auto pressed = [this, d] {
    for (const ContactPoint& p : points_)
      for (int k = 0; k < p.nodes; ++k) {
        const int node = p.node[std::size_t(k)];
        if (search_.mesh().given(node) && velocity_.segment(Eigen::Index(node) * d, d).norm() > 0) return true;
      }
    return false;
  };
  for (bool again = true; again;) {
    again = false;
    for (std::size_t c = 0; c < points_.size(); ++c)
      linear_.target[Eigen::Index(c)] = targetOf(c, approach[Eigen::Index(c) * d], dt);
    Vector next = lambda_;
    const SweepReport sweeps =
        solveFrictionalContact(linear_, options_.sweepFraction * options_.tolerance, options_.maxSweeps, next);
    report_.sweeps += sweeps.sweeps;
    if (sweeps.wedged) {  // the impulses are those from before
      again = keepGaps(next);
      if (again) continue;
      if (pressed()) {  // no impulses part them: not in another iteration either
        report_.error = std::numeric_limits<double>::infinity();
        break;
      }
    } else {
      lambda_ = std::move(next);
    }
    for (std::size_t c = 0; c < points_.size(); ++c) {
      const Eigen::Index n = Eigen::Index(c) * d;
      if (bounces_[c] || !(points_[c].restitution > 0) || !(lambda_[n] > 0) || !(-approach[n] > options_.restingSpeed)) continue;
      bounces_[c] = 1;
      again = true;
    }
  }
  foreseen_ = linear_.free + linear_.response * lambda_;
  impulse_ = directions_.transpose() * lambda_;
}

// Of contacts that press: what they do otherwise than foreseen; of others: how far they are too near.
double SolidContacts::errorAt(const Vector& end) const {
  const int d = linear_.dimension;
  const Vector moved = directions_ * (end - search_.start());
  double error = 0;
  for (Eigen::Index c = 0; c < linear_.contacts(); ++c) {
    const Eigen::Index n = c * d;
    if (!linear_.answers[std::size_t(n)]) continue;
    error = std::max(error, linear_.target[c] - moved[n]);
    if (lambda_[n] > 0) {
      const Eigen::Index rows = linear_.friction[c] > 0 ? d : 1;
      error = std::max(error, (moved.segment(n, rows) - foreseen_.segment(n, rows)).lpNorm<Eigen::Infinity>());
    }
  }
  return error;
}

bool SolidContacts::solve(SteppedSolids& solids, const Vector& load, double dt) {
  report_ = {};
  points_.clear();
  bounces_.clear();
  keeps_.clear();
  lambda_.resize(0);
  impulse_ = Vector::Zero(load.size());
  Vector end;
  nodes_ = atSolids_ = SparseMatrix();
  if (!solids.step(load, end) || !end.allFinite()) return false;
  if (!look(end)) return true;
  for (bool more = true; more && report_.iterations < options_.maxIterations;) {
    ++report_.iterations;
    stopIfAsked();
    assemble(solids, end, dt);
    solveLinear(dt);
    if (!solids.step(load + impulse_, end) || !end.allFinite()) return false;
    if (std::isinf(report_.error)) break;
    report_.error = errorAt(end);
    more = report_.error > options_.tolerance;
    if (look(end)) {
      more = true;
      report_.error = std::max(report_.error, options_.accepted * 2);
    }
  }
  const int d = search_.scene().dimension;
  for (std::size_t c = 0; c < points_.size(); ++c) report_.contacts += lambda_[Eigen::Index(c) * d] > 0;
  report_.converged = report_.error <= options_.accepted;
  return true;
}

SparseMatrix SolidContacts::stiffness() const {
  const int d = search_.scene().dimension;
  Vector spring = Vector::Zero(atSolids_.cols());
  for (Eigen::Index n = 0; n < spring.size(); n += d) {
    if (!(lambda_[n] > 0)) continue;
    const double most = points_[std::size_t(n / d)].friction * lambda_[n];
    const bool sticks = lambda_.segment(n + 1, d - 1).norm() < (1 - 1e-9) * most;
    for (int k = 0; k < (sticks ? d : 1); ++k)
      if (linear_.answers[std::size_t(n + k)]) spring[n + k] = kStiff / linear_.response(n + k, n + k);
  }
  return SparseMatrix(atSolids_ * spring.asDiagonal() * SparseMatrix(atSolids_.transpose()));
}

}  // namespace meniscus::implicit

#include "engine/particle/device/device_constraints.h"

#include <algorithm>
#include <cmath>
#include <cstring>

MNS_NS_BEGIN

namespace {

struct CopyNode {
  const Vec3d* from;
  Vec3d* to;
  MNS_HD void operator()(Index n) const { to[n] = from[n]; }
};
// Nodes and multipliers, in case sweeps turn out to go too far.
struct KeepBegin {
  CopyNode node;
  Index nodes;
  const double* lambda;
  double* to;
  MNS_HD void operator()(Index i) const {
    if (i < nodes) return node(i);
    to[i - nodes] = lambda[i - nodes];
  }
};
struct DepthOfNode {
  const NodeAtObstacle* contact;
  double* to;
  MNS_HD void operator()(Index n) const { to[n] = contact[n].depth; }
};
struct CopyMultiplier {
  const double* from;
  double* to;
  MNS_HD void operator()(Index i) const { to[i] = from[i]; }
};
// How far nodes are from where they were, squared; and the farthest so far.
struct WayOfNode {
  const Vec3d *x, *before;
  MNS_HD void operator()(Index n, double (&acc)[1]) const { acc[0] = MaxOf::fold(acc[0], norm2(x[n] - before[n])); }
};
struct KeepFarthest {
  double* out;
  MNS_HD void operator()(const double (&way2)[1]) const { out[0] = MaxOf::fold(out[0], way2[0]); }
};

struct LaunchColour {
  Device& device;
  const ConstraintProjection<StoredConstraint>& projection;
  Index first, count;
  template <class Tag>
  void operator()(Tag) const {
    launch(device, "constraints", count, ProjectColourOfKind<typename Tag::type>{projection, first});
  }
};

}  // namespace

DeviceConstraints::DeviceConstraints(Device& d)
    : device_(d),
      items_(d, "constraints"),
      rest_(d, "rest data of constraints"),
      lambda_(d, "multipliers of constraints"),
      lambdaSolved_(d, "multipliers of a solve"),
      lambdaBefore_(d, "multipliers before"),
      leftOut_(d, "constraints left out"),
      given_(d, "nodes of a projection"),
      friction_(d, "friction of nodes"),
      clearance_(d, "clearances of nodes"),
      contact_(d, "nodes at obstacles"),
      xBefore_(d, "nodes before"),
      colours_(d) {
  std::memset(static_cast<void*>(&recorded_), 0, sizeof recorded_);  // padding as well: it is compared
}

// Constraints are seldom others than before: what is here already does not cross the bus again.
void DeviceConstraints::take(const DeviceSweep& s) {
  const std::size_t count = std::size_t(s.constraints), rest = std::size_t(s.restCount);
  const StoredConstraint* const items = static_cast<const StoredConstraint*>(s.constraint);
  const bool same = itemsThere_.size() == count && restThere_.size() == rest &&
                    std::memcmp(itemsThere_.data(), items, count * sizeof *items) == 0 &&
                    std::memcmp(restThere_.data(), s.rest, rest * sizeof(double)) == 0 &&
                    std::equal(colourBegin_.begin(), colourBegin_.end(), s.colourBegin, s.colourBegin + s.colours + 1);
  if (same) return;
  itemsThere_.assign(items, items + count);
  restThere_.assign(s.rest, s.rest + rest);
  items_.upload(items, count);
  rest_.upload(s.rest, rest);
  count_ = s.constraints;
  colourBegin_.assign(s.colourBegin, s.colourBegin + s.colours + 1);
  colourKind_.clear();
  for (int c = 0; c < s.colours; ++c)
    colourKind_.push_back(s.colourBegin[c] < s.colourBegin[c + 1] ? items[s.colourBegin[c]].type : std::uint8_t(0));
  colours_.forget();
}

// Room for the depths of nodes behind them, so that both are read at once.
void DeviceConstraints::setMultipliers(const double* lambda, Index constraints, Index nodes) {
  const std::size_t count = std::size_t(constraints);
  lambda_.resize(count + std::size_t(nodes));
  if (count > 0) device_.toDevice(lambda_.data(), lambda, count * sizeof(double), "multipliers of constraints");
  lambdaSolved_.resize(count);
  leftOut_.resize(count);
  lambdaSolved_.fillZero();
  leftOut_.fillZero();
  solved_ = false;
}

// Seldom other than before.
void DeviceConstraints::takeContacts(const DeviceSweep& s) {
  const auto take = [&](DeviceBuffer<double>& to, std::vector<double>& there, const double* from) {
    const std::size_t n = std::size_t(nodes_);
    if (!from || (there.size() == n && std::memcmp(there.data(), from, n * sizeof(double)) == 0)) return;
    there.assign(from, from + n);
    to.upload(from, n);
  };
  walls_ = *static_cast<const ObstacleWalls*>(s.walls);
  margin_ = s.margin;
  obstacles_ = s.obstacles;
  hasClearance_ = s.clearance != nullptr;
  take(friction_, frictionThere_, s.friction);
  take(clearance_, clearanceThere_, s.clearance);
  contact_.resize(std::size_t(nodes_));
  launch(device_, "nodes at no obstacle", nodes_, NoNodeContact{contact_.data()});
}

void DeviceConstraints::begin(const DeviceSweep& s, Index nodes, const SweepNodes& there) {
  nodes_ = nodes;
  invDt_ = 1 / s.dt;
  solvable_ = s.solvable;
  dt_ = s.dt;
  const std::size_t n = std::size_t(nodes), count = std::size_t(s.constraints);
  if (s.fresh) take(s);
  if (s.lambda) {
    lambda_.upload(s.lambda, count);
    leftOut_.upload(s.leftOut, count);
  } else if (s.again || solved_) {
    const double* const from = s.again ? lambdaBefore_.data() : lambdaSolved_.data();
    launch(device_, "multipliers to begin with", count_, CopyMultiplier{from, lambda_.data()});
  }
  solved_ = false;
  const double none[outcomes] = {};
  contacts_ = s.contacts != 0;
  if (contacts_) takeContacts(s);
  given_.clear();
  const std::size_t own = s.w ? n : 0;
  const std::size_t startAt = given_.add(reinterpret_cast<const Vec3d*>(s.xPrev), own), wAt = given_.add(s.w, own),
                    alongAt = given_.add(s.wNormal, own), directionAt = given_.add(reinterpret_cast<const Vec3d*>(s.normal), own);
  obstacleAt_ = given_.add(static_cast<const NodeObstacle*>(s.obstacle), std::size_t(contacts_ ? obstacles_ : 0));
  xAt_ = given_.add(reinterpret_cast<const Vec3d*>(s.x), n);
  outcomeAt_ = given_.add(none, outcomes);
  given_.send();
  of_ = there;
  if (s.w) of_ = {given_.at<Vec3d>(startAt), given_.at<double>(wAt), given_.at<double>(alongAt), given_.at<Vec3d>(directionAt)};
  begun_ = true;
  outcomeHere_ = false;
}

ConstraintProjection<StoredConstraint> DeviceConstraints::projection() const {
  ConstraintProjection<StoredConstraint> p;
  std::memset(static_cast<void*>(&p), 0, sizeof p);
  p.items = items_.data();
  p.lambda = lambda_.data();
  p.rest = rest_.data();
  p.x = given_.at<Vec3d>(xAt_);
  p.xPrev = of_.start;
  p.w = of_.w;
  p.invMassNormal = of_.along;
  p.normal = of_.direction;
  p.invDt = invDt_;
  p.solvable = solvable_;
  p.leftOut = leftOut_.data();
  return p;
}

void DeviceConstraints::launchColours(const ConstraintProjection<StoredConstraint>& p) {
  for (std::size_t c = 0; c + 1 < colourBegin_.size(); ++c)
    dispatchConstraint(colourKind_[c], LaunchColour{device_, p, colourBegin_[c], colourBegin_[c + 1] - colourBegin_[c]});
  const Index first = colourBegin_.back();
  launch(device_, "constraints in turn", first < count_ ? 1 : 0, ProjectInTurn{p, first, count_});
}

ProjectNodes DeviceConstraints::nodeContacts() const {
  return {{{walls_, given_.at<NodeObstacle>(obstacleAt_), obstacles_},
           given_.at<Vec3d>(xAt_),
           of_.start,
           of_.w,
           contact_.data(),
           hasClearance_ ? clearance_.data() : nullptr,
           margin_,
           dt_},
          friction_.data()};
}

double DeviceConstraints::sweep(int times, double* x) {
  const std::size_t n = std::size_t(nodes_);
  Vec3d* const at = given_.at<Vec3d>(xAt_);
  double* const outcome = given_.at<double>(outcomeAt_);
  if (!begun_) device_.toDevice(at, x, n * sizeof(Vec3d), "nodes");
  begun_ = false;
  Recorded now;
  std::memset(static_cast<void*>(&now), 0, sizeof now);
  now.projection = projection();
  if (contacts_) now.nodes = nodeContacts();
  now.times = times;
  now.contacts = contacts_;
  if (std::memcmp(&now, &recorded_, sizeof now) != 0) {
    colours_.forget();
    std::memcpy(static_cast<void*>(&recorded_), &now, sizeof now);
  }
  const bool watched = times > 1 && !contacts_;
  if (watched) {
    xBefore_.resize(n);
    lambdaBefore_.resize(std::size_t(count_));
    launch(device_, "nodes before sweeps", nodes_ + count_,
           KeepBegin{{at, xBefore_.data()}, nodes_, lambda_.data(), lambdaBefore_.data()});
    launchFold<1, MaxOf>(device_, "farthest node", nodes_, WayOfNode{at, xBefore_.data()}, KeepFarthest{outcome + farthest2});
  }
  colours_.run("colours of constraints", [&] {
    for (int k = 0; k < times; ++k) {
      launchColours(now.projection);
      if (contacts_) launch(device_, "nodes at obstacles", nodes_, now.nodes);
      if (watched)
        launchFold<1, MaxOf>(device_, "farthest node", nodes_, WayOfNode{at, xBefore_.data()}, KeepFarthest{outcome + farthest2});
    }
  });
  if (times < 2 && !contacts_) {
    device_.toHost(x, at, n * sizeof(Vec3d), "nodes");
    return 0;
  }
  // the last sweeps of a projection: all that comes of it in one copy
  if (contacts_)
    launchFold<1, MaxOf>(device_, "deepest node", nodes_, DeepestNode{contact_.data()}, KeepFarthest{outcome + deepest});
  read_.resize(outcomeAt_ + outcomes * sizeof(double) - xAt_);
  device_.toHost(read_.data(), at, read_.size(), "nodes of a projection");
  std::memcpy(x, read_.data(), n * sizeof(Vec3d));
  outcomeHere_ = true;
  return std::sqrt(outcomeOf(farthest2));
}

double DeviceConstraints::outcomeOf(int which) const {
  double value;
  std::memcpy(&value, read_.data() + (outcomeAt_ - xAt_) + std::size_t(which) * sizeof value, sizeof value);
  return value;
}

void DeviceConstraints::end(double* lambda, NodeAtObstacle* contacts) {
  if (lambda && count_ > 0)
    device_.toHost(lambda, lambda_.data(), std::size_t(count_) * sizeof(double), "multipliers of constraints");
  if (contacts && contacts_ && outcomeHere_ && outcomeOf(deepest) > 0) contact_.download(contacts);
}

void DeviceConstraints::readOutcome(double* lambda, double* depth) {
  const bool touching = depth && outcomeHere_ && outcomeOf(deepest) > 0;
  const std::size_t count = std::size_t(count_), n = touching ? std::size_t(nodes_) : 0;
  launch(device_, "depths of nodes", touching ? nodes_ : 0, DepthOfNode{contact_.data(), lambda_.data() + count});
  outcomeRead_.resize(count + n);
  if (count + n > 0) device_.toHost(outcomeRead_.data(), lambda_.data(), (count + n) * sizeof(double), "multipliers and depths");
  std::copy_n(outcomeRead_.begin(), count, lambda);
  if (!depth) return;
  std::fill_n(depth, nodes_, 0.0);
  std::copy_n(outcomeRead_.begin() + std::ptrdiff_t(count), n, depth);
}

MNS_NS_END

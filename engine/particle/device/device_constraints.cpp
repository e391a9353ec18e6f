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
      given_(d, "constraints of a projection"),
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

void DeviceConstraints::begin(const DeviceSweep& s, Index nodes) {
  nodes_ = nodes;
  invDt_ = 1 / s.dt;
  solvable_ = s.solvable;
  const std::size_t n = std::size_t(nodes), count = std::size_t(s.constraints);
  if (s.fresh) take(s);
  const double none[outcomes] = {};
  contacts_ = s.contacts != 0;
  obstacles_ = contacts_ ? s.obstacles : 0;
  margin_ = s.margin;
  dt_ = s.dt;
  if (contacts_) walls_ = *static_cast<const ObstacleWalls*>(s.walls);
  given_.clear();
  wAt_ = given_.add(s.w, n);
  wNormalAt_ = given_.add(s.wNormal, n);
  xPrevAt_ = given_.add(reinterpret_cast<const Vec3d*>(s.xPrev), n);
  normalAt_ = given_.add(reinterpret_cast<const Vec3d*>(s.normal), n);
  leftOutAt_ = given_.add(s.leftOut, count);
  frictionAt_ = given_.add(s.friction, contacts_ ? n : 0);
  hasClearance_ = contacts_ && s.clearance;
  clearanceAt_ = given_.add(s.clearance, hasClearance_ ? n : 0);
  obstacleAt_ = given_.add(static_cast<const NodeObstacle*>(s.obstacle), std::size_t(obstacles_));
  xAt_ = given_.add(reinterpret_cast<const Vec3d*>(s.x), n);
  lambdaAt_ = given_.add(s.lambda, count);
  outcomeAt_ = given_.add(none, outcomes);
  given_.send();
  begun_ = true;
  lambdaHere_ = false;
  if (!contacts_) return;
  contact_.resize(n);
  launch(device_, "nodes at no obstacle", nodes_, NoNodeContact{contact_.data()});
}

ConstraintProjection<StoredConstraint> DeviceConstraints::projection() const {
  ConstraintProjection<StoredConstraint> p;
  std::memset(static_cast<void*>(&p), 0, sizeof p);
  p.items = items_.data();
  p.lambda = given_.at<double>(lambdaAt_);
  p.rest = rest_.data();
  p.x = given_.at<Vec3d>(xAt_);
  p.xPrev = given_.at<Vec3d>(xPrevAt_);
  p.w = given_.at<double>(wAt_);
  p.invMassNormal = given_.at<double>(wNormalAt_);
  p.normal = given_.at<Vec3d>(normalAt_);
  p.invDt = invDt_;
  p.solvable = solvable_;
  p.leftOut = given_.at<std::uint8_t>(leftOutAt_);
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
           given_.at<Vec3d>(xPrevAt_),
           given_.at<double>(wAt_),
           contact_.data(),
           hasClearance_ ? given_.at<double>(clearanceAt_) : nullptr,
           margin_,
           dt_},
          given_.at<double>(frictionAt_)};
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
    launch(device_, "nodes before sweeps", nodes_, CopyNode{at, xBefore_.data()});
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
  device_.toHost(read_.data(), at, read_.size(), "nodes and multipliers");
  std::memcpy(x, read_.data(), n * sizeof(Vec3d));
  lambdaHere_ = true;
  return std::sqrt(outcomeOf(farthest2));
}

double DeviceConstraints::outcomeOf(int which) const {
  double value;
  std::memcpy(&value, read_.data() + (outcomeAt_ - xAt_) + std::size_t(which) * sizeof value, sizeof value);
  return value;
}

void DeviceConstraints::end(double* lambda, NodeAtObstacle* contacts) {
  const std::size_t bytes = std::size_t(count_) * sizeof(double);
  if (lambdaHere_)
    std::memcpy(lambda, read_.data() + (lambdaAt_ - xAt_), bytes);
  else if (count_ > 0)
    device_.toHost(lambda, given_.at<double>(lambdaAt_), bytes, "multipliers of constraints");
  if (contacts_ && lambdaHere_ && outcomeOf(deepest) > 0) contact_.download(contacts);
}

MNS_NS_END

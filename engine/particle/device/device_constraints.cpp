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
      x_(d, "nodes"),
      xBefore_(d, "nodes before"),
      farthest2_(d, "farthest node"),
      given_(d, "constraints of a projection"),
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
  given_.clear();
  wAt_ = given_.add(s.w, n);
  wNormalAt_ = given_.add(s.wNormal, n);
  xPrevAt_ = given_.add(reinterpret_cast<const Vec3d*>(s.xPrev), n);
  normalAt_ = given_.add(reinterpret_cast<const Vec3d*>(s.normal), n);
  lambdaAt_ = given_.add(s.lambda, count);
  leftOutAt_ = given_.add(s.leftOut, count);
  given_.send();
}

ConstraintProjection<StoredConstraint> DeviceConstraints::projection() const {
  ConstraintProjection<StoredConstraint> p;
  std::memset(static_cast<void*>(&p), 0, sizeof p);
  p.items = items_.data();
  p.lambda = given_.at<double>(lambdaAt_);
  p.rest = rest_.data();
  p.x = x_.data();
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

double DeviceConstraints::sweep(int times, double* x) {
  const std::size_t n = std::size_t(nodes_);
  x_.upload(reinterpret_cast<const Vec3d*>(x), n);
  const ConstraintProjection<StoredConstraint> p = projection();
  if (std::memcmp(&p, &recorded_, sizeof p) != 0 || times != recordedTimes_) {
    colours_.forget();
    std::memcpy(static_cast<void*>(&recorded_), &p, sizeof p);
    recordedTimes_ = times;
  }
  const bool several = times > 1;
  if (several) {
    xBefore_.resize(n);
    farthest2_.resize(1);
    farthest2_.fillZero();
    launch(device_, "nodes before sweeps", nodes_, CopyNode{x_.data(), xBefore_.data()});
    launchFold<1, MaxOf>(device_, "farthest node", nodes_, WayOfNode{x_.data(), xBefore_.data()}, KeepFarthest{farthest2_.data()});
  }
  colours_.run("colours of constraints", [&] {
    for (int k = 0; k < times; ++k) {
      launchColours(p);
      if (several)
        launchFold<1, MaxOf>(device_, "farthest node", nodes_, WayOfNode{x_.data(), xBefore_.data()},
                             KeepFarthest{farthest2_.data()});
    }
  });
  x_.download(reinterpret_cast<Vec3d*>(x));
  double farthest2 = 0;
  if (several) farthest2_.download(&farthest2);
  return std::sqrt(farthest2);
}

void DeviceConstraints::end(double* lambda) const {
  if (count_ > 0)
    device_.toHost(lambda, given_.at<double>(lambdaAt_), std::size_t(count_) * sizeof(double), "multipliers of constraints");
}

MNS_NS_END

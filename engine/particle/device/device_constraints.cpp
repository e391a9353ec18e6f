#include "engine/particle/device/device_constraints.h"

MNS_NS_BEGIN

namespace {

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
      w_(d, "inverse masses of nodes"),
      wNormal_(d, "inverse masses with water"),
      x_(d, "nodes"),
      xPrev_(d, "nodes"),
      normal_(d, "normals of water at nodes"),
      leftOut_(d, "constraints left out") {}

void DeviceConstraints::begin(const DeviceSweep& s, Index nodes) {
  nodes_ = nodes;
  invDt_ = 1 / s.dt;
  solvable_ = s.solvable;
  const std::size_t n = std::size_t(nodes), count = std::size_t(s.constraints);
  if (s.fresh) {
    const StoredConstraint* const items = static_cast<const StoredConstraint*>(s.constraint);
    items_.upload(items, count);
    rest_.upload(s.rest, std::size_t(s.restCount));
    count_ = s.constraints;
    colourBegin_.assign(s.colourBegin, s.colourBegin + s.colours + 1);
    colourKind_.clear();
    for (int c = 0; c < s.colours; ++c)
      colourKind_.push_back(s.colourBegin[c] < s.colourBegin[c + 1] ? items[s.colourBegin[c]].type : std::uint8_t(0));
  }
  lambda_.upload(s.lambda, count);
  w_.upload(s.w, n);
  wNormal_.upload(s.wNormal, n);
  normal_.upload(reinterpret_cast<const Vec3d*>(s.normal), n);
  xPrev_.upload(reinterpret_cast<const Vec3d*>(s.xPrev), n);
  leftOut_.upload(s.leftOut, count);
}

ConstraintProjection<StoredConstraint> DeviceConstraints::projection() const {
  return {items_.data(),   lambda_.data(), rest_.data(), x_.data(), xPrev_.data(), w_.data(),
          wNormal_.data(), normal_.data(), nullptr,      invDt_,    solvable_,     leftOut_.data()};
}

void DeviceConstraints::sweep(double* x) {
  x_.upload(reinterpret_cast<const Vec3d*>(x), std::size_t(nodes_));
  const ConstraintProjection<StoredConstraint> p = projection();
  for (std::size_t c = 0; c + 1 < colourBegin_.size(); ++c)
    dispatchConstraint(colourKind_[c], LaunchColour{device_, p, colourBegin_[c], colourBegin_[c + 1] - colourBegin_[c]});
  const Index first = colourBegin_.back();
  launch(device_, "constraints in turn", first < count_ ? 1 : 0, ProjectInTurn{p, first, count_});
  x_.download(reinterpret_cast<Vec3d*>(x));
}

void DeviceConstraints::end(double* lambda) const { lambda_.download(lambda); }

MNS_NS_END

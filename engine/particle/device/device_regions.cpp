#include "engine/particle/device/device_regions.h"

#include "kernels/fluid/particle_moves.h"
#include "kernels/fluid/step_measures.h"

MNS_NS_BEGIN

namespace {

// Rounds of labels between two looks of the host at whether they still change.
constexpr int kRounds = 6;

}  // namespace

DeviceRegions::DeviceRegions(Device& d)
    : device_(d),
      label_(d, "labels of regions"),
      next_(d, "labels of regions"),
      value_(d, "particles of regions"),
      sorted_(d, "labels of regions"),
      order_(d, "particles of regions"),
      head_(d, "heads of regions"),
      begin_(d, "begins of regions"),
      before_(d, "heads of regions"),
      sums_(d, "sums of regions"),
      more_(d, "density terms of regions"),
      count_(d, "labels that changed") {}

double DeviceRegions::surface(const float* deficiency, Index n) {
  count_.resize(1);
  launchFold<1>(device_, "regions: surface", n, CountSurface{deficiency}, StoreValues<1>{count_.data()});
  double count = 0;
  count_.download(&count);
  return count;
}

void DeviceRegions::label(const PairView& v) {
  count_.resize(1);
  for (auto* b : {&label_, &next_, &value_, &sorted_, &order_}) b->resize(std::size_t(n_));
  launch(device_, "regions: own labels", n_, OwnLabel{label_.data()});
  for (double changed = 1; changed > 0;) {
    for (int k = 0; k < kRounds; ++k) {
      launchFold<1>(device_, "regions: labels", n_, SpreadLabel{v, label_.data(), next_.data()}, StoreValues<1>{count_.data()});
      label_.swap(next_);
    }
    count_.download(&changed);
  }
}

const std::vector<DeviceRegion>& DeviceRegions::find(const PairView& v, const DeviceParticleState& p, const float* densityTerm,
                                                     const float* e, const float* deficiency) {
  static_assert(sizeof(DeviceRegion) == sizeof(RegionSums));
  n_ = p.n;
  label(v);
  int bits = 1;
  while (bits < 31 && (Index(1) << bits) < n_) ++bits;
  launch(device_, "regions: particles", n_, OwnLabel{value_.data()});
  device_.sortByKey("regions: sort", label_.data(), sorted_.data(), value_.data(), order_.data(), n_, bits);
  head_.resize(std::size_t(n_) + 1);
  before_.resize(std::size_t(n_) + 1);
  launch(device_, "regions: heads", n_, RegionHeads{sorted_.data(), head_.data()});
  device_.exclusiveScan("regions: heads", head_.data(), n_, before_.data());
  Offset regions = 0;
  device_.toHost(&regions, before_.data() + n_, sizeof regions, "number of regions");
  begin_.resize(std::size_t(regions) + 1);
  sums_.resize(std::size_t(regions));
  launch(device_, "regions: begins", n_, RegionBegins{head_.data(), before_.data(), n_, begin_.data()});
  const Index blocks = Index(regions);
  launchBlocks<3>(device_, "regions: sums", blocks,
                  CollectRegion{begin_.data(), order_.data(), densityTerm, e, deficiency, kMostError, kThreads},
                  StoreRegion{begin_.data(), sums_.data()});
  launchBlocks<1, MaxOf>(device_, "regions: middles", blocks, CollectDeep{begin_.data(), order_.data(), v.near, kThreads},
                         StoreDeep{begin_.data(), order_.data(), p.x.now.data(), p.kind.now.data(), sums_.data()});
  read_.resize(std::size_t(regions));
  sums_.download(reinterpret_cast<RegionSums*>(read_.data()));
  return read_;
}

void DeviceRegions::add(const std::vector<float>& more, float* densityTerm) {
  bool any = false;
  for (const float m : more) any |= m != 0;
  if (!any) return;
  more_.upload(more.data(), more.size());
  launch(device_, "regions: density term", n_, AddToRegion{order_.data(), head_.data(), before_.data(), more_.data(), densityTerm});
}

MNS_NS_END

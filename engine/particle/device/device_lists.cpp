#include "engine/particle/device/device_lists.h"

#include "kernels/fluid/lattice.h"
#include "kernels/fluid/mirror_list.h"
#include "kernels/fluid/pair_sums.h"

MNS_NS_BEGIN

namespace {

// Sums of scans, side by side, so that the host reads them at once.
struct CollectTotals {
  const Offset* sum[5];
  Offset* out;
  MNS_HD void operator()(Index k) const { out[k] = *sum[k]; }
};

Index rowsOf(Offset n, const char* what) {
  if (n > 0x7fffffff) throw Error(ErrorKind::simulation, std::string("too many ") + what + " for this device");
  return Index(n);
}

}  // namespace

void DeviceParticleState::resize(std::size_t count) {
  x.resize(count);
  u.resize(count);
  p.resize(count);
  id.resize(count);
  kind.resize(count);
  leaked.resize(count);
}

void DeviceParticleState::swap() {
  x.now.swap(x.spare);
  u.now.swap(u.spare);
  p.now.swap(p.spare);
  id.now.swap(id.spare);
  kind.now.swap(kind.spare);
  leaked.now.swap(leaked.spare);
}

DeviceLists::DeviceLists(Device& d, const DeviceFluidDef& def)
    : sumC(d, "kernel sums"),
      c2r2(d, "squares of gradients"),
      c2(d, "squares of coefficients"),
      density(d, "densities"),
      T(d, "row sums"),
      device_(d),
      surfaces_(d, def),
      key_(d, "cell keys"),
      keyOut_(d, "cell keys"),
      order_(d, "order"),
      orderOut_(d, "order"),
      cellBegin_(d, "cells"),
      count_(d, "pair counts"),
      room_(d, "pair counts"),
      nearFlag_(d, "near particles"),
      slotsOf_(d, "feature counts"),
      nearIndex_(d, "near rows"),
      nearParticle_(d, "near particles"),
      slotBegin_(d, "slots"),
      slotParticle_(d, "slots"),
      foldedRoom_(d, "folded rows"),
      links_(d, "link counts"),
      begin_(d, "pair rows"),
      nearBefore_(d, "near rows"),
      slotsBefore_(d, "slots"),
      foldedBefore_(d, "folded rows"),
      folded_(d, "folded rows"),
      slotLinks_(d, "links of slots"),
      linkBegin_(d, "links of rows"),
      totals_(d, "totals"),
      items_(d, "pairs"),
      link_(d, "links"),
      featureCount_(d, "feature counts"),
      linkCount_(d, "link counts"),
      features_(d, "features"),
      xh_(d, "positions about the centre"),
      plane_(d, "planes"),
      slotK_(d, "weights of slots"),
      slotPush_(d, "weights of slots"),
      compressed_(def.kernelDiagonal != 0),
      entriesBefore_(d, "rows of the matrix") {
  const Vec3d extent{def.extent[0], def.extent[1], def.extent[2]};
  const float support = float(def.support);
  const LatticeSums lattice = latticeSums(def.spacing, def.support);
  cells_ = Cells::over(extent, support);
  extent_ = Vec3f(extent);
  centre_ = Vec3f(extent * 0.5);
  walls_.extent = extent_;
  for (int k = 0; k < DomainWalls::kSides; ++k) walls_.number[k] = def.wall[k];
  kernel_ = SmoothingKernel<float>::make(support);
  V_ = float(def.particleVolume);
  cW_ = float(lattice.cW);
  contact_ = float(def.contactDistance);
  neighbours_ = lattice.neighbours;
  keyBits_ = 1;
  while (keyBits_ < 31 && (Index(1) << keyBits_) <= cells_.cells()) ++keyBits_;
  cellBegin_.resize(std::size_t(cells_.cells()) + 2);
  totals_.resize(5);
}

void DeviceLists::reserve(Index n) {
  const std::size_t rows = std::size_t(n), ends = rows + 1;
  for (auto* b : {&key_, &keyOut_, &order_, &orderOut_, &nearIndex_, &nearParticle_}) b->resize(rows);
  for (auto* b : {&count_, &room_, &nearFlag_, &slotsOf_, &slotBegin_, &foldedRoom_}) b->resize(ends);
  for (auto* b : {&begin_, &nearBefore_, &slotsBefore_, &foldedBefore_, &folded_, &linkBegin_}) b->resize(ends);
  if (compressed_) entriesBefore_.resize(ends);
  for (auto* b : {&sumC, &c2r2, &c2, &density}) b->resize(rows);
  T.resize(rows);
  surfaces_.reserve(n);
  xh_.resize(rows);
  featureCount_.resize(rows);
  // rows of a lattice, disordered by a quarter, with the folded ones of a quarter of the particles
  items_.resize(rows * std::size_t(neighbours_ + neighbours_ / 4 + kRowUnit) * 5 / 4);
  resizeSlots(rows);
  link_.resize(rows * std::size_t(neighbours_) / 4);
  device_.partials(rows / std::size_t(kThreads / 8) * 2 + 64);
}

void DeviceLists::resizeSlots(std::size_t slots) {
  slotParticle_.resize(slots);
  features_.resize(slots);
  plane_.resize(slots);
  slotK_.resize(slots);
  slotPush_.resize(slots);
  linkCount_.resize(slots);
  links_.resize(slots + 1);
  slotLinks_.resize(slots + 1);
}

void DeviceLists::sort(DeviceParticleState& f, Index gone, const std::uint8_t* drop) {
  const Index n = f.n;
  reserve(n);
  launch(device_, "sort: cells", n, CellKeys{f.x.now.data(), cells_, extent_, drop, key_.data(), order_.data()});
  device_.sortByKey("sort: order", key_.data(), keyOut_.data(), order_.data(), orderOut_.data(), n, keyBits_);
  launch(device_, "sort: begins", n + 1, CellBegins{keyOut_.data(), n, cells_.cells(), cellBegin_.data()});
  launch(device_, "sort: gather", n - gone, GatherParticles{orderOut_.data(), f.fields(), f.spares()});
  f.swap();
  f.n = n - gone;
}

void DeviceLists::readTotals(Index n) {
  Offset total[5];
  const Offset* const entries = compressed_ ? entriesBefore_.data() : begin_.data();
  launch(device_, "lists: totals", 5,
         CollectTotals{{begin_.data() + n, foldedBefore_.data() + n, nearBefore_.data() + n, slotsBefore_.data() + n, entries + n},
                       totals_.data()});
  totals_.download(total);
  pairs_ = total[0];
  items_.resize(std::size_t(total[0] + total[1]));
  near_ = rowsOf(total[2], "particles at walls");
  slotCount_ = rowsOf(total[3], "features");
  if (compressed_) pairEntries_ = rowsOf(total[4] + n, "pairs of particles") - n;
}

void DeviceLists::findFeatures(const DeviceParticleState& f) {
  if (surfaces_.any()) return surfaces_.find(f.x.now.data(), f.n, nearFlag_.data(), slotsOf_.data());
  launch(device_, "walls: count", f.n, CountWallFeatures{f.x.now.data(), walls_, kernel_.H, nearFlag_.data(), slotsOf_.data()});
}

void DeviceLists::compactFeatures(const DeviceParticleState& f) {
  if (surfaces_.any()) {
    launch(device_, "surfaces: table", f.n,
           CompactSurfaceFeatures{f.n, nearFlag_.data(), slotsOf_.data(), surfaces_.found(), nearBefore_.data(),
                                  slotsBefore_.data(), nearIndex_.data(), nearParticle_.data(), slotBegin_.data(),
                                  slotParticle_.data(), featureCount_.data(), features_.data()});
    return;
  }
  launch(device_, "walls: features", f.n,
         FillWallFeatures{f.x.now.data(), walls_, kernel_.H, 1e-3f * contact_, f.n, nearFlag_.data(), nearBefore_.data(),
                          slotsBefore_.data(), nearIndex_.data(), nearParticle_.data(), slotBegin_.data(), slotParticle_.data(),
                          featureCount_.data(), features_.data()});
}

template <class Apart>
void DeviceLists::countPairs(Index n, const CellSearch& search, const Apart& apart) {
  launch(device_, "pairs: count", n, CountPairs<Apart>{search, apart, count_.data(), room_.data()});
}
template <class Apart>
void DeviceLists::fillPairs(Index n, const CellSearch& search, const Apart& apart) {
  launch(device_, "pairs: fill", n, FillPairs<Apart>{search, apart, begin_.data(), items_.data()});
}

void DeviceLists::findPairs(const DeviceParticleState& f) {
  const Index n = f.n;
  const Vec4f* x = f.x.now.data();
  const CellSearch search{cells_, cellBegin_.data(), x, kernel_.H * kernel_.H};
  findFeatures(f);
  surfaces_.separating() ? countPairs(n, search, surfaces_.sheets(x)) : countPairs(n, search, NothingBetween{});
  device_.exclusiveScan("pairs: rows", room_.data(), n, begin_.data());
  if (compressed_) device_.exclusiveScan("pairs: entries", count_.data(), n, entriesBefore_.data());
  launch(device_, "images: folded room", n, FoldedRoom{nearFlag_.data(), room_.data(), foldedRoom_.data()});
  device_.exclusiveScan("images: folded rows", foldedRoom_.data(), n, foldedBefore_.data());
  device_.exclusiveScan("walls: rows", nearFlag_.data(), n, nearBefore_.data());
  device_.exclusiveScan("walls: slots", slotsOf_.data(), n, slotsBefore_.data());
  readTotals(n);
  resizeSlots(std::size_t(slotCount_));
  surfaces_.separating() ? fillPairs(n, search, surfaces_.sheets(x)) : fillPairs(n, search, NothingBetween{});
  launchRows(device_, "pairs: sums", n,
             PairSums{begin_.data(), count_.data(), items_.data(), x, centre_, kernel_, V_, cW_, rounding(n), xh_.data(), T.data(),
                      sumC.data(), c2r2.data(), c2.data(), density.data()});
  compactFeatures(f);
}

void DeviceLists::findImages(const DeviceParticleState& f) {
  launch(device_, "images: folded begins", f.n,
         FoldedBegin{nearIndex_.data(), begin_.data(), foldedBefore_.data(), f.n, folded_.data()});
  if (near_ == 0) return;
  const MirrorRows rows{nearIndex_.data(),
                        featureCount_.data(),
                        slotBegin_.data(),
                        features_.data(),
                        f.x.now.data(),
                        kernel_,
                        V_,
                        cW_,
                        plane_.data(),
                        slotK_.data(),
                        slotPush_.data(),
                        T.data(),
                        sumC.data(),
                        c2r2.data(),
                        density.data(),
                        rounding(f.n)};
  launch(device_, "images: count", near_,
         CountLinks{rows, nearParticle_.data(), count_.data(), begin_.data(), items_.data(), links_.data()});
  device_.exclusiveScan("images: links", links_.data(), slotCount_, slotLinks_.data());
  Offset all = 0;
  device_.toHost(&all, slotLinks_.data() + slotCount_, sizeof all, "number of links");
  link_.resize(std::size_t(all));
  launch(device_, "images: fill", near_,
         FillLinks{rows, nearParticle_.data(), count_.data(), begin_.data(), folded_.data(), items_.data(), slotLinks_.data(),
                   link_.data(), linkBegin_.data(), linkCount_.data()});
}

void DeviceLists::build(const DeviceParticleState& particles) {
  findPairs(particles);
  findImages(particles);
}

PairView DeviceLists::view() const {
  return {begin_.data(), count_.data(),        items_.data(),     folded_.data(),       nearIndex_.data(), nearParticle_.data(),
          near_,         featureCount_.data(), slotBegin_.data(), slotParticle_.data(), linkBegin_.data(), linkCount_.data(),
          link_.data(),  plane_.data(),        slotK_.data(),     xh_.data(),           T.data()};
}

MNS_NS_END

// Particles on a device sorted by cell, with the lists of a sub-step: direct pairs, features of the domain's walls, images in them.
#pragma once

#include "engine/exec/device.h"
#include "engine/exec/device_fluid.h"
#include "engine/particle/device/device_surfaces.h"
#include "kernels/contact/domain_walls.h"
#include "kernels/fluid/mirror_row.h"
#include "kernels/fluid/pressure_pass.h"
#include "kernels/search/cell_order.h"
#include "kernels/search/pair_list.h"

MNS_NS_BEGIN

// One field of every particle, and room to sort it into.
template <class T>
struct SortedField {
  SortedField(Device& d, const char* name) : now(d, name), spare(d, name) {}
  void resize(std::size_t n) {
    now.resize(n);
    spare.resize(n);
  }
  DeviceBuffer<T> now, spare;
};

class DeviceParticleState {
 public:
  explicit DeviceParticleState(Device& d)
      : x(d, "positions"), u(d, "velocities"), p(d, "pressures"), id(d, "ids"), kind(d, "kinds"), leaked(d, "leaked") {}
  void resize(std::size_t n);
  void swap();
  ParticleFields fields() const {
    return {x.now.data(), u.now.data(), p.now.data(), id.now.data(), kind.now.data(), leaked.now.data()};
  }
  ParticleFields spares() const {
    return {x.spare.data(), u.spare.data(), p.spare.data(), id.spare.data(), kind.spare.data(), leaked.spare.data()};
  }

  Index n = 0;
  SortedField<Vec4f> x, u;
  SortedField<float> p;
  SortedField<std::uint32_t> id;
  SortedField<std::uint8_t> kind, leaked;
};

class DeviceLists {
 public:
  DeviceLists(Device& device, const DeviceFluidDef& def);

  // Room for n particles, so that the steps to come need no more.
  void reserve(Index n);
  // By cell; those beyond the domain and those with a byte in `drop` (may be null), `gone` of them, are taken out.
  void sort(DeviceParticleState& particles, Index gone, const std::uint8_t* drop);
  void moveSurfaces(const std::vector<DeviceRigid>& rigids, const DeviceNodes* nodes, double margin) {
    surfaces_.move(rigids, nodes, margin);
  }
  void moveEnds(const std::vector<DeviceRigid>& rigids, const DeviceNodes* nodes) { surfaces_.moveEnds(rigids, nodes); }
  void build(const DeviceParticleState& particles);

  PairView view() const;
  Index nearRows() const { return near_; }
  Offset pairs() const { return pairs_; }  // that the pressure operator sums over, with the padding of rows
  Index slots() const { return slotCount_; }
  Index pairEntries() const { return pairEntries_; }  // without the padding; where the operator asks for compressed rows
  const Offset* entriesBefore() const { return entriesBefore_.data(); }  // the same by row
  const float* slotPush() const { return slotPush_.data(); }
  const Feature* features() const { return features_.data(); }
  const DomainWalls& walls() const { return walls_; }
  const DeviceSurfaces& surfaces() const { return surfaces_; }
  float contact() const { return contact_; }
  const Vec3f& extent() const { return extent_; }
  const SmoothingKernel<float>& kernel() const { return kernel_; }

  // per particle, as PairLists has them
  DeviceBuffer<float> sumC, c2r2, c2, density;
  DeviceBuffer<Vec4f> T;

 private:
  void findFeatures(const DeviceParticleState& particles);
  void findPairs(const DeviceParticleState& particles);
  template <class Apart>
  void countPairs(Index n, const CellSearch& search, const Apart& apart);
  template <class Apart>
  void fillPairs(Index n, const CellSearch& search, const Apart& apart);
  void compactFeatures(const DeviceParticleState& particles);
  void findImages(const DeviceParticleState& particles);
  void readTotals(Index n);
  CoefficientGrid rounding(Index n) const {
    return CoefficientGrid::wanted(n, compressed_) ? CoefficientGrid::of(kernel_, V_) : CoefficientGrid{};
  }
  void resizeSlots(std::size_t slots);

  Device& device_;
  DeviceSurfaces surfaces_;
  Cells cells_;
  Vec3f extent_, centre_;
  DomainWalls walls_;
  SmoothingKernel<float> kernel_;
  float V_, cW_, contact_;
  int neighbours_;  // of a lattice
  int keyBits_;
  DeviceBuffer<Index> key_, keyOut_, order_, orderOut_, cellBegin_;
  DeviceBuffer<Index> count_, room_, nearFlag_, slotsOf_, nearIndex_, nearParticle_, slotBegin_, slotParticle_, foldedRoom_, links_;
  DeviceBuffer<Offset> begin_, nearBefore_, slotsBefore_, foldedBefore_, folded_, slotLinks_, linkBegin_, totals_;
  DeviceBuffer<Pair> items_;
  DeviceBuffer<MirrorLink> link_;
  DeviceBuffer<std::uint8_t> featureCount_;
  DeviceBuffer<std::uint16_t> linkCount_;
  DeviceBuffer<Feature> features_;
  DeviceBuffer<Vec4f> xh_, plane_;
  DeviceBuffer<float> slotK_, slotPush_;
  const bool compressed_;
  DeviceBuffer<Offset> entriesBefore_;
  Index near_ = 0, slotCount_ = 0, pairEntries_ = 0;
  Offset pairs_ = 0;
};

MNS_NS_END

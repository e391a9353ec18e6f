#include "engine/particle/fluid_regions.h"

namespace meniscus {

Index FluidRegions::rootOf(Index i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

void FluidRegions::unite(Index a, Index b, Index& regions) {
  if (parent_[a] == parent_[b]) return;
  a = rootOf(a);
  b = rootOf(b);
  if (a == b) return;
  if (a < b)
    parent_[b] = a;
  else
    parent_[a] = b;
  --regions;
}

// Union-find. The first neighbours of all particles are looked at before the second ones of any: where the fluid is one region, a
// few rounds join it, and the rest of the pairs need not be read. Where it is several, they are read in their order.
void FluidRegions::join(const PairLists& lists, Index n) {
  parent_.resizeUninitialized(n);
  for (Index i = 0; i < n; ++i) parent_[i] = i;
  Index regions = n;
  constexpr Index kRounds = 4;
  const PackedPairRows packed = lists.packed.rows();
  const auto neighbour = [&](Index i, Index k) {
    const bool isPacked = packed.groups && packed.groups[i / kGroupRows].units != kNotPacked;
    return isPacked ? packedNeighbour(packed, i, k) : lists.folded.row(i)[k].j();
  };
  for (Index k = 0; k < kRounds && regions > 1; ++k)
    for (Index i = 0; i < n; ++i)
      if (k < lists.folded.count[i]) unite(i, neighbour(i, k), regions);
  for (Index i = 0; i < n && regions > 1; ++i)
    for (Index k = kRounds; k < lists.folded.count[i]; ++k) unite(i, neighbour(i, k), regions);
}

void FluidRegions::find(const PairLists& lists, Index n) {
  join(lists, n);
  // the root is a region's first particle; regions are numbered in the order of their first particles
  number_.resizeUninitialized(n);
  begin_.assign(1, 0);
  for (Index i = 0; i < n; ++i) {
    const Index root = rootOf(i);
    if (root == i) {
      number_[i] = Index(begin_.size()) - 1;
      begin_.push_back(0);
    } else {
      number_[i] = number_[root];
    }
    ++begin_[std::size_t(number_[i]) + 1];
  }
  for (std::size_t r = 1; r < begin_.size(); ++r) begin_[r] += begin_[r - 1];
  order_.resizeUninitialized(n);
  next_.assign(begin_.begin(), begin_.end());
  for (Index i = 0; i < n; ++i) order_[next_[std::size_t(number_[i])]++] = i;
}

}  // namespace meniscus

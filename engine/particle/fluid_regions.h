// The connected regions of the fluid: particles that are neighbours of each other, none through a sheet.
#pragma once

#include <vector>

#include "engine/base/buffer.h"
#include "engine/particle/pairs.h"

namespace meniscus {

class FluidRegions {
 public:
  void find(const PairLists& lists, Index n);
  Index count() const { return Index(begin_.size()) - 1; }
  // Particles of region r, ascending.
  View<const Index> operator[](Index r) const { return {order_.data() + begin_[r], begin_[r + 1] - begin_[r]}; }
  std::size_t bytes() const { return order_.capacityBytes() + parent_.capacityBytes() + number_.capacityBytes(); }

 private:
  Index rootOf(Index i);
  void unite(Index a, Index b, Index& regions);
  void join(const PairLists& lists, Index n);

  Buffer<Index> order_;   // particles, region after region
  Buffer<Index> parent_;  // union-find
  Buffer<Index> number_;  // region of each particle
  std::vector<Index> begin_, next_;
};

}  // namespace meniscus

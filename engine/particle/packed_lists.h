// The folded rows of the neighbour lists, packed in groups for the pressure operator's sums.
#pragma once

#include "engine/exec/exec.h"
#include "kernels/fluid/packed_pairs.h"

namespace meniscus {

class PackedLists {
 public:
  void build(Exec& exec, const PairView& lists, Index n);
  PackedRows view() const { return {begin_.data(), items_.data()}; }
  std::size_t bytes() const { return length_.capacityBytes() + begin_.capacityBytes() + items_.capacityBytes(); }

 private:
  Buffer<Index> length_;
  Buffer<Offset> begin_;
  Buffer<PackedPairs> items_;
};

}  // namespace meniscus

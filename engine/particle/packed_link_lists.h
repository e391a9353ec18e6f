// The mirror links of the neighbour lists, packed in groups for the pressure operator's sums.
#pragma once

#include "engine/exec/exec.h"
#include "kernels/fluid/packed_links.h"

namespace meniscus {

class PackedLinkLists {
 public:
  void build(Exec& exec, const PairView& lists);
  PackedLinkRows rows() const { return {begin_.data(), items_.data()}; }
  std::size_t bytes() const { return length_.capacityBytes() + begin_.capacityBytes() + items_.capacityBytes(); }

 private:
  Buffer<Index> length_;
  Buffer<Offset> begin_;
  Buffer<PackedLinks> items_;
};

}  // namespace meniscus

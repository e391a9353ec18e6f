// The folded rows and the mirror links of the neighbour lists, packed in groups for the pressure operator's sums.
#pragma once

#include "engine/exec/exec.h"
#include "kernels/fluid/packed_links.h"
#include "kernels/fluid/packed_pairs.h"

namespace meniscus {

class PackedLists {
 public:
  void buildRows(Exec& exec, const PairView& lists, Index n);
  void buildLinks(Exec& exec, const PairView& lists);
  PackedRows rows() const { return {begin_.data(), items_.data()}; }
  PackedLinkRows links() const { return {linkBegin_.data(), links_.data()}; }
  std::size_t bytes() const {
    return length_.capacityBytes() + begin_.capacityBytes() + items_.capacityBytes() + linkBegin_.capacityBytes() +
           links_.capacityBytes();
  }

 private:
  Buffer<Index> length_;
  Buffer<Offset> begin_, linkBegin_;
  Buffer<PackedPairs> items_;
  Buffer<PackedLinks> links_;
};

}  // namespace meniscus

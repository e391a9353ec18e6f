#include "engine/particle/packed_link_lists.h"

#include <algorithm>

namespace meniscus {
namespace {

// Links of the longest slot of a group.
struct GroupLength {
  const std::uint16_t* count;
  Index n;
  Index* length;
  void operator()(Index g) const {
    Index most = 0;
    for (Index i = g * kPackedSlots; i < n && i < (g + 1) * kPackedSlots; ++i) most = std::max(most, Index(count[i]));
    length[g] = most;
  }
};

struct PackLinkGroup {
  PairView v;
  Index slots;
  const Offset* begin;
  PackedLinks* items;
  void operator()(Index g) const {
    PackedLinks* const first = items + begin[g];
    const Offset length = begin[g + 1] - begin[g];
    for (Index lane = 0; lane < kPackedSlots; ++lane) {
      const Index s = g * kPackedSlots + lane;
      const MirrorLink* const l = s < slots ? firstLink(s) : nullptr;
      const Offset n = l ? v.linkCount[s] : 0;
      for (Offset k = 0; k < length; ++k) {
        first[k].k[lane] = k < n ? l[k].k : 0.f;
        first[k].slot[lane] = k < n ? l[k].slot : 0;
      }
    }
  }
  const MirrorLink* firstLink(Index slot) const {
    const Index k = v.near[v.slotParticle[slot]];
    const MirrorLink* l = v.links + v.linkBegin[k];
    for (Index s = v.slotBegin[k]; s < slot; ++s) l += v.linkCount[s];
    return l;
  }
};

}  // namespace

void PackedLinkLists::build(Exec& exec, const PairView& lists) {
  const Index slots = lists.slotBegin[lists.nearCount];
  const Index groups = (slots + kPackedSlots - 1) / kPackedSlots;
  length_.resizeUninitialized(std::size_t(groups));
  begin_.resizeUninitialized(std::size_t(groups) + 1);
  parallelFor(exec, "pack: link lengths", groups, GroupLength{lists.linkCount, slots, length_.data()});
  const std::size_t need = std::size_t(exclusiveScan(length_.data(), groups, begin_.data()));
  if (need > items_.capacity()) items_.release();
  items_.resizeUninitialized(need);
  parallelFor(exec, "pack: links", groups, PackLinkGroup{lists, slots, begin_.data(), items_.data()}, kBlock / kPackedSlots);
}

}  // namespace meniscus

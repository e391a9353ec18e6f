#include "engine/particle/packed_lists.h"

#include <algorithm>

namespace meniscus {
namespace {

// Length of a group of `size` lists in units, by that of its longest.
template <class Count>
struct GroupLength {
  const Count* count;
  Index n, size, unit;
  Index* length;
  void operator()(Index g) const {
    Index most = 0;
    for (Index i = g * size; i < n && i < (g + 1) * size; ++i) most = std::max(most, Index(count[i]));
    length[g] = (most + unit - 1) / unit;
  }
};

// Rows shorter than the longest of their group are filled up with pairs of coefficient 0, and so are rows beyond the last.
struct PackGroup {
  PairView v;
  Index n;
  const Offset* begin;
  PackedPairs* items;
  void operator()(Index g) const {
    PackedPairs* const first = items + begin[g];
    PackedPairs* const end = items + begin[g + 1];
    for (Index r = 0; r < kPackedRows; ++r) {
      const bool exists = g * kPackedRows + r < n;
      const Index i = exists ? g * kPackedRows + r : n - 1;
      const Pair* p = v.items + v.foldedBegin[i];
      const Pair* const rowEnd = p + (exists ? paddedRow(v.count[i]) : 0);
      PackedPairs* out = first;
      for (; p < rowEnd; p += kRowUnit, ++out)
        for (int k = 0; k < kRowUnit; ++k) put(*out, r, k, p[k]);
      for (; out < end; ++out)
        for (int k = 0; k < kRowUnit; ++k) put(*out, r, k, {0.f, i});
    }
  }
  static void put(PackedPairs& to, Index r, int k, const Pair& p) {
    to.c[k / 2][r][k % 2] = p.c;
    to.at[k / 2][r][k % 2] = std::uint32_t(p.j) * std::uint32_t(sizeof(Vec4f));
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

void PackedLists::buildRows(Exec& exec, const PairView& lists, Index n) {
  const Index groups = (n + kPackedRows - 1) / kPackedRows;
  length_.resizeUninitialized(std::size_t(groups));
  begin_.resizeUninitialized(std::size_t(groups) + 1);
  parallelFor(exec, "pack: lengths", groups, GroupLength<Index>{lists.count, n, kPackedRows, kRowUnit, length_.data()});
  const std::size_t length = std::size_t(exclusiveScan(length_.data(), groups, begin_.data()));
  if (length > items_.capacity()) items_.reserve(length + length / 16);
  items_.resizeUninitialized(length);
  parallelFor(exec, "pack: pairs", groups, PackGroup{lists, n, begin_.data(), items_.data()}, kBlock / kPackedRows);
}

void PackedLists::buildLinks(Exec& exec, const PairView& lists) {
  const Index slots = lists.slotBegin[lists.nearCount];
  const Index groups = (slots + kPackedSlots - 1) / kPackedSlots;
  length_.resizeUninitialized(std::size_t(groups));
  linkBegin_.resizeUninitialized(std::size_t(groups) + 1);
  parallelFor(exec, "pack: link lengths", groups,
              GroupLength<std::uint16_t>{lists.linkCount, slots, kPackedSlots, 1, length_.data()});
  links_.resizeUninitialized(std::size_t(exclusiveScan(length_.data(), groups, linkBegin_.data())));
  parallelFor(exec, "pack: links", groups, PackLinkGroup{lists, slots, linkBegin_.data(), links_.data()}, kBlock / kPackedSlots);
}

}  // namespace meniscus

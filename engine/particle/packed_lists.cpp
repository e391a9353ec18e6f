#include "engine/particle/packed_lists.h"

namespace meniscus {
namespace {

struct GroupLength {
  PairView v;
  Index n;
  Index* length;
  void operator()(Index g) const {
    Index most = 0;
    for (Index i = g * kPackedRows; i < n && i < (g + 1) * kPackedRows; ++i) most = v.count[i] > most ? v.count[i] : most;
    length[g] = paddedRow(most) / kRowUnit;
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

}  // namespace

void PackedLists::build(Exec& exec, const PairView& lists, Index n) {
  const Index groups = (n + kPackedRows - 1) / kPackedRows;
  length_.resizeUninitialized(std::size_t(groups));
  begin_.resizeUninitialized(std::size_t(groups) + 1);
  parallelFor(exec, "pack: lengths", groups, GroupLength{lists, n, length_.data()});
  items_.resizeUninitialized(std::size_t(exclusiveScan(length_.data(), groups, begin_.data())));
  parallelFor(exec, "pack: pairs", groups, PackGroup{lists, n, begin_.data(), items_.data()}, kBlock / kPackedRows);
}

}  // namespace meniscus

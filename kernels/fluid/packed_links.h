// The links of four consecutive feature slots side by side. A slot has five links or so: one slot after the other costs a
// mispredicted branch each, which takes longer than the sums.
#pragma once

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

constexpr Index kPackedSlots = 4;

struct alignas(32) PackedLinks {
  float k[kPackedSlots];
  Index slot[kPackedSlots];
};

struct PackedLinkRows {
  const Offset* begin;  // per group of slots
  const PackedLinks* items;
};

MNS_HD inline Vec4f linkProducts(const PackedLinks& p, const float* f) {
  return loadVec4(p.k) * Vec4f(f[p.slot[0]], f[p.slot[1]], f[p.slot[2]], f[p.slot[3]]);
}

// sum[s] = sum of k f over the links of slot s, with the bits of linkSum, for the slots [begin, end). Slots shorter than the
// longest of their group are filled up with k = 0.
MNS_HD inline void linkSums(const PackedLinkRows& rows, Index begin, Index end, const float* f, float* sum) {
  for (Index group = begin / kPackedSlots; group * kPackedSlots < end; ++group) {
    Vec4f odd{}, t{};
    Offset l = rows.begin[group];
    for (const Offset last = rows.begin[group + 1]; l < last; ++l) {
      t += linkProducts(rows.items[l], f);
      if (++l == last) break;
      odd += linkProducts(rows.items[l], f);
    }
    t += odd;
    const Index first = group * kPackedSlots;
    if (first >= begin && first + kPackedSlots <= end) {
      storeVec4(sum + first, t);
      continue;
    }
    const float lanes[kPackedSlots] = {t.x, t.y, t.z, t.w};  // a group that others share in
    for (Index s = 0; s < kPackedSlots; ++s)
      if (first + s >= begin && first + s < end) sum[first + s] = lanes[s];
  }
}

MNS_NS_END

// The pairs of a row eight at a time.
#pragma once

#include "kernels/core/float8.h"
#include "kernels/fluid/packed_groups.h"

MNS_NS_BEGIN

#if MNS_FLOAT8_AVX2
inline Vec8 spread(const Vec4f& a) { return {Float8(a.x), Float8(a.y), Float8(a.z)}; }

// f(c, j, both) for the count pairs of a row, which is padded to kRowUnit: their coefficients and numbers. both: false where only
// the first four are the row's; the others are then those, with c = 0.
template <class F>
inline void forEachPairLanes(const PairRow& row, Index count, const F& f) {
  static_assert(kRowUnit == 4 && sizeof(Pair) == 8);
  const auto coefficients = [](__m256 a, __m256 b) {
    return _mm256_castpd_ps(
        _mm256_permute4x64_pd(_mm256_castps_pd(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0))), _MM_SHUFFLE(3, 1, 2, 0)));
  };
  const auto load = [](const Pair* a) { return _mm256_loadu_ps(&a->c); };
  const Index units = paddedRow(count) / kRowUnit;
  Index u = 0;
  for (; u + 2 <= units; u += 2) {
    const Pair *const a = row.unit(u), *const b = row.unit(u + 1);
    _mm_prefetch(reinterpret_cast<const char*>(a) + 1024, _MM_HINT_T0);
    const Index j[kLanes] = {a[0].j(), a[1].j(), a[2].j(), a[3].j(), b[0].j(), b[1].j(), b[2].j(), b[3].j()};
    f(Float8(coefficients(load(a), load(b))), j, true);
  }
  if (u < units) {
    const Pair* const a = row.unit(u);
    const Index j[kLanes] = {a[0].j(), a[1].j(), a[2].j(), a[3].j(), a[0].j(), a[1].j(), a[2].j(), a[3].j()};
    f(Float8(coefficients(load(a), _mm256_setzero_ps())), j, false);
  }
}

// The same of a packed row, number r of the group that begins with row first; with the same bits.
template <class F>
inline void forEachPackedLanes(const PackedUnit* p, Index first, Index r, Index count, float step, const F& f) {
  const auto coefficients = [&](const PackedUnit& a) {
    const __m128i c = _mm_cvtepu16_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(a.c + r * kRowUnit)));
    return _mm_mul_ps(_mm_cvtepi32_ps(c), _mm_set1_ps(step));
  };
  const Index units = paddedRow(count) / kRowUnit;
  const auto number = [&](const PackedUnit& a, Index k) { return first + (a.at[r * kRowUnit + k] >> 1); };
  Index u = 0;
  for (; u + 2 <= units; u += 2, p += 2) {
    _mm_prefetch(reinterpret_cast<const char*>(p) + 1024, _MM_HINT_T0);
    const PackedUnit &a = p[0], &b = p[1];
    const Index j[kLanes] = {number(a, 0), number(a, 1), number(a, 2), number(a, 3),
                             number(b, 0), number(b, 1), number(b, 2), number(b, 3)};
    f(Float8(_mm256_insertf128_ps(_mm256_castps128_ps256(coefficients(a)), coefficients(b), 1)), j, true);
  }
  if (u < units) {
    const PackedUnit& a = *p;
    const Index j[kLanes] = {number(a, 0), number(a, 1), number(a, 2), number(a, 3),
                             number(a, 0), number(a, 1), number(a, 2), number(a, 3)};
    f(Float8(_mm256_insertf128_ps(_mm256_setzero_ps(), coefficients(a), 0)), j, false);
  }
}

// Of the row of direct pairs of particle i. Where no image is in it, it is among the packed ones.
template <class F>
inline void forEachDirectLanes(const PairView& v, Index i, const F& f) {
  if (v.packed.groups && v.begin[i] == v.foldedBegin[i]) {
    const PackedGroup g = v.packed.groups[i / kGroupRows];
    const Index r = i % kGroupRows;
    if (g.units != kNotPacked) return forEachPackedLanes(v.packed.units + g.first, i - r, r, v.count[i], v.packed.step, f);
  }
  forEachPairLanes(v.direct(i), v.count[i], f);
}
#endif

MNS_NS_END

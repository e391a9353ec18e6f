// Groups of four rows (row_groups.h) in 4 bytes a pair. Where the lists have no room in the cache, the pressure operator waits for
// them: in half the bytes, at 300k particles, its passes take three quarters of the time, and in the cache a twentieth less.
// Nothing is lost: coefficients are multiples of a power of two (coefficient_grid.h), by which sums are multiplied at the end, and
// particles are sorted by cell, so that the numbers of neighbours differ by little. Groups that the format has no room for (layers
// of cells with more than 16k particles, collapsed fluid) stay in eight bytes a pair; whoever sums cannot tell the difference.
#pragma once

#include "kernels/fluid/coefficient_grid.h"
#include "kernels/fluid/row_groups.h"

MNS_NS_BEGIN

static_assert(sizeof(PackedUnit) == 64 && kGroupStride == 16 && sizeof(Vec4f) == 16);

// A group, first its first row, p its pairs. False where a pair has no room. Reference.
MNS_HD inline bool packGroupScalar(const Pair* p, Index units, Index first, float step, PackedUnit* out) {
  bool room = true;
  for (Index u = 0; u < units; ++u)
    for (Index k = 0; k < kGroupStride; ++k) {
      const Pair& pair = p[u * kGroupStride + k];
      const Index at = 2 * (pair.j() - first);
      const float steps = pair.c / step;
      room &= at >= -32768 && at <= 32767 && steps <= kMostSteps;
      out[u].at[k] = std::int16_t(at);
      out[u].c[k] = std::uint16_t(steps <= kMostSteps ? steps : 0.f);
    }
  return room;
}

// Reference: with the bits of groupSumsScalar of what was packed; q: of the group's first row.
MNS_HD inline void packedSumsScalar(const PackedUnit* p, Index units, const Vec4f* q, float step, Vec4f (&t)[kGroupRows]) {
  for (Index r = 0; r < kGroupRows; ++r) {
    Vec4f sum[kRowUnit]{};
    for (Index u = 0; u < units; ++u)
      for (Index k = 0; k < kRowUnit; ++k) {
        const Index place = r * kRowUnit + k;
        sum[k].addScaled(q[p[u].at[place] / 2], float(p[u].c[place]));
      }
    t[r] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) * step;
  }
}

#if defined(__AVX2__) && defined(__FMA__) && !defined(__CUDACC__)
// As packGroupScalar.
inline bool packGroup(const Pair* p, Index units, Index first, float step, PackedUnit* out) {
  const __m256 perStep = _mm256_set1_ps(1.f / step);  // a power of two as well
  const __m256i base = _mm256_set1_epi32(2 * first), bias = _mm256_set1_epi32(32768);
  __m256i over = _mm256_setzero_si256();
  // of eight pairs, in their order
  const auto steps = [&](__m256 a, __m256 b) {
    const __m256i c = _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_shuffle_ps(a, b, 0x88), perStep));
    over = _mm256_or_si256(over, c);
    return _mm256_permute4x64_epi64(c, 0xd8);
  };
  const auto places = [&](__m256 a, __m256 b) {
    const __m256i at = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
    const __m256i from = _mm256_sub_epi32(_mm256_srli_epi32(at, 3), base);
    over = _mm256_or_si256(over, _mm256_add_epi32(from, bias));
    return _mm256_permute4x64_epi64(from, 0xd8);
  };
  for (Index u = 0; u < units; ++u, p += kGroupStride) {
    const __m256 a = _mm256_loadu_ps(&p[0].c), b = _mm256_loadu_ps(&p[4].c), c = _mm256_loadu_ps(&p[8].c),
                 d = _mm256_loadu_ps(&p[12].c);
    const __m256i at = _mm256_packs_epi32(places(a, b), places(c, d)), k = _mm256_packus_epi32(steps(a, b), steps(c, d));
    _mm256_store_si256(reinterpret_cast<__m256i*>(out[u].at), _mm256_permute4x64_epi64(at, 0xd8));
    _mm256_store_si256(reinterpret_cast<__m256i*>(out[u].c), _mm256_permute4x64_epi64(k, 0xd8));
  }
  return _mm256_testz_si256(over, _mm256_set1_epi32(int(0xffff0000u)));
}

namespace packed_groups {

// t += c q of the pairs k of two rows, one in each half.
template <int k>
inline void add(__m256& t, __m256 c, const std::int16_t* at, const Vec4f* q) {
  const auto load = [q](std::int16_t place) {
    return _mm_load_ps(reinterpret_cast<const float*>(reinterpret_cast<const char*>(q) + 8 * std::ptrdiff_t(place)));
  };
  const __m256 both = _mm256_insertf128_ps(_mm256_castps128_ps256(load(at[k])), load(at[kRowUnit + k]), 1);
  t = _mm256_fmadd_ps(_mm256_permute_ps(c, k * 0x55), both, t);
}
inline __m256 steps(const std::uint16_t* c) {
  return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(c))));
}
inline void total(__m256 a, __m256 b, __m256 c, __m256 d, float step, Vec4f* t) {
  const __m256 sum = _mm256_mul_ps(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d)), _mm256_set1_ps(step));
  t[0] = Vec4f(Vec4f::Lanes(_mm256_castps256_ps128(sum)));
  t[1] = Vec4f(Vec4f::Lanes(_mm256_extractf128_ps(sum, 1)));
}

}  // namespace packed_groups

// As packedSumsScalar. ahead: units that are soon needed. (Those of a few KiB on are another block's in every fifteenth place, and
// a sweep of 300k particles then takes a tenth longer.)
inline void packedSums(const PackedUnit* p, Index units, const Vec4f* q, float step, const PackedUnit* ahead,
                       Vec4f (&t)[kGroupRows]) {
  using namespace packed_groups;
  // Compilers would add up the parts of this address anew for every pair.
  asm("" : "+r"(q));
  __m256 a0 = _mm256_setzero_ps(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  for (const PackedUnit* const end = p + units; p != end; ++p, ++ahead) {
    _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T0);
    const __m256 c = steps(p->c), d = steps(p->c + 2 * kRowUnit);
    const std::int16_t *const at = p->at, *const then = at + 2 * kRowUnit;
    add<0>(a0, c, at, q);
    add<1>(a1, c, at, q);
    add<2>(a2, c, at, q);
    add<3>(a3, c, at, q);
    add<0>(b0, d, then, q);
    add<1>(b1, d, then, q);
    add<2>(b2, d, then, q);
    add<3>(b3, d, then, q);
  }
  total(a0, a1, a2, a3, step, t);
  total(b0, b1, b2, b3, step, t + 2);
}
#else
MNS_HD inline bool packGroup(const Pair* p, Index units, Index first, float step, PackedUnit* out) {
  return packGroupScalar(p, units, first, step, out);
}
MNS_HD inline void packedSums(const PackedUnit* p, Index units, const Vec4f* q, float step, const PackedUnit*,
                              Vec4f (&t)[kGroupRows]) {
  packedSumsScalar(p, units, q, step, t);
}
#endif

// Neighbour k of row i of a packed group.
MNS_HD inline Index packedNeighbour(const PackedPairRows& rows, Index i, Index k) {
  const Index r = i % kGroupRows;
  const PackedUnit& unit = rows.units[rows.groups[i / kGroupRows].first + std::uint32_t(k / kRowUnit)];
  return i - r + unit.at[r * kRowUnit + k % kRowUnit] / 2;
}

// The sums of a group that has no room in the format: seldom.
#if defined(__GNUC__) && !defined(__CUDACC__)
__attribute__((noinline, cold))
#endif
MNS_HD inline void
unpackedGroupSums(const PairView& v, Index i, Index n, const Vec4f* q, Vec4f (&t)[kGroupRows]) {
  groupSums(v.items + v.foldedBegin[i], groupUnits(v.count, i, n), q, t);
}
// Of the group that begins with row i, n the number of rows or the end of some whole groups. Rows are packed.
MNS_HD inline void packedGroupSums(const PairView& v, Index i, Index n, const Vec4f* q, Vec4f (&t)[kGroupRows]) {
  fetchFarthest(v, i, q);
  const PackedGroup* const g = v.packed.groups + i / kGroupRows;
  const PackedUnit* const units = v.packed.units;
  if (g->units == kNotPacked) return unpackedGroupSums(v, i, n, q, t);
  packedSums(units + g->first, Index(g->units), q + i, v.packed.step, units + g[kGroupsAhead].first, t);
}
// They may be packed.
MNS_HD inline void groupSums(const PairView& v, Index i, Index n, const Vec4f* q, Vec4f (&t)[kGroupRows]) {
  if (v.packed.groups)
    packedGroupSums(v, i, n, q, t);
  else
    groupSums(v.items + v.foldedBegin[i], groupUnits(v.count, i, n), q, t);
}

// row(i, t) for the rows [begin, end), begin a multiple of kGroupRows, end one as well or the number of all rows; t: sum over c q
// of row i.
template <class Row>
MNS_HD inline void forEachRowSum(const PairView& v, Index begin, Index end, const Vec4f* q, const Row& row) {
  for (Index i = begin; i < end; i += kGroupRows) {
    Vec4f t[kGroupRows];
    groupSums(v, i, end, q, t);
    const Index n = end - i < kGroupRows ? end - i : kGroupRows;
    for (Index r = 0; r < n; ++r) row(i + r, t[r]);
  }
}

MNS_NS_END

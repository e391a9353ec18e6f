// The folded rows of four consecutive particles side by side: a unit of the first, one of the second... The pressure operator sums
// over all pairs twice an iteration, and rows of about thirty pairs, one after the other, cost a mispredicted branch each and one
// instruction of four lanes a pair. Four rows of one length share the branch, and two pairs share an instruction of eight lanes.
// Rows shorter than the longest of their group are filled up with pairs of coefficient 0, and so are rows beyond the last.
#pragma once

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

constexpr Index kGroupRows = 4;
constexpr Index kGroupStride = kGroupRows * kRowUnit;  // pairs from unit to unit of a row

// Units of the rows [first, min(first + kGroupRows, n)), filled up.
MNS_HD inline Index groupUnits(const Index* count, Index first, Index n) {
  Index most = 0;
  for (Index i = first; i < n && i < first + kGroupRows; ++i) most = count[i] > most ? count[i] : most;
  return paddedRow(most) / kRowUnit;
}

// Reference: sums over c q of the rows of a group, p its first pair, in the order of pairSum.
MNS_HD inline void groupSumsScalar(const Pair* p, Index units, const Vec4f* q, Vec4f (&t)[kGroupRows]) {
  for (Index r = 0; r < kGroupRows; ++r) {
    Vec4f sum[kRowUnit]{};
    for (Index u = 0; u < units; ++u)
      for (Index k = 0; k < kRowUnit; ++k) {
        const Pair& pair = p[u * kGroupStride + r * kRowUnit + k];
        sum[k].addScaled(pair.of(q), pair.c);
      }
    t[r] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

#if defined(__AVX2__) && defined(__FMA__) && !defined(__CUDACC__)
namespace row_groups {

// How far ahead the pairs are fetched: the sums wait for them otherwise, at 22k particles a sixth of the time. 1 to 8 KiB measured.
constexpr int kAhead = 4096;  // bytes

// t += c q of two pairs, c their coefficients four times each: the first in the lower lanes, the second in the upper ones.
inline __m256 add(__m256 t, __m256 c, const Pair* p, const Vec4f* q) {
  const __m128 first = _mm_load_ps(&p[0].of(q).x), second = _mm_load_ps(&p[1].of(q).x);
  return _mm256_fmadd_ps(c, _mm256_insertf128_ps(_mm256_castps128_ps256(first), second, 1), t);
}
// a += c q of the first two pairs of a unit, b of the others.
inline void addUnit(__m256& a, __m256& b, const Pair* p, const Vec4f* q) {
  __m256 unit = _mm256_loadu_ps(&p->c);
  // Loads are what the sums wait for. Compilers would fold this one into both permutations, and load twice.
  asm("" : "+x"(unit));
  a = add(a, _mm256_permutevar8x32_ps(unit, _mm256_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2)), p, q);
  b = add(b, _mm256_permutevar8x32_ps(unit, _mm256_setr_epi32(4, 4, 4, 4, 6, 6, 6, 6)), p + 2, q);
}
inline Vec4f total(__m256 a, __m256 b) {
  const __m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)),
               t = _mm_add_ps(_mm256_castps256_ps128(b), _mm256_extractf128_ps(b, 1));
  return Vec4f(Vec4f::Lanes(_mm_add_ps(s, t)));
}

}  // namespace row_groups

// As groupSumsScalar, with the same bits.
inline void groupSums(const Pair* p, Index units, const Vec4f* q, Vec4f (&t)[kGroupRows]) {
  using namespace row_groups;
  static_assert(sizeof(Pair) == 8 && kRowUnit == 4);
  __m256 a0 = _mm256_setzero_ps(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  for (const Pair* const end = p + units * kGroupStride; p != end; p += kGroupStride) {
    const char* const ahead = reinterpret_cast<const char*>(p) + kAhead;
    _mm_prefetch(ahead, _MM_HINT_T0);
    _mm_prefetch(ahead + 64, _MM_HINT_T0);
    addUnit(a0, b0, p, q);
    addUnit(a1, b1, p + kRowUnit, q);
    addUnit(a2, b2, p + 2 * kRowUnit, q);
    addUnit(a3, b3, p + 3 * kRowUnit, q);
  }
  t[0] = total(a0, b0);
  t[1] = total(a1, b1);
  t[2] = total(a2, b2);
  t[3] = total(a3, b3);
}
#else
MNS_HD inline void groupSums(const Pair* p, Index units, const Vec4f* q, Vec4f (&t)[kGroupRows]) {
  groupSumsScalar(p, units, q, t);
}
#endif

MNS_NS_END

// The pairs of four consecutive rows side by side. The pressure operator sums over all pairs twice an iteration, and rows of about
// thirty pairs, one after the other, cost a mispredicted branch each and one instruction of four lanes a pair. Four rows of one
// length share the branch, and two pairs share an instruction of eight lanes.
#pragma once

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

constexpr Index kPackedRows = 4;

// kRowUnit pairs of each row: halves of two pairs, in each half row after row.
struct alignas(64) PackedPairs {
  float c[2][kPackedRows][2];
  std::uint32_t at[2][kPackedRows][2];  // of the other particle, in bytes of an array of Vec4f
};

struct PackedRows {
  const Offset* begin;  // per group of rows
  const PackedPairs* items;
};

// Reference: sums over c q of the rows of group g, in the order of pairSum.
MNS_HD inline void packedSumsScalar(const PackedRows& rows, Index g, const Vec4f* q, Vec4f (&t)[kPackedRows]) {
  for (Index r = 0; r < kPackedRows; ++r) {
    Vec4f sum[2][2]{};
    for (Offset s = rows.begin[g]; s < rows.begin[g + 1]; ++s) {
      const PackedPairs& p = rows.items[s];
      for (int half = 0; half < 2; ++half)
        for (int k = 0; k < 2; ++k) sum[half][k].addScaled(q[p.at[half][r][k] / sizeof(Vec4f)], p.c[half][r][k]);
    }
    t[r] = (sum[0][0] + sum[0][1]) + (sum[1][0] + sum[1][1]);
  }
}

#if defined(__AVX2__) && defined(__FMA__) && !defined(__CUDACC__)
namespace packed_pairs {

// How far ahead the pairs are fetched: the sums wait for them otherwise, at 22k particles a sixth of the time. 1 to 8 KiB measured.
constexpr int kAhead = 2048;  // bytes

// t += c q of two pairs of row r: the first in the lower lanes, the second in the upper ones.
template <int r>
inline __m256 add(__m256 t, __m256 c, const std::uint32_t (&at)[kPackedRows][2], const char* q) {
  const __m128 first = _mm_load_ps(reinterpret_cast<const float*>(q + at[r][0])),
               second = _mm_load_ps(reinterpret_cast<const float*>(q + at[r][1]));
  const __m256i lanes = _mm256_setr_epi32(2 * r, 2 * r, 2 * r, 2 * r, 2 * r + 1, 2 * r + 1, 2 * r + 1, 2 * r + 1);
  return _mm256_fmadd_ps(_mm256_permutevar8x32_ps(c, lanes), _mm256_insertf128_ps(_mm256_castps128_ps256(first), second, 1), t);
}
inline Vec4f total(__m256 a, __m256 b) {
  const __m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)),
               t = _mm_add_ps(_mm256_castps256_ps128(b), _mm256_extractf128_ps(b, 1));
  return Vec4f(Vec4f::Lanes(_mm_add_ps(s, t)));
}

}  // namespace packed_pairs

// As packedSumsScalar, with the same bits.
inline void packedSums(const PackedRows& rows, Index g, const Vec4f* q, Vec4f (&t)[kPackedRows]) {
  using namespace packed_pairs;
  const char* const base = reinterpret_cast<const char*>(q);
  __m256 a0 = _mm256_setzero_ps(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  const PackedPairs* const end = rows.items + rows.begin[g + 1];
  for (const PackedPairs* p = rows.items + rows.begin[g]; p != end; ++p) {
    const char* const ahead = reinterpret_cast<const char*>(p) + kAhead;
    _mm_prefetch(ahead, _MM_HINT_T0);
    _mm_prefetch(ahead + 64, _MM_HINT_T0);
    const __m256 c0 = _mm256_load_ps(&p->c[0][0][0]), c1 = _mm256_load_ps(&p->c[1][0][0]);
    a0 = add<0>(a0, c0, p->at[0], base);
    a1 = add<1>(a1, c0, p->at[0], base);
    a2 = add<2>(a2, c0, p->at[0], base);
    a3 = add<3>(a3, c0, p->at[0], base);
    b0 = add<0>(b0, c1, p->at[1], base);
    b1 = add<1>(b1, c1, p->at[1], base);
    b2 = add<2>(b2, c1, p->at[1], base);
    b3 = add<3>(b3, c1, p->at[1], base);
  }
  t[0] = total(a0, b0);
  t[1] = total(a1, b1);
  t[2] = total(a2, b2);
  t[3] = total(a3, b3);
}
#else
MNS_HD inline void packedSums(const PackedRows& rows, Index g, const Vec4f* q, Vec4f (&t)[kPackedRows]) {
  packedSumsScalar(rows, g, q, t);
}
#endif

// row(i, t) for the rows [begin, end), begin a multiple of kPackedRows; t: sum over c q of row i.
template <class Row>
MNS_HD inline void forEachPackedRow(const PackedRows& rows, Index begin, Index end, const Vec4f* q, const Row& row) {
  for (Index i = begin; i < end; i += kPackedRows) {
    Vec4f t[kPackedRows];
    packedSums(rows, i / kPackedRows, q, t);
    const Index n = end - i < kPackedRows ? end - i : kPackedRows;
    for (Index r = 0; r < n; ++r) row(i + r, t[r]);
  }
}

MNS_NS_END

// Eight lanes at a time where the processor has AVX2: lanes chosen by a mask, put side by side.
#pragma once

#if defined(__AVX2__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "kernels/core/macros.h"

MNS_NS_BEGIN

constexpr Index kLanes = 8;

#if defined(__AVX2__) && !defined(__CUDACC__)
// For each of the 256 subsets of eight lanes, the lanes of the subset in ascending order; in the form they are used in, since the
// neighbour search looks one up for every eight candidates.
struct LaneSubsets {
  alignas(64) int lane[256][8];
  constexpr LaneSubsets() : lane() {
    for (int mask = 0; mask < 256; ++mask) {
      int n = 0;
      for (int l = 0; l < 8; ++l)
        if (mask >> l & 1) lane[mask][n++] = l;
      for (; n < 8; ++n) lane[mask][n] = 0;
    }
  }
};
inline constexpr LaneSubsets kLaneSubsets{};

inline __m256i laneOrder(unsigned mask) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(kLaneSubsets.lane[mask])); }
inline void storeLanes(float* out, __m256 v, __m256i order) { _mm256_storeu_ps(out, _mm256_permutevar8x32_ps(v, order)); }
inline void storeLanes(Index* out, __m256i v, __m256i order) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(v, order));
}
// square of the distance from an interval
inline __m256 beyond2(__m256 v, float lo, float hi) {
  const __m256 d =
      _mm256_max_ps(_mm256_max_ps(_mm256_sub_ps(_mm256_set1_ps(lo), v), _mm256_sub_ps(v, _mm256_set1_ps(hi))), _mm256_setzero_ps());
  return _mm256_mul_ps(d, d);
}
// Eight rows of eight become eight columns.
inline void transposeLanes(__m256 (&v)[8]) {
  __m256 a[8], b[8];
  for (int i = 0; i < 8; i += 2) {
    a[i] = _mm256_unpacklo_ps(v[i], v[i + 1]);
    a[i + 1] = _mm256_unpackhi_ps(v[i], v[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    b[i] = _mm256_shuffle_ps(a[i], a[i + 2], 0x44);
    b[i + 1] = _mm256_shuffle_ps(a[i], a[i + 2], 0xee);
    b[i + 2] = _mm256_shuffle_ps(a[i + 1], a[i + 3], 0x44);
    b[i + 3] = _mm256_shuffle_ps(a[i + 1], a[i + 3], 0xee);
  }
  for (int i = 0; i < 4; ++i) {
    v[i] = _mm256_permute2f128_ps(b[i], b[i + 4], 0x20);
    v[i + 4] = _mm256_permute2f128_ps(b[i], b[i + 4], 0x31);
  }
}
#endif

MNS_NS_END

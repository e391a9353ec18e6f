// Candidates of one particle: the particles in the 27 cells around it, scanned as nine runs of three cells in x.
#pragma once

#if defined(__AVX2__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "kernels/core/vec4.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

// Writes the numbers and squared distances of the particles j in [begin, end) with |x_j - xi|^2 < h2, except `self`; returns how
// many. Positions as separate coordinate arrays. out arrays need room for end - begin + 8 entries.
inline Index scanRun(const float* px, const float* py, const float* pz, Index begin, Index end, float xi, float yi, float zi,
                     float h2, Index self, Index* outJ, float* outR2) {
  Index m = 0;
  Index j = begin;
#if defined(__AVX2__) && !defined(__CUDACC__)
  const __m256 X = _mm256_set1_ps(xi), Y = _mm256_set1_ps(yi), Z = _mm256_set1_ps(zi), H2 = _mm256_set1_ps(h2);
  alignas(32) float r2s[8];
  for (; j + 8 <= end; j += 8) {
    const __m256 dx = _mm256_sub_ps(_mm256_loadu_ps(px + j), X), dy = _mm256_sub_ps(_mm256_loadu_ps(py + j), Y),
                 dz = _mm256_sub_ps(_mm256_loadu_ps(pz + j), Z);
    const __m256 r2 = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)), _mm256_mul_ps(dz, dz));
    unsigned mask = unsigned(_mm256_movemask_ps(_mm256_cmp_ps(r2, H2, _CMP_LT_OQ)));
    if (!mask) continue;
    _mm256_store_ps(r2s, r2);
    do {
      const int k = __builtin_ctz(mask);
      mask &= mask - 1;
      outJ[m] = j + k;
      outR2[m] = r2s[k];
      m += (j + k != self);
    } while (mask);
  }
#endif
  for (; j < end; ++j) {
    const float dx = px[j] - xi, dy = py[j] - yi, dz = pz[j] - zi;
    const float r2 = (dx * dx + dy * dy) + dz * dz;
    outJ[m] = j;
    outR2[m] = r2;
    m += (r2 < h2 && j != self);
  }
  return m;
}

MNS_NS_END

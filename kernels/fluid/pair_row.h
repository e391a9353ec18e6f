// Coefficients of a particle's row of direct pairs, and the sums over it. Sums run in eight lanes, pair k in lane k mod 8, so that
// the bits do not depend on whether the processor takes eight pairs at a time.
#pragma once

#include <initializer_list>

#include "kernels/core/float8.h"
#include "kernels/core/smoothing_kernel.h"
#include "kernels/fluid/coefficient_grid.h"
#include "kernels/fluid/pressure_pass.h"
#include "kernels/search/neighbour_search.h"

MNS_NS_BEGIN

struct RowSums {
  Vec3f t;     // sum of c x_ij [1/m]
  float c;     // sum of c [1/m^2]
  float c2;    // sum of c^2 [1/m^4]
  float c2r2;  // sum of c^2 r^2 [1/m^2]
  float W;     // sum of W, the particle itself not included [1/m^3]
};

MNS_HD inline float sumOfLanes(const float* l) { return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])); }

namespace pair_row {

enum Sum { tx, ty, tz, sc, sc2, sc2r2, sW, sums };

// What pair k adds; returns its coefficient.
MNS_HD inline float addPair(const Vec3f& x, float r2, const SmoothingKernel<float>& kernel, float cf, float (&s)[sums],
                            const CoefficientGrid& grid = {}) {
  const float q = std::sqrt(r2) * kernel.invH, d = 1.f - q, a = d > 0.f ? d : 0.f;
  const float c = grid.nearest(cf * kernel.shapeF(q, a));
  s[tx] += c * x.x;
  s[ty] += c * x.y;
  s[tz] += c * x.z;
  s[sc] += c;
  s[sc2] += c * c;
  s[sc2r2] += c * c * r2;
  s[sW] += kernel.w0 * kernel.shapeW(q, a);
  return c;
}

MNS_HD inline RowSums total(const float (&l)[sums][8]) {
  return {{sumOfLanes(l[tx]), sumOfLanes(l[ty]), sumOfLanes(l[tz])},
          sumOfLanes(l[sc]),
          sumOfLanes(l[sc2]),
          sumOfLanes(l[sc2r2]),
          sumOfLanes(l[sW])};
}

}  // namespace pair_row

// One pair at a time: the reference. Writes paddedRow(n) pairs.
MNS_HD inline RowSums pairRowScalar(const Neighbours& nb, Index i, const SmoothingKernel<float>& kernel, float V,
                                    const StridedRow<Pair>& out, const CoefficientGrid& grid = {}) {
  float lane[8][pair_row::sums] = {}, l[pair_row::sums][8];
  const float cf = V * kernel.f0;
  for (Index k = 0; k < nb.n; ++k)
    out[k] = {pair_row::addPair({nb.dx[k], nb.dy[k], nb.dz[k]}, nb.r2[k], kernel, cf, lane[k % 8], grid), nb.j[k]};
  for (int f = 0; f < pair_row::sums; ++f)
    for (int k = 0; k < 8; ++k) l[f][k] = lane[k][f];
  for (Index k = nb.n; k < paddedRow(nb.n); ++k) out[k] = {0.f, i};
  return pair_row::total(l);
}

#if defined(__AVX2__) && !defined(__CUDACC__)
namespace pair_row {

// sumOfLanes of four, with its bits. One sum after the other takes as long as three of the eight pairs' turns.
inline __m128 sumsOfLanes(__m256 a, __m256 b, __m256 c, __m256 d) {
  const auto halves = [](__m256 v) { return _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1)); };
  // 0+4+2+6 and 1+5+3+7 of two
  const auto pairs = [](__m128 v, __m128 w) { return _mm_add_ps(_mm_movelh_ps(v, w), _mm_movehl_ps(w, v)); };
  const __m128 p = pairs(halves(a), halves(b)), q = pairs(halves(c), halves(d));
  return _mm_add_ps(_mm_shuffle_ps(p, q, _MM_SHUFFLE(2, 0, 2, 0)), _mm_shuffle_ps(p, q, _MM_SHUFFLE(3, 1, 3, 1)));
}

}  // namespace pair_row

// As pairRowScalar, eight pairs at a time. Puts pairs out of reach behind the neighbours' end, and may write one unit more than a
// row has: whether it has it is hard to foresee.
inline RowSums pairRow(Neighbours& nb, Index i, const SmoothingKernel<float>& kernel, float V, const StridedRow<Pair>& out,
                       const CoefficientGrid& grid = {}) {
  const Index n = nb.n;
  _mm256_storeu_ps(nb.r2 + n, _mm256_set1_ps(4.f * kernel.H * kernel.H));
  for (float* d : {nb.dx, nb.dy, nb.dz}) _mm256_storeu_ps(d + n, _mm256_setzero_ps());
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(nb.j + n), _mm256_set1_epi32(i));
  const __m256 invH = _mm256_set1_ps(kernel.invH), one = _mm256_set1_ps(1.f), cf = _mm256_set1_ps(V * kernel.f0),
               w0 = _mm256_set1_ps(kernel.w0), round = _mm256_set1_ps(grid.round), zero = _mm256_setzero_ps();
  __m256 x = zero, y = zero, z = zero, s = zero, s2 = zero, sr = zero, w = zero;
  // One turn ahead, also behind the end, where it is not used: all else of a turn waits for the root, and would fill the
  // processor's queues waiting. A sixth of the row.
  const auto distance = [&](Index k) { return _mm256_mul_ps(_mm256_sqrt_ps(_mm256_load_ps(nb.r2 + k)), invH); };
  __m256 next = distance(0);
  for (Index k = 0; k < n; k += 8) {
    const __m256 r2 = _mm256_load_ps(nb.r2 + k), q = next;
    next = distance(k + 8);
    const __m256 a = _mm256_max_ps(_mm256_sub_ps(one, q), zero);
    const __m256 exact = _mm256_mul_ps(cf, kernel.shapeF(Float8(q), Float8(a)).v);
    const __m256 c = _mm256_sub_ps(_mm256_add_ps(exact, round), round), cc = _mm256_mul_ps(c, c);
    x = _mm256_add_ps(x, _mm256_mul_ps(c, _mm256_load_ps(nb.dx + k)));
    y = _mm256_add_ps(y, _mm256_mul_ps(c, _mm256_load_ps(nb.dy + k)));
    z = _mm256_add_ps(z, _mm256_mul_ps(c, _mm256_load_ps(nb.dz + k)));
    s = _mm256_add_ps(s, c);
    s2 = _mm256_add_ps(s2, cc);
    sr = _mm256_add_ps(sr, _mm256_mul_ps(cc, r2));
    w = _mm256_add_ps(w, _mm256_mul_ps(w0, kernel.shapeW(Float8(q), Float8(a)).v));
    const __m256i j = _mm256_load_si256(reinterpret_cast<const __m256i*>(nb.j + k));
    static_assert(sizeof(Vec4f) == 16);
    const __m256 at = _mm256_castsi256_ps(_mm256_slli_epi32(j, 4));
    const __m256 even = _mm256_unpacklo_ps(c, at), odd = _mm256_unpackhi_ps(c, at);  // pairs 0 1 4 5 and 2 3 6 7
    _mm256_storeu_ps(&out.unit(k / kRowUnit)->c, _mm256_permute2f128_ps(even, odd, 0x20));
    _mm256_storeu_ps(&out.unit(k / kRowUnit + 1)->c, _mm256_permute2f128_ps(even, odd, 0x31));
  }
  alignas(16) float t[4], u[4];
  _mm_store_ps(t, pair_row::sumsOfLanes(x, y, z, s));
  _mm_store_ps(u, pair_row::sumsOfLanes(s2, sr, w, w));
  return {{t[0], t[1], t[2]}, t[3], u[0], u[1], u[2]};
}
#else
MNS_HD inline RowSums pairRow(Neighbours& nb, Index i, const SmoothingKernel<float>& kernel, float V, const StridedRow<Pair>& out,
                              const CoefficientGrid& grid = {}) {
  return pairRowScalar(nb, i, kernel, V, out, grid);
}
#endif

MNS_NS_END

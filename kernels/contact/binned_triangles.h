// Triangles side by side in the order of bins, one coordinate after the other, and which of them are within reach of a box. Eight
// at a time where the processor has AVX2, one at a time elsewhere, with the same results in the same order.
#pragma once

#include "kernels/core/lanes.h"
#include "kernels/core/vec4.h"

MNS_NS_BEGIN

// Arrays that can be read to a whole number of lanes behind any triangle.
struct BinnedTriangles {
  const float *x, *y, *z, *far2;     // centroid [m]; (radius + reach)^2 [m^2]
  const float *nx, *ny, *nz, *slab;  // unit normal; largest height of the middle of a box in reach over the plane [m]
  const Index* tri;
};

// The height of the middle of a cube of half edge `half` over a plane of normal n, where a point of the cube is within reach of it.
MNS_HD inline float slabOf(const Vec3f& n, float half, float reach) {
  return reach + half * (std::abs(n.x) + std::abs(n.y) + std::abs(n.z));
}

// Writes the numbers of those in [begin, end) that can be within reach of the cube [lo, hi] to out[n...], and returns the new n.
// out has room for all lanes behind the last. Reference.
inline Index appendInReachScalar(const BinnedTriangles& b, Index begin, Index end, const Vec3f& lo, const Vec3f& hi, Index* out,
                                 Index n) {
  const Vec3f middle = (lo + hi) * 0.5f;
  const auto beyond = [](float v, float l, float h) {
    const float p = l - v, q = v - h, d = p > q ? (p > 0.f ? p : 0.f) : (q > 0.f ? q : 0.f);
    return d * d;
  };
  for (Index k = begin; k < end; ++k) {
    const float d2 = (beyond(b.x[k], lo.x, hi.x) + beyond(b.y[k], lo.y, hi.y)) + beyond(b.z[k], lo.z, hi.z);
    const float h = ((middle.x - b.x[k]) * b.nx[k] + (middle.y - b.y[k]) * b.ny[k]) + (middle.z - b.z[k]) * b.nz[k];
    out[n] = b.tri[k];
    n += d2 <= b.far2[k] && std::abs(h) <= b.slab[k];
  }
  return n;
}

#if defined(__AVX2__) && !defined(__CUDACC__)
inline Index appendInReach(const BinnedTriangles& b, Index begin, Index end, const Vec3f& lo, const Vec3f& hi, Index* out,
                           Index n) {
  const Vec3f middle = (lo + hi) * 0.5f;
  for (Index k = begin; k < end; k += kLanes) {
    const __m256 x = _mm256_loadu_ps(b.x + k), y = _mm256_loadu_ps(b.y + k), z = _mm256_loadu_ps(b.z + k);
    const __m256 d2 = _mm256_add_ps(_mm256_add_ps(beyond2(x, lo.x, hi.x), beyond2(y, lo.y, hi.y)), beyond2(z, lo.z, hi.z));
    const auto along = [](float m, __m256 v, const float* normal) {
      return _mm256_mul_ps(_mm256_sub_ps(_mm256_set1_ps(m), v), _mm256_loadu_ps(normal));
    };
    const __m256 h =
        _mm256_add_ps(_mm256_add_ps(along(middle.x, x, b.nx + k), along(middle.y, y, b.ny + k)), along(middle.z, z, b.nz + k));
    const __m256 flat = _mm256_cmp_ps(_mm256_andnot_ps(_mm256_set1_ps(-0.f), h), _mm256_loadu_ps(b.slab + k), _CMP_LE_OQ);
    const __m256 near = _mm256_cmp_ps(d2, _mm256_loadu_ps(b.far2 + k), _CMP_LE_OQ);
    unsigned mask = unsigned(_mm256_movemask_ps(_mm256_and_ps(near, flat)));
    if (end - k < kLanes) mask &= (1u << (end - k)) - 1u;
    storeLanes(out + n, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b.tri + k)), laneOrder(mask));
    n += __builtin_popcount(mask);
  }
  return n;
}
#else
inline Index appendInReach(const BinnedTriangles& b, Index begin, Index end, const Vec3f& lo, const Vec3f& hi, Index* out,
                           Index n) {
  return appendInReachScalar(b, begin, end, lo, hi, out, n);
}
#endif

MNS_NS_END

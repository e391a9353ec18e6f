// Compression by straight paths. Particles move along straight lines for a step, so the density of a flow whose divergence vanishes
// still changes by dt^2/2 of its second derivative along them, in every step. For a pair with relative velocity u along x = r e,
// and with F = W'/r,
//   d^2 W / dt^2 = F |u|^2 + (F'/r) (u . x)^2 = |F| (s(q) (u . x)^2 / (H^2 q) - |u|^2),   q = r / H,   s = -(dF/dq) / F
// For a mirror image at r'^2 = |x|^2 + 4 d_a d_b the same holds with half the derivatives of r'^2, x . u + 2 (v_a d_b + d_a v_b)
// for u . x and |u|^2 + 4 v_a v_b for |u|^2, v the particles' normal velocities relative to the surface (the turning of the normals
// is left out). For a linear field this is tr (grad u)^2: compression where the strain exceeds the rotation. Relative motion of
// neighbours at random compresses as well. Proportional correction of the density lags behind such a steady source by 1 / beta
// steps: in the impact of a balloon by 3e-3, of which 1e-4 is left when the pressure solve is asked for the divergence that cancels
// it.
#pragma once

#include <cmath>

#include "kernels/core/float8.h"
#include "kernels/core/smoothing_kernel.h"
#include "kernels/fluid/pair_lanes.h"
#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct StraightPathSums {
  float c;     // sum of c
  float term;  // sum of c (s(q) (u . x)^2 / (H^2 q) - |u|^2)
};

namespace straight_paths {

using Kernel = SmoothingKernel<float>;
constexpr int kLanes = kRowUnit;  // pair k of a row is summed in lane k mod kLanes, whether one at a time or all at once
MNS_HD inline float total(const float (&l)[kLanes]) { return (l[0] + l[2]) + (l[1] + l[3]); }

}  // namespace straight_paths

// One pair at a time: the reference. What a row is padded with has c = 0 and adds nothing.
MNS_HD inline StraightPathSums straightPathSumsScalar(const PairView& v, Index i, const Vec4f* u, float invH) {
  float c[straight_paths::kLanes] = {}, term[straight_paths::kLanes] = {};
  const PairRow p = v.direct(i);
  for (Index k = 0; k < paddedRow(v.count[i]); ++k) {
    const Vec3f d = (v.xh[p[k].j()] - v.xh[i]).xyz(), du = (u[p[k].j()] - u[i]).xyz();
    const float r2 = (d.x * d.x + d.y * d.y) + d.z * d.z, s = (d.x * du.x + d.y * du.y) + d.z * du.z;
    const float u2 = (du.x * du.x + du.y * du.y) + du.z * du.z;
    using straight_paths::Kernel;
    const float q = std::sqrt(r2) * invH, b = 1.f - q, a = b > 0.f ? b : 0.f, sh = s * invH;
    c[k % straight_paths::kLanes] += p[k].c;
    term[k % straight_paths::kLanes] +=
        p[k].c * (Kernel::logSlopeNumerator(q) * (sh * sh) / (q * Kernel::logSlopeDenominator(q, a) + 1e-12f) - u2);
  }
  return {straight_paths::total(c), straight_paths::total(term)};
}

#if MNS_FLOAT8_AVX2
// As straightPathSumsScalar, eight pairs at a time, with the same bits.
inline StraightPathSums straightPathSums(const PairView& v, Index i, const Vec4f* u, float invH) {
  using namespace straight_paths;
  fetchFarthest(v, i, v.xh);
  fetchFarthest(v, i, u);
  const Vec8 xi = spread(v.xh[i]), ui = spread(u[i]);
  const Float8 H(invH), least(1e-12f);
  __m128 sumC = _mm_setzero_ps(), sum = sumC;
  const auto add = [](__m128& a, Float8 b, bool both) {
    a = _mm_add_ps(a, _mm256_castps256_ps128(b.v));
    if (both) a = _mm_add_ps(a, _mm256_extractf128_ps(b.v, 1));
  };
  const auto dot3 = [](const Vec8& a, const Vec8& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; };
  forEachDirectLanes(v, i, [&](Float8 c, const Index* j, bool both) {
    const Vec8 d = gather(v.xh, j) - xi, du = gather(u, j) - ui;
    const Float8 q = Float8(_mm256_sqrt_ps(dot3(d, d).v)) * H, sh = dot3(d, du) * H;
    const Float8 a(_mm256_max_ps((Float8(1.f) - q).v, _mm256_setzero_ps()));
    const Float8 strain(
        _mm256_div_ps((Kernel::logSlopeNumerator(q) * (sh * sh)).v, (q * Kernel::logSlopeDenominator(q, a) + least).v));
    add(sumC, c, both);
    add(sum, c * (strain - dot3(du, du)), both);
  });
  alignas(16) float c[4], term[4];
  _mm_store_ps(c, sumC);
  _mm_store_ps(term, sum);
  return {total(c), total(term)};
}
#else
MNS_HD inline StraightPathSums straightPathSums(const PairView& v, Index i, const Vec4f* u, float invH) {
  return straightPathSumsScalar(v, i, u, invH);
}
#endif

struct StraightPaths {
  static constexpr float kMostDeficiency = 0.25f;  // curved walls within the fluid have up to 0.15, free surfaces 0.3 and more
  PairView v;
  const Vec4f* u;
  const float* g;  // per slot: normal velocity of the particle less that of the surface [m/s]
  const float *deficiency, *sumC;
  float invH;
  float most;   // of |term| [1/s^2]
  float* term;  // += d^2 rho / dt^2 / (2 rho) [1/s^2]

  MNS_HD void operator()(Index i) const {
    // at a free surface the density by summation is no measure, and nothing holds the fluid together
    if (deficiency[i] > kMostDeficiency) return;
    const float t = 0.5f * secondDerivative(i);
    if (t < 0.f && deficiency[i] > 0.05f) return;
    term[i] += t < -most ? -most : (t > most ? most : t);
  }

  // of a pair at the distance r = q H with the coefficient c: speed2 and half rate of r^2
  MNS_HD float pairTerm(float c, float q, float halfRate, float speed2) const {
    using straight_paths::Kernel;
    return c * (Kernel::logSlopeNumerator(q) * halfRate * halfRate * invH * invH /
                    (q * Kernel::logSlopeDenominator(q, 1.f - q) + 1e-12f) -
                speed2);
  }

  MNS_HD float secondDerivative(Index i) const {
    const StraightPathSums s = straightPathSums(v, i, u, invH);
    const Index k = v.near[i];
    return k < 0 ? s.term : s.term + ofImages(i, k, sumC[i] - v.T[i].w, v.T[i].w - s.c);
  }

  // own, others: sums of c over the particle's own images and over those of the others. An image in an edge or corner is linked
  // once for each of its surfaces; the links' sum is brought to the images'.
  MNS_HD float ofImages(Index i, Index k, float own, float others) const {
    const Index first = v.slotBegin[k];
    const MirrorLink* l = v.links + v.linkBegin[k];
    float sum = 0, all = 0;
    for (int f = 0; f < v.featureCount[k]; ++f) {
      const Index s = first + f;
      for (Index n = 0; n < v.linkCount[s]; ++n, ++l) {
        const Index j = v.slotParticle[l->slot];
        const Vec3f d = (v.xh[j] - v.xh[i]).xyz(), du = (u[j] - u[i]).xyz();
        const float a2 = v.plane[s].w, b2 = v.plane[l->slot].w, va = g[s], vb = g[l->slot];
        const float q = std::sqrt(norm2(d) + a2 * b2) * invH;
        all += l->k;
        if (q < 1.f) sum += pairTerm(l->k, q, dot(d, du) + va * b2 + vb * a2, norm2(du) + 4.f * va * vb);
      }
    }
    if (all > 0.f) sum *= others / all;
    const float d2 = v.plane[first].w, q = d2 * invH, va = g[first];
    if (own > 0.f && q < 1.f) sum += pairTerm(own, q, 2.f * va * d2, 4.f * va * va);
    return sum;
  }
};

MNS_NS_END

// Compression by straight paths. Particles move along straight lines for a step, so the density of a flow whose divergence vanishes
// still changes by dt^2/2 of its second derivative along them, in every step. For a pair with relative velocity u along x = r e,
// and with F = W'/r,
//   d^2 W / dt^2 = F |u|^2 + (F'/r) (u . x)^2 = |F| (3 (u . x)^2 / (H^2 q (1 - q)) - |u|^2),   q = r / H   (Wendland C2)
// For a mirror image at r'^2 = |x|^2 + 4 d_a d_b the same holds with half the derivatives of r'^2, x . u + 2 (v_a d_b + d_a v_b)
// for u . x and |u|^2 + 4 v_a v_b for |u|^2, v the particles' normal velocities relative to the surface (the turning of the normals
// is left out). For a linear field this is tr (grad u)^2: compression where the strain exceeds the rotation. Relative motion of
// neighbours at random compresses as well. Proportional correction of the density lags behind such a steady source by 1 / beta
// steps: in the impact of a balloon by 3e-3, of which 1e-4 is left when the pressure solve is asked for the divergence that cancels
// it.
#pragma once

#include <cmath>

#if defined(__SSE4_1__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct StraightPathSums {
  float c;     // sum of c
  float term;  // sum of c (3 (u . x)^2 / (H^2 q (1 - q)) - |u|^2)
};

namespace straight_paths {

constexpr int kLanes = kRowUnit;  // pair k of a row is summed in lane k mod kLanes, whether one at a time or all at once
MNS_HD inline float total(const float (&l)[kLanes]) { return (l[0] + l[2]) + (l[1] + l[3]); }

}  // namespace straight_paths

// One pair at a time: the reference. What a row is padded with has c = 0 and adds nothing.
MNS_HD inline StraightPathSums straightPathSumsScalar(const PairView& v, Index i, const Vec4f* u, float invH) {
  float c[straight_paths::kLanes] = {}, term[straight_paths::kLanes] = {};
  const Pair* p = v.items + v.begin[i];
  for (Index k = 0; k < paddedRow(v.count[i]); ++k) {
    const Vec3f d = (v.xh[p[k].j] - v.xh[i]).xyz(), du = (u[p[k].j] - u[i]).xyz();
    const float r2 = (d.x * d.x + d.y * d.y) + d.z * d.z, s = (d.x * du.x + d.y * du.y) + d.z * du.z;
    const float u2 = (du.x * du.x + du.y * du.y) + du.z * du.z;
    const float q = std::sqrt(r2) * invH, b = 1.f - q, a = b > 0.f ? b : 0.f, sh = s * invH;
    c[k % straight_paths::kLanes] += p[k].c;
    term[k % straight_paths::kLanes] += p[k].c * (3.f * (sh * sh) / (q * a + 1e-12f) - u2);
  }
  return {straight_paths::total(c), straight_paths::total(term)};
}

#if defined(__SSE4_1__) && !defined(__CUDACC__)
// As straightPathSumsScalar, four pairs at a time, with the same bits.
inline StraightPathSums straightPathSums(const PairView& v, Index i, const Vec4f* u, float invH) {
  const auto dot3 = [](const __m128(&a)[4], const __m128(&b)[4]) {
    return _mm_add_ps(_mm_add_ps(_mm_mul_ps(a[0], b[0]), _mm_mul_ps(a[1], b[1])), _mm_mul_ps(a[2], b[2]));
  };
  const __m128 xi = v.xh[i].v, ui = u[i].v, H = _mm_set1_ps(invH), one = _mm_set1_ps(1.f), three = _mm_set1_ps(3.f),
               least = _mm_set1_ps(1e-12f), zero = _mm_setzero_ps();
  __m128 sumC = zero, sum = zero;
  const Pair* p = v.items + v.begin[i];
  for (const Pair* const end = p + v.count[i]; p < end; p += kRowUnit) {
    __m128 d[4], du[4];  // first pair after pair, then axis after axis
    for (int l = 0; l < 4; ++l) {
      d[l] = _mm_sub_ps(v.xh[p[l].j].v, xi);
      du[l] = _mm_sub_ps(u[p[l].j].v, ui);
    }
    _MM_TRANSPOSE4_PS(d[0], d[1], d[2], d[3]);
    _MM_TRANSPOSE4_PS(du[0], du[1], du[2], du[3]);
    const __m128 c = _mm_setr_ps(p[0].c, p[1].c, p[2].c, p[3].c), q = _mm_mul_ps(_mm_sqrt_ps(dot3(d, d)), H),
                 a = _mm_max_ps(_mm_sub_ps(one, q), zero), sh = _mm_mul_ps(dot3(d, du), H);
    const __m128 strain = _mm_div_ps(_mm_mul_ps(three, _mm_mul_ps(sh, sh)), _mm_add_ps(_mm_mul_ps(q, a), least));
    sumC = _mm_add_ps(sumC, c);
    sum = _mm_add_ps(sum, _mm_mul_ps(c, _mm_sub_ps(strain, dot3(du, du))));
  }
  alignas(16) float c[4], term[4];
  _mm_store_ps(c, sumC);
  _mm_store_ps(term, sum);
  return {straight_paths::total(c), straight_paths::total(term)};
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
    return c * (3.f * halfRate * halfRate * invH * invH / (q * (1.f - q) + 1e-12f) - speed2);
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

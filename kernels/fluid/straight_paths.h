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

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

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
    const Pair* p = v.items + v.begin[i];
    const Vec4f xi = v.xh[i], ui = u[i];
    float sum = 0, all = 0;
    for (Index k = 0; k < v.count[i]; ++k) {
      const Vec3f d = (v.xh[p[k].j] - xi).xyz(), du = (u[p[k].j] - ui).xyz();
      const float c = p[k].c;
      all += c;
      if (c > 0.f) sum += pairTerm(c, std::sqrt(norm2(d)) * invH, dot(d, du), norm2(du));
    }
    const Index k = v.near[i];
    return k < 0 ? sum : sum + ofImages(i, k, sumC[i] - v.T[i].w, v.T[i].w - all);
  }

  // own, others: sums of c over the particle's own images and over those of the others. An image in an edge or corner is linked
  // once for each of its surfaces; the links' sum is brought to the images'.
  MNS_HD float ofImages(Index i, Index k, float own, float others) const {
    const Offset first = Offset(k) * kMaxFeatures;
    const MirrorLink* l = v.links + v.linkBegin[k];
    float sum = 0, all = 0;
    for (int f = 0; f < v.featureCount[k]; ++f) {
      const Offset s = first + f;
      for (Index n = 0; n < v.linkCount[s]; ++n, ++l) {
        const Index j = v.nearParticle[l->slot / kMaxFeatures];
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

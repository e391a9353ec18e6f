// Artificial pressure of position-based fluids against the clumping of particles (Macklin & Mueller 2013, eq. 13 and 14):
//   s_corr = - k (W(|x_ab|) / W(dq))^4,   dq = 0.2 H
// added to lambda_a + lambda_b of a pair. As pressure: p_ab = strength (W(|x_ab|) / W(dq))^4, and du_a = (dt / rho_a) sum_b c_ab
// p_ab x_ab. Central, equal and opposite: momentum is exact. Mirror images have none.
#pragma once

#include "kernels/core/smoothing_kernel.h"
#include "kernels/fluid/pair_lanes.h"
#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct TensileCorrection {
  static constexpr float kReference = 0.2f;  // dq / H
  PairView v;
  float invH;
  const float* invRho;  // a particle
  float strength;       // dt k / (dt^2 (1 + epsilon) (1 / rho0) sum |grad C|^2 of a lattice) [Pa s]
  Vec4f* out;           // added to, m/s

  MNS_HD void operator()(Index i) const {
#if MNS_FLOAT8_AVX2
    lanes(i);
#else
    scalar(i);
#endif
  }
  MNS_HD void add(Index i, const Vec4f& sum) const { out[i] = out[i] + sum.withW(0.f) * (strength * invRho[i]); }
  MNS_HD static float referenceInverse() { return 1.f / SmoothingKernel<float>::shapeW(kReference, 1.f - kReference); }

  // The reference: pairs one at a time, even ones and odd ones apart.
  MNS_HD void scalar(Index i) const {
    const PairRow p = v.direct(i);
    const Vec4f xi = v.xh[i];
    const float inverse = referenceInverse();
    Vec4f sum[2] = {};
    for (Index k = 0; k < paddedRow(v.count[i]); ++k) {
      const Vec4f x = xi - v.xh[p[k].j()];
      const float q = std::sqrt((x * x).sum()) * invH;
      const float ratio = SmoothingKernel<float>::shapeW(q, q < 1.f ? 1.f - q : 0.f) * inverse, r2 = ratio * ratio;
      sum[k % 2].addScaled(x, p[k].c * (r2 * r2));
    }
    add(i, sum[0] + sum[1]);
  }

#if MNS_FLOAT8_AVX2
  // As scalar, eight pairs at a time, with the same bits.
  void lanes(Index i) const {
    const Vec4f xi = v.xh[i];
    const Vec8 x8 = spread(xi);
    const Float8 inverse(referenceInverse()), h(invH);
    Vec4f s0{}, s1{};
    forEachDirectLanes(v, i, [&](Float8 c, const Index* j, bool both) {
      const Vec8 x = x8 - gather(v.xh, j);
      const Float8 q = Float8(_mm256_sqrt_ps(dot(x, x).v)) * h;
      const Float8 a(_mm256_max_ps((Float8(1.f) - q).v, _mm256_setzero_ps()));
      const Float8 ratio = SmoothingKernel<float>::shapeW(q, a) * inverse, r2 = ratio * ratio;
      alignas(32) float f[kLanes];
      (c * (r2 * r2)).store(f);
      for (int l = 0; l < (both ? kLanes : kRowUnit); l += 2) {
        s0.addScaled(xi - v.xh[j[l]], f[l]);
        s1.addScaled(xi - v.xh[j[l + 1]], f[l + 1]);
      }
    });
    add(i, s0 + s1);
  }
#endif
};

MNS_NS_END

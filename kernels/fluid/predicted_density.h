// Density constraints of position-based fluids (Macklin & Mueller 2013, eq. 1) after a move of all particles by s:
//   C_a = rho_a / rho0 - 1,   rho_a / rho0 = cW V (W(0) + sum_b W(|x_ab + s_ab|) + images)
// Direct pairs are summed anew. What the mirror images contribute is taken to first order in s, by the operator D, which knows how
// surfaces move; so D s of the whole neighbourhood is given and the direct pairs' part of it is taken out again:
//   C_a = rho_a(x) / rho0 - 1 + cW (sum_b (V (W(|x_ab + s_ab|) - W(|x_ab|)) + c_ab x_ab . s_ab) - (D s)_a)
#pragma once

#include "kernels/core/float8.h"
#include "kernels/core/smoothing_kernel.h"
#include "kernels/fluid/pair_lanes.h"
#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct PredictedDensity {
  static constexpr int kSums = kRowUnit;  // pair k of a row is summed in sum k mod kSums, one at a time or all at once
  PairView v;
  SmoothingKernel<float> kernel;
  float V, cW;           // m^3; the factor that makes a lattice's density the rest density
  const float* density;  // rho / rho0 at x
  const float* Ds;       // (D s)_a
  const Vec4f* s;        // m, the fourth 0
  float* error;          // C

  MNS_HD void operator()(Index i) const {
#if MNS_FLOAT8_AVX2
    error[i] = constraint(i, lanes(i));
#else
    error[i] = constraint(i, scalar(i));
#endif
  }
  MNS_HD float constraint(Index i, float beyondFirstOrder) const { return density[i] - 1.f + cW * (beyondFirstOrder - Ds[i]); }

  // One pair at a time: the reference. A row is padded with the particle itself, which does not move about itself.
  MNS_HD float scalar(Index i) const {
    float sum[kSums] = {};
    const PairRow p = v.direct(i);
    const float scale = V * kernel.w0;
    for (Index k = 0; k < paddedRow(v.count[i]); ++k) {
      const Vec3f x = (v.xh[i] - v.xh[p[k].j()]).xyz(), d = (s[i] - s[p[k].j()]).xyz();
      const float along = (x.x * d.x + x.y * d.y) + x.z * d.z;
      const Vec3f y{x.x + d.x, x.y + d.y, x.z + d.z};
      const float before = shape(std::sqrt((x.x * x.x + x.y * x.y) + x.z * x.z) * kernel.invH);
      const float after = shape(std::sqrt((y.x * y.x + y.y * y.y) + y.z * y.z) * kernel.invH);
      sum[k % kSums] += scale * (after - before) + p[k].c * along;
    }
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
  }
  // W / W(0)
  MNS_HD static float shape(float q) { return SmoothingKernel<float>::shapeW(q, q < 1.f ? 1.f - q : 0.f); }

#if MNS_FLOAT8_AVX2
  // As scalar, eight pairs at a time, with the same bits.
  float lanes(Index i) const {
    const Vec8 xi = spread(v.xh[i]), si = spread(s[i]);
    const Float8 scale(V * kernel.w0), invH(kernel.invH);
    const auto dot3 = [](const Vec8& a, const Vec8& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; };
    __m128 sum = _mm_setzero_ps();
    forEachDirectLanes(v, i, [&](Float8 c, const Index* j, bool both) {
      const Vec8 x = xi - gather(v.xh, j), d = si - gather(s, j);
      const Vec8 y{x.x + d.x, x.y + d.y, x.z + d.z};
      const Float8 before = shape8(Float8(_mm256_sqrt_ps(dot3(x, x).v)) * invH);
      const Float8 after = shape8(Float8(_mm256_sqrt_ps(dot3(y, y).v)) * invH);
      const Float8 term = scale * (after - before) + c * dot3(x, d);
      sum = _mm_add_ps(sum, _mm256_castps256_ps128(term.v));
      if (both) sum = _mm_add_ps(sum, _mm256_extractf128_ps(term.v, 1));
    });
    alignas(16) float l[kSums];
    _mm_store_ps(l, sum);
    return (l[0] + l[2]) + (l[1] + l[3]);
  }
  static Float8 shape8(Float8 q) {
    return SmoothingKernel<float>::shapeW(q, Float8(_mm256_max_ps((Float8(1.f) - q).v, _mm256_setzero_ps())));
  }
#endif
};

MNS_NS_END

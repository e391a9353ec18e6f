// XSPH: pairwise damping of velocity differences along the line of centres, explicit. Physical viscosity: viscous_pass.h.
//   du_a/dt = - 2 (d + 2) nu sum_b c_ab (u_ab . x_ab) x_ab / r^2,   d = 3,  c = V |F|
// Cleary's form (Cleary & Monaghan 1999, eq. 2.9), which has the same continuum limit nu lap u as the Morris form of eq. 6 of the
// ISPH-PBD paper but, the forces being central, also conserves angular momentum.
#pragma once

#include "kernels/fluid/pair_lanes.h"
#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct PairDamping {
  PairView v;
  const Vec4f* u;
  Vec4f* out;         // u + dt * damping
  const float* nuDt;  // per fluid kind: 2 (d + 2) nu dt [m^2]
  const std::uint8_t* kind;
  bool oneKind;  // they are all the same

  MNS_HD void operator()(Index i) const {
#if MNS_FLOAT8_AVX2
    lanes(i);
#else
    scalar(i);
#endif
  }

  // The reference: four pairs at a time (rows are padded), so that the divisions of four overlap.
  MNS_HD void scalar(Index i) const {
    const PairRow row = v.direct(i);
    const Vec4f xi = v.xh[i], ui = u[i];
    Vec4f s0{}, s1{};
    for (Index unit = 0; unit * kRowUnit < v.count[i]; ++unit) {
      const Pair* const p = row.unit(unit);
      Vec4f x[kRowUnit];
      float c[kRowUnit];
      for (int l = 0; l < kRowUnit; ++l) {
        const Index j = p[l].j();
        x[l] = xi - v.xh[j];
        c[l] = coefficient(i, j) * p[l].c * ((ui - u[j]) * x[l]).sum() / ((x[l] * x[l]).sum() + 1e-20f);
      }
      s0.addScaled(x[0], c[0]);
      s1.addScaled(x[1], c[1]);
      s0.addScaled(x[2], c[2]);
      s1.addScaled(x[3], c[3]);
    }
    out[i] = Vec4f((ui - (s0 + s1)).xyz(), 0.f);
  }
  // The mean of both kinds' coefficients keeps the pair's forces equal and opposite for equal densities.
  MNS_HD float coefficient(Index i, Index j) const { return 0.5f * (nuDt[kind[i]] + nuDt[kind[j]]); }

#if MNS_FLOAT8_AVX2
  // As scalar, eight pairs at a time, with the same bits.
  void lanes(Index i) const {
    fetchFarthest(v, i, v.xh);
    fetchFarthest(v, i, u);
    const Vec4f xi = v.xh[i], ui = u[i];
    const Vec8 x8 = spread(xi), u8 = spread(ui);
    const Float8 same(coefficient(i, i)), least(1e-20f);
    Vec4f s0{}, s1{};
    forEachDirectLanes(v, i, [&](Float8 c, const Index* j, bool both) {
      const Vec8 x = x8 - gather(v.xh, j), du = u8 - gather(u, j);
      alignas(32) float factor[kLanes];
      const Float8 k = oneKind ? same : coefficients(i, j);
      Float8(_mm256_div_ps((k * c * dot(du, x)).v, (dot(x, x) + least).v)).store(factor);
      for (int l = 0; l < (both ? kLanes : kRowUnit); l += 2) {
        s0.addScaled(xi - v.xh[j[l]], factor[l]);
        s1.addScaled(xi - v.xh[j[l + 1]], factor[l + 1]);
      }
    });
    out[i] = Vec4f((ui - (s0 + s1)).xyz(), 0.f);
  }
  Float8 coefficients(Index i, const Index* j) const {
    alignas(32) float k[kLanes];
    for (int l = 0; l < kLanes; ++l) k[l] = coefficient(i, j[l]);
    return Float8::load(k);
  }
#endif
};

MNS_NS_END

// Artificial viscosity of weakly compressible SPH: Becker & Teschner 2007, eq. 10 to 12 (Monaghan 1992, eq. 4.1), between particles
// that approach each other, explicit:
//   du_a/dt = - sum_b m_b Pi_ab grad W_ab,   Pi_ab = - 2 alpha h c (u_ab . x_ab) / ((rho_a + rho_b) (x_ab^2 + 0.01 h^2)) where
//   u_ab . x_ab < 0, else 0;   h: half the support
// With c_ab = V |F|, grad W_ab = F x_ab, all particles of the volume V and rho at rest. Forces are central, equal and opposite:
// linear and angular momentum are exact.
#pragma once

#include "kernels/fluid/pair_lanes.h"
#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct ArtificialViscosity {
  PairView v;
  const Vec4f* u;            // m/s, the fourth 0
  const std::uint8_t* kind;  // a particle
  const float* rho;          // a kind [kg/m^3]
  float strength;            // 2 alpha h c dt [m^2]
  float soft2;               // 0.01 h^2 [m^2]
  Vec4f* out;                // added to, m/s

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
      float f[kRowUnit];
      for (int l = 0; l < kRowUnit; ++l) {
        x[l] = xi - v.xh[p[l].j()];
        const float approach = ((ui - u[p[l].j()]) * x[l]).sum();
        f[l] = massShare(i, p[l].j()) * p[l].c * (approach < 0.f ? approach : 0.f) / ((x[l] * x[l]).sum() + soft2);
      }
      s0.addScaled(x[0], f[0]);
      s1.addScaled(x[1], f[1]);
      s0.addScaled(x[2], f[2]);
      s1.addScaled(x[3], f[3]);
    }
    add(i, s0 + s1);
  }
  MNS_HD void add(Index i, const Vec4f& sum) const { out[i] = out[i] - sum.withW(0.f) * strength; }
  MNS_HD float massShare(Index i, Index j) const { return rho[kind[j]] / (rho[kind[i]] + rho[kind[j]]); }

#if MNS_FLOAT8_AVX2
  // As scalar, eight pairs at a time, with the same bits.
  void lanes(Index i) const {
    const Vec4f xi = v.xh[i], ui = u[i];
    const Vec8 x8 = spread(xi), u8 = spread(ui);
    const Float8 soft(soft2), zero(0.f);
    Vec4f s0{}, s1{};
    forEachDirectLanes(v, i, [&](Float8 c, const Index* j, bool both) {
      const Vec8 x = x8 - gather(v.xh, j), du = u8 - gather(u, j);
      alignas(32) float f[kLanes], share[kLanes];
      for (int l = 0; l < kLanes; ++l) share[l] = massShare(i, j[l]);
      const Float8 approach(_mm256_min_ps(dot(du, x).v, zero.v));
      Float8(_mm256_div_ps((Float8::load(share) * c * approach).v, (dot(x, x) + soft).v)).store(f);
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

// XSPH: pairwise damping of velocity differences along the line of centres, explicit. Physical viscosity: viscous_pass.h.
//   du_a/dt = - 2 (d + 2) nu sum_b c_ab (u_ab . x_ab) x_ab / r^2,   d = 3,  c = V |F|
// Cleary's form (Cleary & Monaghan 1999, eq. 2.9), which has the same continuum limit nu lap u as the Morris form of eq. 6 of the
// ISPH-PBD paper but, the forces being central, also conserves angular momentum.
#pragma once

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct PairDamping {
  PairView v;
  const Vec4f* u;
  Vec4f* out;         // u + dt * damping
  const float* nuDt;  // per fluid kind: 2 (d + 2) nu dt [m^2]
  const std::uint8_t* kind;

  // Four pairs at a time (rows are padded), so that the divisions of four overlap.
  MNS_HD void operator()(Index i) const {
    const Pair* p = v.items + v.begin[i];
    const Vec4f xi = v.xh[i], ui = u[i];
    const float ki = nuDt[kind[i]];
    Vec4f s0{}, s1{};
    for (const Pair* const end = p + v.count[i]; p < end; p += kRowUnit) {
      Vec4f x[kRowUnit];
      float c[kRowUnit];
      for (int l = 0; l < kRowUnit; ++l) {
        const Index j = p[l].j;
        x[l] = xi - v.xh[j];
        // the mean of both kinds' coefficients keeps the pair's forces equal and opposite for equal densities
        c[l] = 0.5f * (ki + nuDt[kind[j]]) * p[l].c * ((ui - u[j]) * x[l]).sum() / ((x[l] * x[l]).sum() + 1e-20f);
      }
      s0.addScaled(x[0], c[0]);
      s1.addScaled(x[1], c[1]);
      s0.addScaled(x[2], c[2]);
      s1.addScaled(x[3], c[3]);
    }
    out[i] = Vec4f((ui - (s0 + s1)).xyz(), 0.f);
  }
};

MNS_NS_END

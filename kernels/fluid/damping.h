// Pairwise damping of velocity differences along the line of centres: physical viscosity and XSPH alike.
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
  MNS_HD void operator()(Index i) const {
    const Pair* p = v.items + v.begin[i];
    const Vec3f xi = v.xh[i].xyz(), ui = u[i].xyz();
    Vec3f s{};
    const float ki = nuDt[kind[i]];
    for (Index k = 0; k < v.count[i]; ++k) {
      const Index j = p[k].j;
      const Vec3f x = xi - v.xh[j].xyz();
      const float r2 = norm2(x) + 1e-20f;
      // the mean of both kinds' coefficients keeps the pair's forces equal and opposite for equal densities
      s += x * (0.5f * (ki + nuDt[kind[j]]) * p[k].c * dot(ui - u[j].xyz(), x) / r2);
    }
    out[i] = Vec4f(ui - s, 0.f);
  }
};

MNS_NS_END

// Compression by straight paths. Particles move along straight lines for a step, so the density of a flow whose divergence vanishes
// still changes by dt^2/2 of its second derivative along them, in every step. For a pair with relative velocity u along x = r e,
// and with F = W'/r,
//   d^2 W / dt^2 = F |u|^2 + (F'/r) (u . x)^2 = |F| (3 (u . x)^2 / (H^2 q (1 - q)) - |u|^2),   q = r / H   (Wendland C2)
// For a linear field this is tr (grad u)^2: compression where the strain exceeds the rotation. Relative motion of neighbours at
// random compresses as well. Proportional correction of the density lags behind such a steady source by 1 / beta steps: in the
// impact of a balloon by 3e-3, of which 1e-4 is left when the pressure solve is asked for the divergence that cancels it.
#pragma once

#include <cmath>

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct StraightPaths {
  static constexpr float kMostDeficiency = 0.25f;  // curved walls within the fluid have up to 0.15, free surfaces 0.3 and more
  PairView v;
  const Vec4f* u;
  const float* deficiency;
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

  // Images behind surfaces are taken to contribute in proportion.
  MNS_HD float secondDerivative(Index i) const {
    const Pair* p = v.items + v.begin[i];
    const Vec4f xi = v.xh[i], ui = u[i];
    float sum = 0, all = 0;
    for (Index k = 0; k < v.count[i]; ++k) {
      const Vec3f d = (v.xh[p[k].j] - xi).xyz(), du = (u[p[k].j] - ui).xyz();
      const float q = std::sqrt(norm2(d)) * invH, a = 1.f - q, s = dot(d, du);
      const float c = p[k].c;
      all += c;
      if (c > 0.f) sum += c * (3.f * s * s * invH * invH / (q * a + 1e-12f) - norm2(du));
    }
    return all > 0.f ? sum * (v.T[i].w / all) : 0.f;
  }
};

MNS_NS_END

// The weight of a pair in the viscous forces.
//
// A central force needs the fourth moments of the neighbourhood, sum w x^2 z^2 / r^2, where the Laplacian needs the second ones
// only. |F| of the fluid's kernel falls off so fast that at a support of two spacings the axis neighbours dominate: shear along
// the axes of a cubic lattice would feel 0.7 of the viscosity, and layers of a shear flow stay a lattice for long. The weight
//   w(r) = f (1 - q) (1 + kappa (1 - q)),   q = r / H
// has kappa such that the lattice's fourth moments are isotropic, sum w x^4 / r^2 = 3 sum w x^2 z^2 / r^2, and f such that
// sum w r^2 = 3, as sum V |F| r^2 in the continuum.
#pragma once

#include <cmath>

#include "kernels/core/macros.h"

MNS_NS_BEGIN

struct ViscousKernel {
  float H, invH;   // m, 1/m
  float f, kappa;  // 1/m^2, 1

  // For particles with spacing dx [m].
  MNS_HD static ViscousKernel make(double dx, double support) {
    double anisotropy[2] = {0, 0}, second[2] = {0, 0};
    const int reach = int(support / dx) + 1;
    for (int z = -reach; z <= reach; ++z)
      for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x) {
          const double r2 = (double(x) * x + double(y) * y + double(z) * z) * dx * dx, a = 1 - std::sqrt(r2) / support;
          if (r2 == 0 || a <= 0) continue;
          const double x2 = x * x * dx * dx, z2 = z * z * dx * dx;
          for (int k = 0; k < 2; ++k) {
            const double w = k ? a * a : a;
            anisotropy[k] += w * (x2 * x2 - 3 * x2 * z2) / r2;
            second[k] += w * r2;
          }
        }
    // not negative anywhere
    double kappa = anisotropy[1] != 0 ? -anisotropy[0] / anisotropy[1] : 0;
    kappa = kappa < -1 ? -1 : (kappa > 10 ? 10 : kappa);
    return {float(support), float(1 / support), float(3 / (second[0] + kappa * second[1])), float(kappa)};
  }
  // For r < H; the caller has tested the support.
  MNS_HD float w(float r) const {
    const float a = 1.f - r * invH;
    return f * a * (1.f + kappa * a);
  }
};

MNS_NS_END

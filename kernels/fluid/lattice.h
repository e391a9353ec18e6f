// Sums over the simple cubic lattice of spacing dx, which define "rest": the discrete kernel sums there, not the integrals, are the
// reference for density and for the kernel deficiency.
#pragma once

#include "kernels/core/smoothing_kernel.h"

MNS_NS_BEGIN

struct LatticeSums {
  double cW;    // 1 / (V sum W): density scale, so that the lattice has rho = rho0
  double S0;    // sum c, c = V |F| [1/m^2]; |K| of the paper's eq. 12 is 2 S0 / rho
  double c2r2;  // sum c^2 r^2 [1/m^2]
  int neighbours;
};

inline LatticeSums latticeSums(double dx, double support) {
  const auto k = SmoothingKernel<double>::make(support);
  const double V = dx * dx * dx;
  const int m = int(support / dx) + 1;
  LatticeSums s{0, 0, 0, 0};
  double sumW = k.W(0);
  for (int z = -m; z <= m; ++z)
    for (int y = -m; y <= m; ++y)
      for (int x = -m; x <= m; ++x) {
        const double r = dx * std::sqrt(double(x * x + y * y + z * z));
        if (r == 0 || r >= support) continue;
        const double c = V * k.absF(r);
        sumW += k.W(r);
        s.S0 += c;
        s.c2r2 += c * c * r * r;
        ++s.neighbours;
      }
  s.cW = 1.0 / (V * sumW);
  return s;
}

MNS_NS_END

// Density by summation over all pairs: rho_i / m = sum_j W(|x_i - x_j|). Quadratic in the number of particles: the reference for
// neighbour searches, and the work with which a device is tried before it is used.
#pragma once

#include "kernels/core/smoothing_kernel.h"
#include "kernels/core/vec4.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

struct DensityAllPairs {
  View<const Vec4f> x;  // positions [m]; w unused
  SmoothingKernel<float> kernel;
  View<float> numberDensity;  // out [1/m^3]

  MNS_HD void operator()(Index i) const {
    const Vec3f xi = x[i].xyz();
    float sum = 0;
    for (Index j = 0; j < x.n; ++j) {
      const float r2 = norm2(x[j].xyz() - xi);
      if (r2 < kernel.H * kernel.H) sum += kernel.W(std::sqrt(r2));
    }
    numberDensity[i] = sum;
  }
};

MNS_NS_END

// How far the pressure of water at rest is from p = rho g (surface - z).
#pragma once

#include <cmath>
#include <vector>

#include "engine/world/world.h"
#include "kernels/core/smoothing_kernel.h"

namespace meniscus::testing {

struct PressureError {
  double bias = 0;   // mean error over rho g depth
  double rms = 0;    // of the error averaged over the neighbours with the kernel, as a display shows it, over rho g depth
  double noise = 0;  // rms of the particles' own errors, over rho g depth
};

// `surface` [m] is where p = 0. Every pair is looked at: for a few thousand particles.
inline PressureError pressureError(const World& w, double surface, double depth) {
  const double scale = 1000 * 9.81 * depth;
  const SmoothingKernel<double> kernel = SmoothingKernel<double>::make(2 * w.dx);
  const Index n = w.fluid.n;
  std::vector<double> error;
  PressureError out;
  for (Index i = 0; i < n; ++i) {
    const double exact = 1000 * 9.81 * (surface - w.scene.domain.min.z - w.fluid.x[i].z);
    error.push_back((w.fluid.p[i] - exact) / scale);
    out.bias += error.back() / n;
    out.noise += error.back() * error.back() / n;
  }
  for (Index i = 0; i < n; ++i) {
    double sum = 0, weight = 0;
    for (Index j = 0; j < n; ++j) {
      const double r = norm(Vec3d((w.fluid.x[j] - w.fluid.x[i]).xyz()));
      if (r >= kernel.H) continue;
      sum += kernel.W(r) * error[std::size_t(j)];
      weight += kernel.W(r);
    }
    out.rms += sum / weight * (sum / weight) / n;
  }
  out.rms = std::sqrt(out.rms);
  out.noise = std::sqrt(out.noise);
  return out;
}

inline double kineticEnergyPerMass(const World& w) {  // J/kg
  double energy = 0;
  for (Index i = 0; i < w.fluid.n; ++i) energy += 0.5 * norm2(Vec3d(w.fluid.u[i].xyz())) / w.fluid.n;
  return energy;
}

}  // namespace meniscus::testing

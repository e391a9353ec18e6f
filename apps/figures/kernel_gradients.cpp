// Figure 6: how far the SPH estimate of a constant pressure gradient is off in a lattice, over the smoothing parameter S, h = S dx.
#include <fmt/format.h>

#include <cmath>

#include "apps/figures/figures.h"

namespace meniscus::figures {
namespace {

constexpr double kPi = 3.14159265358979323846;

double cube(double a) { return a > 0 ? a * a * a : 0; }
double fifth(double a) { return a > 0 ? a * a * a * a * a : 0; }

}  // namespace

double wendlandSlope(double r, double h) {
  const double H = 2 * h;
  return -210 / (kPi * std::pow(H, 5)) * cube(1 - r / H);
}

// Monaghan 1992: 1 / (pi h^3) ((1/4) (2 - q)^3 - (1 - q)^3)
double cubicSlope(double r, double h) {
  const double q = r / h, a = q < 2 ? 2 - q : 0, b = q < 1 ? 1 - q : 0;
  return q > 0 ? (-0.75 * a * a + 3 * b * b) / (q * kPi * std::pow(h, 5)) : 0;
}

// 1 / (20 pi h^3) ((5/2 - q)^4 - 5 (3/2 - q)^4 + 10 (1/2 - q)^4)
double quarticSlope(double r, double h) {
  const double q = r / h;
  if (q == 0) return 0;
  return -4 * (cube(2.5 - q) - 5 * cube(1.5 - q) + 10 * cube(0.5 - q)) / (q * 20 * kPi * std::pow(h, 5));
}

// 1 / (120 pi h^3) ((3 - q)^5 - 6 (2 - q)^5 + 15 (1 - q)^5)
double quinticKernel(double r, double h) {
  const double q = r / h;
  return (fifth(3 - q) - 6 * fifth(2 - q) + 15 * fifth(1 - q)) / (120 * kPi * h * h * h);
}

double gradientError(double (*slopeOverR)(double r, double h), double supportInH, double S) {
  // sum_b V p_b dW/dx with p = x about the middle particle: - sum_b x_b^2 W'/r. Volumes are the lattice's.
  const int reach = int(std::ceil(supportInH * S));
  double sum = 0;
  for (int z = -reach; z <= reach; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const double r = std::sqrt(double(x * x + y * y + z * z));
        if (r > 0 && r < supportInH * S) sum -= x * x * slopeOverR(r, S);
      }
  return std::fabs(sum - 1);
}

Drawn kernelGradients(const Effort& effort) {
  struct Kernel {
    const char* name;
    double (*slope)(double, double);
    double support;
  };
  constexpr Kernel kernels[] = {
      {"cubic spline", cubicSlope, 2}, {"quartic spline", quarticSlope, 2.5}, {"Wendland C2", wendlandSlope, 2}};
  const double step = effort.pick(0.02, 0.005);
  Drawn drawn;
  Plot plot{"figure-06", "smoothing parameter S", "log10 of the relative error of the gradient", {}};
  for (const Kernel& k : kernels) {
    Curve c{k.name, {}};
    double coarse = 0, fine = 0;
    for (int i = 0; 0.9 + i * step <= 3.0001; ++i) {
      const double S = 0.9 + i * step, error = gradientError(k.slope, k.support, S);
      c.points.emplace_back(S, std::log10(std::max(error, 1e-12)));
      if (S < 1.5) coarse = std::max(coarse, error);
      if (S > 2.5) fine = std::max(fine, error);
      effort.progress((S - 0.9) / 2.2);
    }
    drawn.sentences.push_back(fmt::format("{}: largest error {:.2e} for S below 1.5, {:.2e} above 2.5", k.name, coarse, fine));
    plot.curves.push_back(std::move(c));
  }
  drawn.plots.push_back(std::move(plot));
  return drawn;
}

const std::vector<PaperFigure>& all() {
  static const std::vector<PaperFigure> figures = {
      {"6", "error of the pressure gradient by three kernels over the smoothing parameter", kernelGradients},
      {"10", "error of the pressure in the balloon over the number of particles, weakly compressible and incompressible",
       balloonPressureError},
      {"11", "error of the pressure in a pillar of 5 m", pillarPressureError},
      {"17", "three spheres: heavier than water, as heavy, lighter", buoyancy},
      {"8", "the balloon by the stiffness of its skin", balloonStiffness},
      {"9", "the volume of the water in a balloon that falls, weakly compressible and incompressible", volumeLoss},
      {"13", "a jet on a sheet by the stiffness of the sheet", sheetStiffness},
      {"18", "water poured on a body that it sticks to or slips on", slipOnBody},
      {"19", "water on cloth, ours and by position-based fluids: distance to the cloth, clumping", clumping}};
  return figures;
}

}  // namespace meniscus::figures

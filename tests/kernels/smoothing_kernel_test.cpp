#include "kernels/core/smoothing_kernel.h"

#include <gtest/gtest.h>

#include "kernels/fluid/lattice.h"
#include "tests/oracle/mirror_oracle.h"

namespace meniscus {
namespace {

// Integral of 4 pi r^2 W over the support by Simpson's rule: 1. The integrand is a polynomial of degree 8, so 1000 intervals are
// exact to round-off.
template <class T>
double integral(T support) {
  const auto k = SmoothingKernel<T>::make(support);
  const int n = 1000;
  const double h = double(support) / n;
  double s = 0;
  for (int i = 0; i <= n; ++i) {
    const double r = i * h;
    const double weight = i == 0 || i == n ? 1 : (i % 2 ? 4 : 2);
    s += weight * 4 * oracle::kPi * r * r * (i == n ? 0.0 : double(k.W(T(r))));
  }
  return s * h / 3;
}

TEST(SmoothingKernel, IntegralIsOne) {
  for (const double support : {1e-3, 0.04, 1.0, 37.0}) {
    EXPECT_NEAR(integral<double>(support), 1, 1e-10);
    EXPECT_NEAR(integral<float>(float(support)), 1, 1e-5);
  }
}

// At the rim of the support kernel and gradient vanish; at the centre F is finite.
TEST(SmoothingKernel, RimAndCentre) {
  const auto k = SmoothingKernel<double>::make(0.04);
  EXPECT_EQ(k.W(0.04), 0);
  EXPECT_EQ(k.absF(0.04), 0);
  EXPECT_NEAR(k.W(0) / (378 / (41 * oracle::kPi * std::pow(0.04, 3))), 1, 1e-14);
  EXPECT_NEAR(k.absF(0) / (7560 / (41 * oracle::kPi * std::pow(0.04, 5))), 1, 1e-14);
}

// -F r is the derivative of W: central differences with step 1e-5 H are good to 1e-9 W(0)/H; the float version must agree to its
// precision.
TEST(SmoothingKernel, GradientIsTheDerivative) {
  const double H = 0.05, h = 1e-5 * H;
  const auto k = SmoothingKernel<double>::make(H);
  const auto f = SmoothingKernel<float>::make(float(H));
  const double scale = k.W(0) / H;
  for (int i = 1; i < 100; ++i) {
    const double r = i * 0.01 * H;
    const double difference = (k.W(r + h) - k.W(r - h)) / (2 * h);
    EXPECT_NEAR(-k.absF(r) * r, difference, 1e-8 * scale);
    EXPECT_NEAR(f.absF(float(r)), k.absF(r), 2e-6 * k.absF(0));
    EXPECT_NEAR(f.W(float(r)), k.W(r), 2e-6 * k.W(0));
    EXPECT_NEAR(k.W(r), oracle::kernelW(r, H), 1e-12 * k.W(0));
    EXPECT_NEAR(k.absF(r), oracle::kernelF(r, H), 1e-12 * k.absF(0));
  }
}

// Sums over the cubic lattice computed apart: neighbours, V sum W and |K| rho dx^2 = 2 S0 dx^2.
TEST(SmoothingKernel, LatticeSums) {
  const struct {
    double support;
    int neighbours;
    double W, K;
  } table[] = {{2.0, 26, 1.0379, 4.288}, {2.4, 56, 1.0149, 3.455}, {3.0, 92, 1.0040, 2.488}, {4.0, 250, 1.0006, 1.502}};
  for (const auto& row : table)
    for (const double dx : {1.0, 0.013}) {
      const LatticeSums s = latticeSums(dx, row.support * dx);
      EXPECT_EQ(s.neighbours, row.neighbours);
      EXPECT_NEAR(1 / s.cW, row.W, 6e-5);
      EXPECT_NEAR(2 * s.S0 * dx * dx, row.K, 6e-4);
      EXPECT_NEAR(s.S0 / oracle::latticeC(dx, row.support * dx), 1, 1e-12);
    }
}

// A cubic lattice whose density sum rises as it is sheared at constant volume resists like an elastic solid. Second derivatives of
// the sum, by differences of it, for simple shear along the axes and for stretching along one axis at the cost of another: at a
// support of two spacings both are a few hundredths, and their mean over directions, 3/5 and 2/5, is nearly nothing.
TEST(SmoothingKernel, ACubicLatticeHardlyResistsShear) {
  const auto kernel = SmoothingKernel<double>::make(2);
  const auto sum = [&](double shear, double stretch) {
    double s = 0;
    for (int x = -4; x <= 4; ++x)
      for (int y = -4; y <= 4; ++y)
        for (int z = -4; z <= 4; ++z) {
          const double a = std::exp(stretch / 2) * (x + shear * y), b = std::exp(-stretch / 2) * y,
                       r = std::sqrt(a * a + b * b + z * z);
          if (r < 2) s += kernel.W(r);
        }
    return s;
  };
  const double h = 0.01, rest = sum(0, 0);
  const double axes = (sum(h, 0) + sum(-h, 0) - 2 * rest) / (h * h * rest);
  const double diagonal = (sum(0, h) + sum(0, -h) - 2 * rest) / (h * h * rest);
  EXPECT_NEAR(axes, 0.040, 0.002);
  EXPECT_NEAR(diagonal, -0.026, 0.004);  // differences over the rim of the support, where neighbours lie
  EXPECT_NEAR(0.6 * axes + 0.4 * diagonal, 0.0137, 0.004);
}

// Where the Fourier transform of a kernel is negative, particles pair (Dehnen & Aly 2012): it is positive up to thrice the wave
// number of the spacing, beyond which its size is below 2e-5 of its greatest.
TEST(SmoothingKernel, FourierTransformIsPositive) {
  const auto kernel = SmoothingKernel<double>::make(2);
  const int n = 4000;
  for (double k = 0.1; k < 6 * oracle::kPi; k += 0.1) {
    double s = 0;
    for (int i = 1; i < n; ++i) {
      const double r = 2.0 * i / n;
      s += kernel.W(r) * r * std::sin(k * r) / k;
    }
    EXPECT_GT(s * 4 * oracle::kPi * 2.0 / n, 0) << k;
  }
}

}  // namespace
}  // namespace meniscus

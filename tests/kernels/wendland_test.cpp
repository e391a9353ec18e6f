#include "kernels/core/wendland.h"

#include <gtest/gtest.h>

#include "kernels/fluid/lattice.h"
#include "tests/oracle/mirror_oracle.h"

namespace meniscus {
namespace {

// Integral of 4 pi r^2 W over the support by Simpson's rule: 1. The integrand is a polynomial of degree 7, so 1000 intervals are
// exact to round-off.
template <class T>
double integral(T support) {
  const auto k = Wendland<T>::make(support);
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

TEST(Wendland, IntegralIsOne) {
  for (const double support : {1e-3, 0.04, 1.0, 37.0}) {
    EXPECT_NEAR(integral<double>(support), 1, 1e-10);
    EXPECT_NEAR(integral<float>(float(support)), 1, 1e-5);
  }
}

// At the rim of the support kernel and gradient vanish; at the centre F is finite.
TEST(Wendland, RimAndCentre) {
  const auto k = Wendland<double>::make(0.04);
  EXPECT_EQ(k.W(0.04), 0);
  EXPECT_EQ(k.absF(0.04), 0);
  EXPECT_NEAR(k.W(0) / (21 / (2 * oracle::kPi * std::pow(0.04, 3))), 1, 1e-14);
  EXPECT_NEAR(k.absF(0) / (210 / (oracle::kPi * std::pow(0.04, 5))), 1, 1e-14);
}

// -F r is the derivative of W: central differences with step 1e-5 H are good to 1e-9 W(0)/H; the float version must agree to its
// precision.
TEST(Wendland, GradientIsTheDerivative) {
  const double H = 0.05, h = 1e-5 * H;
  const auto k = Wendland<double>::make(H);
  const auto f = Wendland<float>::make(float(H));
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

// Sums over the cubic lattice against a hand-made loop over shells of table 1: neighbours, V sum W and |K| rho dx^2 = 2 S0 dx^2.
TEST(Wendland, LatticeSums) {
  const struct {
    double support;
    int neighbours;
    double W, K;
  } table[] = {{2.0, 26, 1.0338, 4.473}, {2.4, 56, 1.0175, 3.745}, {3.0, 92, 1.0031, 2.709}, {4.0, 250, 1.0005, 1.645}};
  for (const auto& row : table)
    for (const double dx : {1.0, 0.013}) {
      const LatticeSums s = latticeSums(dx, row.support * dx);
      EXPECT_EQ(s.neighbours, row.neighbours);
      EXPECT_NEAR(1 / s.cW, row.W, 6e-5);
      EXPECT_NEAR(2 * s.S0 * dx * dx, row.K, 6e-4);
      EXPECT_NEAR(s.S0 / oracle::latticeC(dx, row.support * dx), 1, 1e-12);
    }
}

}  // namespace
}  // namespace meniscus

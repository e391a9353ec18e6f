// Pistons on columns of fluid: the added mass in its purest form. S(F(x)) has the derivative -m_f / m, so Gauss-Seidel multiplies
// its error by -m_f / m and relaxed passes by 1 - omega (1 + m_f / m).
#include <gtest/gtest.h>

#include "engine/coupling/gain.h"
#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/boxes.h"

namespace meniscus::testing {
namespace {

using coupling::Gain;
using coupling::GainOptions;
using coupling::IqnIls;
using coupling::IqnIlsOptions;
using coupling::Relaxation;
using coupling::RelaxationOptions;
using coupling::Report;
using coupling::Stop;
using coupling::StopRule;
using coupling::Xpm;
using coupling::XpmOptions;

constexpr double kDt = 0.01, kForce = 3;

StopRule rule(double tolerance, int most) {
  StopRule r;
  r.length = 1;
  r.fraction = tolerance;
  r.maxIterations = most;
  return r;
}

VectorXd constant(int n, double value) { return VectorXd::Constant(n, value); }

Report relaxOnce(double omega, double columnMass, double mass, int passes) {
  RelaxationOptions o;
  o.stop = rule(1e-14, passes);
  o.omega = omega;
  ColumnFluid fluid(constant(1, columnMass));
  PistonSolid solid(constant(1, mass), constant(1, kForce));
  return Relaxation(o).advance(fluid, solid, kDt);
}

TEST(Piston, ErrorFactorOfRelaxedPasses) {
  for (const double ratio : {0.2, 0.9, 3.0, 40.0}) {
    for (const double omega : {1.0, 0.3, 0.05}) {
      const Report r = relaxOnce(omega, ratio, 1, 6);
      ASSERT_GE(r.passes.size(), 4U);
      for (size_t k = 1; k < 4; ++k)
        EXPECT_NEAR(r.passes[k].residual / r.passes[k - 1].residual, std::abs(1 - omega * (1 + ratio)), 1e-9)
            << ratio << " " << omega;
    }
  }
}

// The inputs of Gauss-Seidel jump from one side of the answer to the other: the factor is negative.
TEST(Piston, GaussSeidelAlternates) {
  std::vector<double> error;
  const double answer = 1 / (1 + 0.5);  // of x = 1 - 0.5 x
  FunctionFluid fluid([](const VectorXd& x) { return VectorXd(-0.5 * x); });
  FunctionSolid solid(constant(1, 0), [](const VectorXd& f) { return VectorXd(constant(1, 1) + f); });
  RelaxationOptions o;
  o.stop = rule(1e-12, 20);
  o.omega = 1;
  Relaxation(o).advance(fluid, solid, kDt);
  for (const VectorXd& x : fluid.asked) error.push_back(x[0] - answer);
  for (size_t k = 1; k < 8; ++k) EXPECT_NEAR(error[k] / error[k - 1], -0.5, 1e-9);
}

TEST(Piston, BreaksDownWhereTheGainSays) {
  for (const double ratio : {0.5, 2.0, 6.5, 30.0}) {
    ColumnFluid fluid(constant(1, ratio));
    PistonSolid solid(constant(1, 1), constant(1, kForce));
    GainOptions g;
    g.step = 1e-4;
    const Gain gain = interfaceGain(fluid, solid, kDt, g);
    EXPECT_TRUE(gain.converged);
    EXPECT_NEAR(gain.g, ratio, 1e-8 * ratio);
    EXPECT_NEAR(gain.eigenvalue, -ratio, 1e-8 * ratio);
    const double limit = gain.largestStableOmega();
    EXPECT_NEAR(limit, 2 / (1 + ratio), 1e-8);
    const Report below = relaxOnce(std::min(1.0, 0.95 * limit), ratio, 1, 1000);
    EXPECT_EQ(below.stop, Stop::converged) << below.text();
    if (1.05 * limit <= 1) {
      const Report above = relaxOnce(1.05 * limit, ratio, 1, 200);
      EXPECT_EQ(above.stop, Stop::maxIterations) << above.text();
      EXPECT_GT(above.passes.back().residual, above.passes.front().residual);
    }
  }
}

// A gain with several modes: that of the heaviest column on the lightest piston, whatever the others.
TEST(Piston, GainOfManyIsTheLargest) {
  VectorXd columns(5), masses(5);
  columns << 1, 2, 9, 0.1, 4;
  masses << 1, 1, 2, 5, 1;  // ratios 1, 2, 4.5, .02, 4
  ColumnFluid fluid(columns);
  PistonSolid solid(masses, constant(5, 0));
  GainOptions o;
  o.step = 1e-4;
  o.tolerance = 1e-5;
  o.maxProducts = 200;
  const Gain gain = interfaceGain(fluid, solid, kDt, o);
  EXPECT_TRUE(gain.converged);
  EXPECT_NEAR(gain.g, 4.5, 1e-3);
  EXPECT_EQ(solid.x.norm(), 0);  // the boxes stand where they stood
  EXPECT_EQ(solid.v.norm(), 0);
}

// Velocity after one step under a constant force: that of the piston with its column, f dt / (m + m_f), by every method.
template <class Method>
void expectAddedMass(Method&& method, double ratio, int most) {
  ColumnFluid fluid(constant(2, ratio));
  PistonSolid solid(constant(2, 1), constant(2, kForce));
  for (int step = 1; step <= 3; ++step) {
    const Report r = method.advance(fluid, solid, kDt);
    EXPECT_EQ(r.stop, Stop::converged) << r.text();
    EXPECT_LE(r.fluidSolves, most);
    EXPECT_GE(r.solidSolves, r.fluidSolves);
    EXPECT_LE(r.solidSolves, r.fluidSolves + 1);  // XPM's last one is under the fluid's own load
    EXPECT_EQ(static_cast<int>(r.passes.size()), r.fluidSolves);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(solid.v[i], step * kForce * kDt / (1 + ratio), 1e-9);
  }
}

TEST(Piston, EveryMethodFindsTheAddedMass) {
  for (const double ratio : {0.1, 1.0, 10.0, 100.0}) {
    XpmOptions x;
    x.stop = rule(1e-13, 30);
    x.stepCap = 0;
    expectAddedMass(Xpm(x), ratio, ratio > 10 ? 4 : 3);  // w0 (1 + g) above 2: the second position is taken nearer, once
    x.omega = 1;
    expectAddedMass(Xpm(x), ratio, 4);
    IqnIlsOptions q;
    q.stop = x.stop;
    q.stepCap = 0;
    expectAddedMass(IqnIls(q), ratio, 4);
    RelaxationOptions o;
    o.stop = x.stop;
    o.aitken = true;
    expectAddedMass(Relaxation(o), ratio, 5);
    o.aitken = false;
    o.stop.maxIterations = 1000;
    o.omega = 1 / (1 + ratio);  // the best one
    expectAddedMass(Relaxation(o), ratio, 3);
  }
}

}  // namespace
}  // namespace meniscus::testing

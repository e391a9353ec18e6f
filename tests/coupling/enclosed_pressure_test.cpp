// Pistons that close a vessel of fluid: pressures and ways in closed form.
#include "engine/coupling/enclosed_pressure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/coupling/partitioned/relaxation.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/boxes.h"
#include "tests/shared/error_of.h"

namespace meniscus::testing {
namespace {

using coupling::EnclosedPressure;
using coupling::EnclosedPressureOptions;
using coupling::EnclosedRegion;
using coupling::Relaxation;
using coupling::RelaxationOptions;
using coupling::Report;
using coupling::Stop;
using coupling::StopRule;
using coupling::Xpm;
using coupling::XpmOptions;

constexpr double kDt = 0.01;

VectorXd list(std::initializer_list<double> values) { return vectorOf(values); }

EnclosedPressureOptions tolerance(double volume = 1e-12) {
  EnclosedPressureOptions o;
  o.volumeTolerance = volume;
  return o;
}

EnclosedPressure::Regions regionsOf(const MatrixXd& area, const VectorXd& outflow) {
  std::vector<EnclosedRegion> regions;
  for (int k = 0; k < area.cols(); ++k) regions.push_back({doubles(area.col(k)), outflow[k]});
  return [regions] { return regions; };
}

StopRule rule() {
  StopRule r;
  r.length = 1;
  r.fraction = 1e-11;
  return r;
}

Xpm xpm() {
  XpmOptions o;
  o.stop = rule();
  o.stepCap = 0;
  return Xpm(o);
}

// p = -(A^T M^-1 A)^-1 (A^T M^-1 f + outflow / dt) of pistons from rest: no volume is let out.
VectorXd pressureOf(const MatrixXd& area, const VectorXd& mass, const VectorXd& force, const VectorXd& outflow) {
  const MatrixXd toVelocity = mass.cwiseInverse().asDiagonal() * area;
  return -(area.transpose() * toVelocity).fullPivLu().solve(toVelocity.transpose() * force + outflow / kDt);
}

// A lid of which contacts hold nearly all until the pressure lifts it, and a stop then: where it lies its slope says that any
// pressure is needed, and where it is stopped that none helps. A piston drives 0.02 m^3/s into the vessel.
TEST(EnclosedPressure, ALidThatContactsHold) {
  constexpr double kLift = 4000, kHeld = 1e-8, kFree = 2e-4, kMost = 3, kInto = 0.02, kArea = 0.1;
  constexpr double kWeight = 1000;  // Pa
  FunctionSolid lid(list({0}), [](const VectorXd& force) {
    const double p = force[0] / kArea, v = p < kLift ? kHeld * p : kHeld * kLift + kFree * (p - kLift);
    return VectorXd(list({(v < kMost ? v : kMost) * kDt}));
  });
  EnclosedPressure solid(lid, regionsOf(list({kArea}), list({-kInto})), tolerance());
  solid.save();
  solid.solve({LoadKind::force, {-kArea * kWeight}}, kDt);
  EXPECT_TRUE(solid.report().converged) << solid.report().volumeError;
  EXPECT_NEAR(solid.pressure()[0], kWeight + kLift + (kInto / kArea - kHeld * kLift) / kFree, 1e-6);
  EXPECT_LT(solid.report().solidSolves, 30);
}

// The press: two pistons with columns of fluid, by every method. x2 / x1 = -A1 / A2, the column's mass counts as the piston's.
TEST(EnclosedPressure, Press) {
  const VectorXd area = list({0.15, 0.45}), mass = list({0.1, 0.3}), column = list({0.7, 2}), force = list({-3, 0.5});
  const VectorXd expected = pressureOf(area, mass + column, force, list({0}));
  EXPECT_NEAR(expected[0],  // the same, written out
              -(area[0] * force[0] / 0.8 + area[1] * force[1] / 2.3) / (area[0] * area[0] / 0.8 + area[1] * area[1] / 2.3), 1e-12);
  const auto press = [&](coupling::Coupling& method, double accuracy) {
    ColumnFluid fluid(column);
    PistonSolid pistons(mass, force);
    EnclosedPressure solid(pistons, regionsOf(area, list({0})), tolerance());
    for (int step = 0; step < 5; ++step) {
      const Report r = method.advance(fluid, solid, kDt);
      EXPECT_EQ(r.stop, Stop::converged) << r.text();
      EXPECT_TRUE(solid.report().converged);
      EXPECT_NEAR(solid.pressure()[0], expected[0], accuracy);
    }
    EXPECT_GT(std::abs(pistons.x[0]), 1e-3);
    EXPECT_NEAR(pistons.x[1] / pistons.x[0], -area[0] / area[1], 1e-6);
  };
  Xpm model = xpm();
  press(model, 1e-6);
  RelaxationOptions o;
  o.stop = rule();
  o.aitken = true;
  Relaxation aitken(o);
  press(aitken, 1e-5);
  o.aitken = false;
  o.omega = 0.15;  // heavier columns than pistons: whole steps would not converge
  o.stop.maxIterations = 400;
  Relaxation relaxed(o);
  press(relaxed, 1e-5);
}

// Loads that hold a pressure p* in balance: nothing moves and p = p* for every ratio of the pistons' mass to the fluid's.
TEST(EnclosedPressure, BalancedPistonsStayAtRest) {
  const double pStar = 1e4;
  const VectorXd area = list({0.01, 0.02}), column = list({10, 20});
  for (const double ratio : {0.01, 0.1, 0.5, 1.0, 10.0, 100.0}) {
    ColumnFluid fluid(column);
    PistonSolid pistons(ratio * column, -pStar * area);
    EnclosedPressure solid(pistons, regionsOf(area, list({0})), tolerance(1e-14));
    Xpm method = xpm();
    for (int step = 0; step < 10; ++step) {
      const Report r = method.advance(fluid, solid, 1e-3);
      EXPECT_EQ(r.stop, Stop::converged) << ratio << " " << r.text();
      EXPECT_LE(r.fluidSolves, step == 0 ? 2 : 1) << ratio;
      EXPECT_NEAR(solid.pressure()[0], pStar, 1e-7 * pStar) << ratio;
      EXPECT_LT(pistons.v.norm(), 1e-9) << ratio;
    }
  }
}

// At rest after the press has worked: F1 / A1 = k x2 / A2, and the volume that the small piston gave is what the large one took.
TEST(EnclosedPressure, PressAtRestAgainstASpring) {
  struct Sprung : PistonSolid {
    using PistonSolid::PistonSolid;
    // implicit spring and dampers on v: (m + c dt + k dt^2) v = m v^n + J + (f - k x) dt
    Motion solve(const Load& load, double dt) override {
      const VectorXd impulse = vectorOf(load.value);
      for (int i = 0; i < 2; ++i) {
        const double spring = i == 1 ? 15 : 0, damper = 4;
        v[i] = (mass[i] * v[i] + impulse[i] + (force[i] - spring * x[i]) * dt) / (mass[i] + damper * dt + spring * dt * dt);
      }
      x += dt * v;
      ++solves;
      return motion();
    }
  };
  const VectorXd area = list({0.15, 0.45});
  ColumnFluid fluid(list({0.05, 0.02}));
  Sprung pistons(list({0.015, 0.045}), list({-0.315, 0}));
  EnclosedPressure solid(pistons, regionsOf(area, list({0})), tolerance());
  Xpm method = xpm();
  for (int step = 0; step < 4000; ++step) ASSERT_TRUE(method.advance(fluid, solid, 0.02).converged());
  EXPECT_NEAR(solid.pressure()[0], 0.315 / 0.15, 1e-6);
  EXPECT_NEAR(pistons.x[1], 2.1 * 0.45 / 15, 1e-6);
  EXPECT_NEAR(-pistons.x[0] * area[0] / (pistons.x[1] * area[1]), 1, 1e-6);
}

// Two chambers with a piston between them, an inflow to the first: three pistons, two pressures.
TEST(EnclosedPressure, ChambersThatShareAPiston) {
  MatrixXd area(3, 2);
  area << 0.2, 0, 0.3, -0.3, 0, 0.1;
  const VectorXd mass = list({1, 0.02, 5}), force = list({-1, 0.2, -4}), outflow = list({-0.006, 0});
  const VectorXd expected = pressureOf(area, mass, force, outflow);
  PistonSolid pistons(mass, force);
  EnclosedPressure solid(pistons, regionsOf(area, outflow), tolerance());
  ColumnFluid fluid(VectorXd::Zero(3));
  Xpm method = xpm();
  EXPECT_TRUE(method.advance(fluid, solid, kDt).converged());
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(solid.pressure()[k], expected[k], 1e-6 * std::abs(expected[k]));
  for (int step = 1; step < 20; ++step) EXPECT_TRUE(method.advance(fluid, solid, kDt).converged());
  const VectorXd volume = area.transpose() * pistons.x;
  EXPECT_NEAR(volume[0], 0.006 * 20 * kDt, 20 * 1e-12);  // V = V0 + the inflow's integral
  EXPECT_NEAR(volume[1], 0, 20 * 1e-12);
}

// A solid that is linear takes one solve at the old pressure, one for the difference, one at the answer; with the derivative kept
// the next ones of the step take two.
TEST(EnclosedPressure, CountsSolidSolves) {
  for (const bool keep : {false, true}) {
    PistonSolid pistons(list({1, 2}), list({-1, 3}));
    EnclosedPressureOptions o = tolerance();
    o.keepDerivative = keep;
    EnclosedPressure solid(pistons, regionsOf(list({0.1, 0.2}), list({0})), o);
    solid.save();
    solid.solve({LoadKind::impulse, {0, 0}}, kDt);
    EXPECT_EQ(solid.report().solidSolves, 3);
    EXPECT_EQ(pistons.solves, 3);
    solid.restore();
    solid.solve({LoadKind::impulse, {0.1, 0}}, kDt);
    EXPECT_EQ(solid.report().solidSolves, keep ? 5 : 6);
    EXPECT_TRUE(solid.report().converged);
  }
}

// A solid that stiffens: the volume is kept to the tolerance all the same, and the answer's bits do not hang on what was solved
// before.
TEST(EnclosedPressure, CurvedSolid) {
  FunctionSolid curved(VectorXd::Zero(2), [](const VectorXd& f) { return VectorXd((f.array() + Eigen::Array2d(2, -0.5)).atan()); });
  EnclosedPressure solid(curved, regionsOf(list({1, 3}), list({-0.5})), tolerance(1e-10));
  solid.save();
  const Motion first = solid.solve({LoadKind::force, {0, 0}}, 1);
  EXPECT_NEAR(first.position[0] + 3 * first.position[1], 0.5, 1e-10);
  EXPECT_TRUE(solid.report().converged);
  EXPECT_LE(solid.report().solidSolves, 10);
  const std::vector<double> pressure = solid.pressure();
  solid.restore();
  solid.solve({LoadKind::force, {3, -1}}, 1);
  solid.restore();
  EXPECT_EQ(solid.solve({LoadKind::force, {0, 0}}, 1).position, first.position);
  EXPECT_EQ(solid.pressure(), pressure);
}

// The next step starts from the pressure of this one: where nothing changes, one solid solve is enough.
TEST(EnclosedPressure, StartsFromThePressureBefore) {
  PistonSolid pistons(list({1, 2}), list({-10, -20}));
  EnclosedPressure solid(pistons, regionsOf(list({0.1, 0.2}), list({0})), tolerance(1e-10));
  for (int step = 0; step < 3; ++step) {
    solid.save();
    solid.solve({LoadKind::impulse, {0, 0}}, kDt);
    EXPECT_EQ(solid.report().solidSolves, step == 0 ? 3 : 1);
    EXPECT_NEAR(solid.pressure()[0], 100, 1e-6);
  }
}

TEST(EnclosedPressure, WhatCannotBeKeptIsNamed) {
  const auto solve = [](const MatrixXd& area, const VectorXd& outflow) {
    PistonSolid pistons(list({1, 2}), list({-10, -20}));
    EnclosedPressure solid(pistons, regionsOf(area, outflow), tolerance());
    solid.save();
    const Motion m = solid.solve({LoadKind::impulse, {0, 0}}, kDt);
    EXPECT_TRUE(vectorOf(m.position).allFinite());
    return solid.report();
  };
  // no region, and one whose walls stand still without an outflow: nothing to do
  EXPECT_TRUE(solve(MatrixXd(2, 0), VectorXd(0)).converged);
  EXPECT_TRUE(solve(list({0, 0}), list({0})).converged);
  EXPECT_EQ(solve(list({0, 0}), list({0})).rigidRegions, 1);
  // inflow between walls that stand still
  const auto full = solve(list({0, 0}), list({-0.3}));
  EXPECT_FALSE(full.converged);
  EXPECT_DOUBLE_EQ(full.volumeError, 0.3 * kDt);
  // one region counted twice is singular, but has an answer; with two outflows it has none
  MatrixXd twice(2, 2);
  twice << 0.1, 0.1, 0.2, 0.2;
  EXPECT_TRUE(solve(twice, list({-0.1, -0.1})).converged);
  const auto torn = solve(twice, list({-0.1, 0.1}));
  EXPECT_FALSE(torn.converged);
  EXPECT_EQ(torn.iterations, EnclosedPressureOptions().maxIterations);
  EXPECT_NEAR(torn.volumeError, 0.1 * kDt, 1e-9);

  FunctionSolid broken(VectorXd::Zero(1), [](const VectorXd& f) { return VectorXd(f / 0.0); });
  EnclosedPressure solid(broken, regionsOf(list({1}), list({-1})), tolerance());
  solid.save();
  solid.solve({LoadKind::force, {0}}, kDt);
  EXPECT_FALSE(solid.report().converged);
}

// What contacts hold gives way by their error alone: no pressure makes room for what flows in, and none is tried that nothing else
// is of the size of.
TEST(EnclosedPressure, IsBoundedWhereNothingGivesWay) {
  FunctionSolid held(VectorXd::Zero(1), [](const VectorXd& f) { return VectorXd(1e-14 * f); });
  EnclosedPressure solid(held, regionsOf(list({1}), list({-1})), tolerance());
  solid.save();
  solid.solve({LoadKind::force, {5}}, kDt);
  EXPECT_FALSE(solid.report().converged);
  for (const VectorXd& f : held.asked) EXPECT_LT(std::abs(f[0]), 1e6);
}

TEST(EnclosedPressure, WrongInputIsRefused) {
  PistonSolid pistons(list({1, 2}), list({0, 0}));
  const auto regions = regionsOf(list({1, 2, 3}), list({0}));
  EXPECT_NE(errorOf([&] { EnclosedPressure(pistons, regions, {}); }).find("volume tolerance"), std::string::npos);
  EnclosedPressureOptions o = tolerance();
  o.maxIterations = 0;
  EXPECT_NE(errorOf([&] { EnclosedPressure(pistons, regions, o); }).find("iterations"), std::string::npos);
  o = tolerance();
  o.pressureStep = -1;
  EXPECT_NE(errorOf([&] { EnclosedPressure(pistons, regions, o); }).find("pressure step"), std::string::npos);
  FunctionSolid wall(VectorXd::Zero(1), [](const VectorXd& f) { return f; });
  wall.kind = LoadKind::pressure;
  EXPECT_NE(errorOf([&] { EnclosedPressure(wall, regions, tolerance()); }).find("pressures"), std::string::npos);
  EnclosedPressure solid(pistons, regions, tolerance());
  solid.save();
  EXPECT_NE(errorOf([&] { solid.solve({LoadKind::impulse, {0, 0}}, kDt); }).find("3 areas for a load of 2"), std::string::npos);
}

}  // namespace
}  // namespace meniscus::testing

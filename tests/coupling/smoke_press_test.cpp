// The hydraulic press in smoke: the pressure and the ways in closed form, by the monolithic step and by XPM.
#include "engine/coupling/cases/smoke_press.h"

#include <gtest/gtest.h>

#include "engine/coupling/monolithic/monolithic.h"
#include "engine/coupling/xpm/xpm.h"

namespace meniscus::testing {
namespace {

using namespace coupling;

StopRule within(double dx, double fraction) {
  StopRule stop;
  stop.length = dx;
  stop.fraction = fraction;
  return stop;
}

template <int D>
Monolithic<D> whole(Exec& exec, double dx, double fraction) {
  MonolithicOptions o;
  o.stop = within(dx, fraction);
  o.linear.tolerance = 1e-13;
  return Monolithic<D>(exec, o);
}

Xpm xpm(double dx, double fraction) {
  XpmOptions o;
  o.stop = within(dx, fraction);
  return Xpm(o);
}

// The weight of the pistons is the same for all masses; the damper is a critical one for the pistons and the fluid above and below
// them, the small one's on the lever of the areas.
SmokePressOptions heavy(double mass) {
  SmokePressOptions o;
  o.massPerArea = mass;
  o.gravity = 0.1 / mass;
  const double inertia = (mass + 1) * (SmokePress<2>::kWidth[1] + 9 * SmokePress<2>::kWidth[0]);
  o.damper = std::max(4.0, 2 * std::sqrt(o.spring * inertia));
  return o;
}

constexpr double kDt = 0.05;

template <int D>
void expectRest(const SmokePress<D>& press, double pressure) {
  EXPECT_NEAR(pressure / press.restPressure(), 1, 2e-3);
  EXPECT_NEAR(press.travel(1) / press.restTravel(), 1, 5e-3);
  EXPECT_NEAR(-press.travel(0) * press.kWidth[0] / (press.travel(1) * press.kWidth[1]), 1, 1e-3);
  EXPECT_NEAR(press.restPressure(), 2.1, 1e-12);
  EXPECT_NEAR(press.restTravel(), 0.06, 1e-12);
}

template <int D>
void expectPress(double mass, double duration, bool partitioned) {
  Exec exec(1);
  SmokePress<D> press(exec, heavy(mass));
  Monolithic<D> one = whole<D>(exec, press.dx(), 1e-3);
  Xpm other = xpm(press.dx(), 1e-3);
  for (double t = 0; t < duration; t += kDt) {
    const Report report =
        partitioned ? other.advance(press.fluid(), press.solid(), kDt) : one.advance(press.fluid(), press.bareSolid(), kDt);
    ASSERT_TRUE(report.converged()) << mass << " " << t << " " << report.text();
  }
  expectRest(press, partitioned ? press.enclosed().pressure()[0] : one.enclosedPressure()[0]);
}

TEST(SmokePress, LightPistonsComeToRestWhereTheAreasSay) {
  expectPress<2>(0.1, 8, false);
  expectPress<2>(0.1, 8, true);
}

TEST(SmokePress, SlowPistonsOfAnyMassComeToRestWhereTheAreasSay) {
  for (const bool partitioned : {false, true}) {
    expectPress<2>(1, 8, partitioned);
    expectPress<2>(10, 15, partitioned);
    for (const double mass : {0.1, 1.0}) expectPress<3>(mass, 8, partitioned);
    expectPress<3>(10, 15, partitioned);
  }
}

// Without a pressure of the enclosed fluid nothing holds the pistons: the small one falls through the vessel, and the large one
// does not take its volume.
TEST(SmokePress, WithoutItsPressureThePistonFalls) {
  Exec exec(1);
  SmokePress<2> press(exec, {});
  Xpm method = xpm(press.dx(), 0.05);
  for (double t = 0; t < 0.5; t += 0.02) method.advance(press.fluid(), press.bareSolid(), 0.02);
  EXPECT_LT(press.travel(0), -0.2);
  EXPECT_GT(-press.travel(0) * press.kWidth[0], 2 * press.travel(1) * press.kWidth[1]);
}

// Forces that hold a pressure p* in balance: nothing moves and p = p*, for every ratio of the pistons' mass to that of the fluid
// between them.
template <int D>
void expectBalance(double ratio) {
  constexpr double kPressure = 1e4;
  SmokePressOptions o;
  o.massPerArea = ratio * 0.4;
  o.gravity = o.spring = o.damper = 0;
  for (int k = 0; k < 2; ++k) o.pressed[k] = kPressure * SmokePress<D>::kWidth[k];
  Exec exec(1);
  SmokePress<D> press(exec, o);
  Monolithic<D> one = whole<D>(exec, press.dx(), 1e-7);
  for (int step = 0; step < 3; ++step) {
    const Report report = one.advance(press.fluid(), press.bareSolid(), 1e-3);
    EXPECT_TRUE(report.converged()) << ratio << " " << report.text();
    EXPECT_NEAR(one.enclosedPressure()[0] / kPressure, 1, 1e-8) << ratio;
    for (int k = 0; k < 2; ++k) EXPECT_LT(std::abs(press.travel(k)), 1e-7 * press.dx()) << ratio;
  }
  SmokePress<D> again(exec, o);
  Xpm other = xpm(again.dx(), 1e-6);
  for (int step = 0; step < 3; ++step) {
    const Report report = other.advance(again.fluid(), again.solid(), 1e-3);
    EXPECT_TRUE(report.converged()) << ratio << " " << report.text();
    EXPECT_NEAR(again.enclosed().pressure()[0] / kPressure, 1, 1e-6) << ratio;
    for (int k = 0; k < 2; ++k) EXPECT_LT(std::abs(again.travel(k)), 1e-5 * again.dx()) << ratio;
  }
}

TEST(SmokePress, BalancedPistonsStayAtRest) {
  for (const double ratio : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    expectBalance<2>(ratio);
    expectBalance<3>(ratio);
  }
}

}  // namespace
}  // namespace meniscus::testing

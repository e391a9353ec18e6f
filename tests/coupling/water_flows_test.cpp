// Flows of water with a free surface whose answer is known.
#include <gtest/gtest.h>

#include "tests/coupling/water_boxes.h"

namespace meniscus::testing {
namespace {

constexpr double kG = 9.81;

// Gravity in the plane of the first and the last axis, `tilt` off the last one; the surface is perpendicular to it.
template <int D>
void expectStill(Index n, double tilt) {
  Exec exec(2);
  Point<D> gravity{};
  gravity[0] = kG * std::sin(tilt);
  gravity[D - 1] = -kG * std::cos(tilt);
  const SmokeDomain<D> domain = waterTank<D>(n, gravity);
  WaterFluidBox<D> water(exec, domain, {}, {});
  const auto height = [&](const Point<D>& x) { return (x[D - 1] - 0.5137) * std::cos(tilt) - (x[0] - 0.5) * std::sin(tilt); };
  water.fill(height);
  const double dt = 0.01;
  for (int step = 0; step < 100; ++step) advanceWater(water, dt);
  EXPECT_LT(water.largestSpeed(), 1e-11);
  double most = 0;
  Offset wet = 0;
  for (Offset i = 0; i < domain.grid.cells(); ++i) {
    if (!water.matter().wet(i)) continue;
    const double exact = -domain.density * kG * height(domain.grid.centre(domain.grid.cellAt(i)));
    most = std::max(most, std::abs(water.state().pressure[std::size_t(i)] / dt - exact));
    ++wet;
  }
  EXPECT_GT(wet, domain.grid.cells() / 3);
  EXPECT_LT(most, 1e-10 * domain.density * kG);
}

TEST(WaterFlows, StillWaterIsStill) {
  for (const double tilt : {0.0, 0.2, 0.6}) {
    expectStill<2>(24, tilt);
    expectStill<3>(10, tilt);
  }
}

// Linear waves: omega^2 = g k tanh(k h), T = 1.1818 s for half a wave along a tank of 1 m with 0.5 m of water.
TEST(WaterFlows, StandingWaveHasItsPeriod) {
  Exec exec(2);
  const Index n = 32;
  const SmokeDomain<2> domain = waterTank<2>(n, {0, -kG});
  WaterFluidBox<2> water(exec, domain, {}, {});
  const double amplitude = 0.02, dt = 0.005;
  water.fill([&](const Point<2>& x) { return x[1] - 0.5 - amplitude * std::cos(M_PI * x[0]); });
  const auto height = [&] {  // the part of cos(pi x) in the columns of water
    double sum = 0;
    for (Offset i = 0; i < domain.grid.cells(); ++i) {
      const double part = std::clamp(0.5 - water.matter().levelSet[std::size_t(i)] / domain.grid.dx, 0.0, 1.0);
      sum += 2 * part * std::cos(M_PI * domain.grid.centre(domain.grid.cellAt(i))[0]) * std::pow(domain.grid.dx, 2);
    }
    return sum;
  };
  std::vector<double> zero, peak;
  double before = height(), most = 0;
  for (int step = 1; step <= 560; ++step) {
    advanceWater(water, dt);
    const double now = height();
    if (before * now < 0) {
      zero.push_back(dt * (step - 1 + before / (before - now)));
      peak.push_back(most);
      most = 0;
    }
    most = std::max(most, std::abs(now));
    before = now;
  }
  ASSERT_GE(zero.size(), 4U);
  const double period = 2 * (zero.back() - zero.front()) / double(zero.size() - 1), k = M_PI;
  const double exact = 2 * M_PI / std::sqrt(kG * k * std::tanh(0.5 * k));
  EXPECT_NEAR(exact, 1.1818, 1e-4);
  EXPECT_NEAR(period, exact, 0.025 * exact);
  EXPECT_NEAR(peak.back(), amplitude, 0.05 * amplitude);  // after two periods
}

// A square column of 1 m. Martin & Moyce, An experimental study of the collapse of liquid columns on a rigid horizontal plane,
// 1952: front x / H and height h / H at t sqrt(g / H). Water without a gate and without friction is up to a quarter ahead.
TEST(WaterFlows, DamBreakBesideMartinAndMoyce) {
  Exec exec(2);
  const Index n = 20;
  SmokeDomain<2> domain = waterTank<2>(n, {0, -kG});
  domain.grid.n = {5 * n, 3 * n / 2};
  WaterFluidBox<2> water(exec, domain, {}, {});
  water.fill([](const Point<2>& x) { return std::max(x[0] - 1, x[1] - 1); });
  const double dx = domain.grid.dx, volume = water.matter().volume;
  const std::vector<std::array<double, 2>> front = {{0.97, 1.67}, {1.45, 2.33}, {1.93, 3.00}, {2.40, 3.67}, {2.71, 4.11}};
  std::vector<double> ours;
  double t = 0, heightAt = 0;
  for (const auto& [time, place] : front) {
    const double end = time / std::sqrt(kG);
    while (t < end - 1e-9) {
      const double dt = std::min(water.timeStep(1, 0.02), end - t);
      advanceWater(water, dt);
      t += dt;
    }
    double x = 0, h = 0;
    for (Offset i = 0; i < domain.grid.cells(); ++i) {
      if (!water.matter().wet(i)) continue;
      const Point<2> c = domain.grid.centre(domain.grid.cellAt(i));
      const double depth = -water.matter().levelSet[std::size_t(i)];
      x = std::max(x, c[0] + std::min(depth, dx));
      if (c[0] < dx) h = std::max(h, c[1] + std::min(depth, dx));
    }
    ours.push_back(x);
    if (time == 1.93) heightAt = h;
    EXPECT_GT(x, place) << time;
    EXPECT_LT(x, 1.25 * place) << time;
  }
  EXPECT_NEAR(heightAt, 0.61, 0.06);  // between 0.67 at 1.74 and 0.56 at 2.15
  const double speed = (ours[3] - ours[0]) / (2.40 - 0.97);
  EXPECT_NEAR(speed, 2.00 / 1.43, 0.25);
  EXPECT_EQ(water.matter().volume, volume);
  EXPECT_NEAR(wetVolume(domain.grid, water.matter().levelSet) + water.matter().spray, volume, 1e-3 * volume);
  EXPECT_EQ(water.matter().lost, 0);
}

// A drop that falls freely stays round and moves by g t^2 / 2, with the velocity of its particles g t.
template <int D>
void expectFall(Index n) {
  Exec exec(2);
  Point<D> gravity{};
  gravity[D - 1] = -kG;
  const SmokeDomain<D> domain = waterTank<D>(n, gravity);
  WaterFluidBox<D> water(exec, domain, {}, {});
  double fallen = 0, speed = 0;
  const auto distance = [&](const Point<D>& x) {
    double square = 0;
    for (std::size_t a = 0; a < D; ++a) square += std::pow(x[a] - (a == D - 1 ? 0.7 - fallen : 0.5), 2);
    return std::sqrt(square) - 0.2;
  };
  water.fill(distance);
  const Index particles = water.matter().particles.size();
  for (const double dt : std::vector<double>(20, 0.0125)) {
    advanceWater(water, dt);
    speed += dt * kG;
    fallen += dt * speed;
  }
  EXPECT_GT(fallen, 0.3);
  for (const Point<D>& v : water.matter().particles.v)
    for (std::size_t a = 0; a < D; ++a) EXPECT_NEAR(v[a], a == D - 1 ? -speed : 0, 1e-9);
  double most = 0;
  for (Offset i = 0; i < domain.grid.cells(); ++i) {
    const double exact = distance(domain.grid.centre(domain.grid.cellAt(i)));
    if (std::abs(exact) < domain.grid.dx) most = std::max(most, std::abs(water.matter().levelSet[std::size_t(i)] - exact));
  }
  EXPECT_LT(most, 0.15 * domain.grid.dx);
  EXPECT_NEAR(water.matter().particles.size(), particles, 0.05 * particles);
}

TEST(WaterFlows, FallingDropKeepsItsShape) {
  expectFall<2>(40);
  expectFall<3>(24);
}

// Water through a part of the ground into an empty tank: its volume is what has come in.
TEST(WaterFlows, InflowFillsTheTank) {
  Exec exec(2);
  SmokeDomain<2> domain = waterTank<2>(24, {0, -kG});
  for (Index i = 10; i < 14; ++i) domain.inflow.push_back({1, {i, 0}, 0.6, 0, 0});
  WaterFluidBox<2> water(exec, domain, {}, {});
  const double dt = 0.01, rate = 0.6 * 4 * domain.grid.dx;
  for (int step = 0; step < 100; ++step) advanceWater(water, dt);
  EXPECT_NEAR(water.matter().volume, rate, 1e-12);
  EXPECT_NEAR(wetVolume(domain.grid, water.matter().levelSet) + water.matter().spray, rate, 0.02 * rate);
}

}  // namespace
}  // namespace meniscus::testing

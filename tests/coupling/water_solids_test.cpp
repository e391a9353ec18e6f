// Water with rigid bodies and cloth, coupled by XPM.
#include <gtest/gtest.h>

#include <array>

#include "engine/coupling/cases/water_balls.h"
#include "engine/coupling/cases/water_cloth.h"
#include "engine/coupling/xpm/xpm.h"
#include "tests/coupling/water_boxes.h"

namespace meniscus::testing {
namespace {

using coupling::WaterBalls;
using coupling::WaterBallsOptions;
using coupling::WaterCloth;
using coupling::WaterClothOptions;
using coupling::Xpm;
using coupling::XpmOptions;

XpmOptions xpm(double dx, double fraction) {
  XpmOptions o;
  o.stop.length = dx;
  o.stop.fraction = fraction;
  return o;
}

// The acceleration over g of a ball released at rest, the mean over places in a cell.
template <int D>
double acceleration(Index n, double density, double radius) {
  double sum = 0;
  std::vector<std::array<double, 3>> shifts = {{0.125, 0.125, 0.125}, {0.375, 0.125, 0.125}};
  if (D == 2) shifts = {{0, 0, 0}, {0.13, 0.13, 0}, {0.29, 0.29, 0}, {0.41, 0.41, 0}};
  for (const std::array<double, 3>& shift : shifts) {
    Exec exec(2);
    WaterBallsOptions o;
    o.cells = n;
    o.depth = 0.9;
    o.balls = {{radius, density, {shift[0] / n, shift[1] / n, shift[2] / n}}};
    o.balls[0].offset[D - 1] -= 0.05;
    WaterBalls<D> balls(exec, o);
    Xpm method(xpm(balls.dx(), 1e-7));
    const double dt = 1e-3;
    EXPECT_TRUE(method.advance(balls.fluid(), balls.solid(), dt).converged());
    sum += balls.bodies().pose(0).velocity[D - 1] / dt / WaterBalls<D>::kGravity;
  }
  return sum / double(shifts.size());
}

// (1 - r) / (r + 1) for a cylinder, of first order in dx: a cell of added mass on a radius of a few. Without added mass it would be
// 9 at r = 0.1.
TEST(WaterSolids, SlowReleasedDiscStartsAsAddedMassAsks) {
  for (const double r : {0.1, 0.5, 0.9, 10.0}) {
    const double coarse = acceleration<2>(128, r, 0.06), fine = acceleration<2>(256, r, 0.06), exact = (1 - r) / (r + 1);
    EXPECT_NEAR(2 * fine - coarse, exact, 0.03 * std::abs(exact)) << r;
    EXPECT_LT(std::abs(fine - exact), std::abs(coarse - exact)) << r;
  }
}

// (1 - r) / (r + 1/2) for a sphere, of five and ten cells along the radius. A body of whole cells is half a cell thicker for the
// water around it: the added mass is of first order in dx, and linear in it is the inverse of the acceleration. The tank's walls,
// three radii off, add some of the 8 % of a hollow sphere of that size to it (Lamb, Hydrodynamics, article 93).
TEST(WaterSolids, SlowReleasedSphereStartsAsAddedMassAsks) {
  for (const double r : {0.1, 0.5, 0.9, 10.0}) {
    const double coarse = acceleration<3>(32, r, 0.15), fine = acceleration<3>(64, r, 0.15), exact = (1 - r) / (r + 0.5);
    EXPECT_NEAR(1 / (2 / fine - 1 / coarse) / exact, 1, 0.03) << r << ' ' << coarse << ' ' << fine;
    EXPECT_LT(std::abs(fine - exact), std::abs(coarse - exact)) << r;
  }
}

// How deep a ball of this relative density lies, s = h / R.
template <int D>
double draft(double density) {
  double low = 0, high = 2;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (coupling::floatingDensity<D>(middle) < density ? low : high) = middle;
  }
  return low;
}

TEST(WaterSolids, DraftsOfTheTable) {
  EXPECT_NEAR(draft<3>(0.1), 0.3916, 1e-4);
  EXPECT_NEAR(draft<3>(0.5), 1, 1e-9);
  EXPECT_NEAR(draft<2>(0.5), 1, 1e-9);
}

// Dropped from above their drafts they swing about them. The level to which they float is that of the water with what they
// displace.
TEST(WaterSolids, SlowBallsFloatAtTheirDraft) {
  Exec exec(2);
  WaterBallsOptions o;
  o.cells = 48;
  o.depth = 0.5;
  const double radius = 0.12;
  double displaced = 0;
  for (const double density : {0.1, 0.5}) {
    o.balls.push_back({radius, density, {density < 0.3 ? -0.25 : 0.25, radius * (1 - draft<2>(density) + 0.1), 0}});
    displaced += density * M_PI * radius * radius;
  }
  WaterBalls<2> balls(exec, o);
  const double level = balls.water().matter().volume + displaced;
  Xpm method(xpm(balls.dx(), 0.05));
  double time = 0, mean[2] = {0, 0};
  int steps = 0, unconverged = 0;
  while (time < 2.4) {
    const double dt = balls.water().timeStep(1, 0.01);
    unconverged += !method.advance(balls.fluid(), balls.solid(), dt).converged();
    ++steps;
    time += dt;
    for (int k = 0; k < 2; ++k) mean[k] += dt * balls.bodies().pose(k).center[1];
  }
  EXPECT_LE(unconverged, steps / 50);  // where a face changes sides in between, F is not continuous
  for (int k = 0; k < 2; ++k) {
    const double depth = 1 - (mean[k] / time - level) / radius;
    EXPECT_NEAR(depth, draft<2>(o.balls[std::size_t(k)].density), 0.05) << k;
  }
}

// All the water stays above, and none of it is below: exactly.
template <int D>
void expectHeld(Index n, double duration, double leastSag) {
  Exec exec(2);
  WaterClothOptions o;
  o.cells = n;
  WaterCloth<D> cloth(exec, o);
  Xpm method(xpm(cloth.dx(), 0.05));
  const MacGrid<D>& g = cloth.domain().grid;
  Cell<D> top{};
  top[D - 1] = g.n[D - 1] - 1;
  double sag = 0;
  for (double time = 0; time < duration;) {
    const double dt = cloth.water().timeStep(1, 0.005);
    ASSERT_TRUE(method.advance(cloth.fluid(), cloth.solid(), dt).converged());
    time += dt;
    sag = std::max(sag, cloth.sag());
  }
  const Motion now = cloth.solid().motion();
  cloth.water().setBoundary(now);
  ShellFaces<D> faces;
  findShellFaces<D>({g}, cloth.mesh(), now.position, nullptr, faces);
  ShellRays<D> rays;
  rays.build({g}, cloth.mesh(), now.position);
  const std::vector<char> below = enclosedCells<D>(g, GivenFaces<D>(cloth.domain()), faces, top);
  const WaterMatter<D>& matter = cloth.water().matter();
  EXPECT_GT(std::count(below.begin(), below.end(), 1), g.cells() / 5);
  Offset leaked = 0;
  for (Offset i = 0; i < g.cells(); ++i) leaked += below[std::size_t(i)] && matter.wet(i);
  EXPECT_EQ(leaked, 0);
  const std::vector<int> side = sidesOfParticles<D>(g, rays, below, matter.particles.x);
  EXPECT_EQ(std::count(side.begin(), side.end(), 1), 0);
  EXPECT_GT(std::count(side.begin(), side.end(), 0), 100);
  EXPECT_GT(sag, leastSag);
  EXPECT_LT(sag, 0.4);
  EXPECT_NEAR(wetVolume(g, matter.levelSet) + matter.spray + matter.besideShell, matter.volume, 0.02 * matter.volume);
}

// The tension that carries the water is reached at a sag of about 0.17 m: 3 / 64 times weight over stiffness, to the power of 1/3.
TEST(WaterSolids, SlowClothHoldsWater) {
  expectHeld<2>(32, 0.5, 0.15);
  expectHeld<3>(12, 0.15, 0.05);
}

}  // namespace
}  // namespace meniscus::testing

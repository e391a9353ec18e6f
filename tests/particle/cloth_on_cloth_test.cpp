// Water that presses one cloth onto another.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

void addCloth(SceneDef& scene, const char* name, double z, int heldAxis) {
  SolidDef cloth;
  cloth.name = name;
  cloth.kind = SolidKind::cloth;
  cloth.shape.kind = ShapeKind::sheet;
  cloth.shape.size = {0.24, 0.24, 0};
  cloth.shape.resolution = 0.016;
  cloth.transform.translate = {0, 0, z};
  cloth.material.arealDensity = 1;
  cloth.material.stretch = {Resistance::Kind::compliance, 0.0025, 0};
  cloth.material.bend = {Resistance::Kind::compliance, 1e5, 0};
  for (const double side : {-0.12, 0.12}) {
    PinDef pin;
    Vec3d lo{-0.13, -0.13, z - 0.01}, hi{0.13, 0.13, z + 0.01};
    lo[heldAxis] = side - 0.002;
    hi[heldAxis] = side + 0.002;
    pin.select = PinDef::Select::box;
    pin.boxMin = lo;
    pin.boxMax = hi;
    cloth.pins.push_back(pin);
  }
  scene.solids.push_back(cloth);
}

// Highest node of the lower cloth above the upper one in the middle of the two, where both are nearly level [m].
double lowerAboveUpper(const SolidState& s) {
  const Body &upper = s.bodies[0], &lower = s.bodies[1];
  double most = -1e300;
  for (Index i = lower.nodeBegin; i < lower.nodeEnd; ++i) {
    const Vec3d& p = s.x[std::size_t(i)];
    if (std::hypot(p.x, p.y) > 0.015) continue;
    double nearest = 1e300, z = 0;
    for (Index k = upper.nodeBegin; k < upper.nodeEnd; ++k) {
      const Vec3d& q = s.x[std::size_t(k)];
      const double d = std::hypot(q.x - p.x, q.y - p.y);
      if (d >= nearest) continue;
      nearest = d;
      z = q.z;
    }
    most = std::max(most, p.z - z);
  }
  return most;
}

// The upper one is stretched down onto the lower one by what falls on it, and both carry the water together. When they went through
// each other, particles between the surfaces that had crossed were pressed together: to nine times their density, and all of the
// water by five per cent.
TEST(ClothOnCloth, CarriesWaterTogether) {
  SceneDef scene = testing::emptyTank("two cloths", {-0.2, -0.2, -0.2}, {0.2, 0.2, 0.4}, 0.005);
  testing::addBoxOfWater(scene, 0.01, {0.16, 0.16, 0.12}, {0, 0, 0.19}).velocity = {0, 0, -2};
  addCloth(scene, "upper", 0.12, 0);
  addCloth(scene, "lower", 0.06, 1);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  double volume = 0, most = 0, crossed = -1e300;
  std::size_t acting = 0;
  int unconverged = 0;
  for (int step = 0; step < 22; ++step) {
    solver.step(w, scene.solver.dt);
    if (step >= 10) volume = std::max(volume, std::fabs(w.report.volumeChange));  // the impacts are over
    most = std::max(most, w.report.densityErrorMax);
    crossed = std::max(crossed, lowerAboveUpper(w.solid));
    unconverged += !w.report.converged;
    std::size_t now = 0;
    for (const BodyContact& c : w.solid.work.bodyContacts) now += c.lambda > 0;
    acting = std::max(acting, now);
  }
  std::printf("volume %.2e, densest %.3f, %zu contacts, crossed by %.2e m, %d unconverged\n", volume, most, acting, crossed,
              unconverged);
  EXPECT_GT(acting, 50u);
  EXPECT_LT(crossed, -0.001);  // the contact distance is 2.5 mm; nodes of the two are up to 5 mm aside of each other
  EXPECT_LT(volume, 2.5e-4);
  EXPECT_LT(most, 0.3);
  EXPECT_EQ(unconverged, 0);
  EXPECT_EQ(w.report.leaked, 0);
}

}  // namespace
}  // namespace meniscus

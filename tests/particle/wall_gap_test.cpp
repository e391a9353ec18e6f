// Bodies that start nearer to walls and fixed solids than the contact distance: they keep the gap they start with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

constexpr double kDx = 0.05;

SolidDef softBox(const Vec3d& size, const Vec3d& centre, double young) {
  SolidDef d;
  d.name = "plate";
  d.kind = SolidKind::soft;
  d.shape.size = size;
  d.shape.resolution = 0.05;
  d.transform.translate = centre;
  d.material.density = 2700;
  d.material.youngsModulus = young;
  d.material.poissonRatio = 0.34;
  return d;
}
std::pair<double, double> spanOf(const World& w, int axis) {
  double low = 1e9, high = -1e9;
  for (const Vec3d& x : w.solid.x) {
    low = std::min(low, x[axis]);
    high = std::max(high, x[axis]);
  }
  return {low, high};
}

// A plate of aluminium under a column of water, clamped at both ends, as wide as the slab. Put off to the contact distance from
// both sides in its first step, it was squeezed by an eighth, and gone in the next.
TEST(WallGap, AStiffPlateFillsASlab) {
  const double depth = 4 * kDx;
  SceneDef scene = testing::emptyTank("plate under water", {0, 0, 0}, {0.5, depth, 0.8}, 0.001);
  testing::addBoxOfWater(scene, kDx, {0.5, depth, 0.4}, {0.25, depth / 2, 0.45});
  SolidDef plate = softBox({0.5, depth, 0.05}, {0.25, depth / 2, 0.225}, 67.5e9);
  plate.pins.resize(2);
  for (PinDef& p : plate.pins) p.select = PinDef::Select::box;
  plate.pins[0].boxMin = {-1, -1, -1};
  plate.pins[0].boxMax = {1e-6, 1, 1};
  plate.pins[1].boxMin = {0.5 - 1e-6, -1, -1};
  plate.pins[1].boxMax = {1, 1, 1};
  scene.solids.push_back(plate);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  for (int k = 0; k < 5; ++k) {
    solver.step(w, scene.solver.dt);
    ASSERT_EQ(w.report.undone, 0) << k;
  }
  double deepest = 0;
  for (std::size_t i = 0; i < w.solid.x.size(); ++i) deepest = std::max(deepest, w.solid.xRest[i].z - w.solid.x[i].z);
  const auto [low, high] = spanOf(w, 1);
  EXPECT_NEAR(low, 0, 1e-5);
  EXPECT_NEAR(high, depth, 1e-5);
  EXPECT_GT(deepest, 1e-7);
  EXPECT_LT(deepest, 2e-5);  // at rest 1e-6: q L^4 / 384 D, q = 5248 Pa; twice that when loaded at once
}

// On the floor and on a fixed box: nothing lifts it. One that starts in the air comes to rest at the contact distance.
TEST(WallGap, ABlockThatStandsIsNotThrown) {
  for (const double gap : {0.0, 0.2 * 0.25 * kDx}) {
    SceneDef scene = testing::emptyTank("block", {0, 0, 0}, {0.6, 0.6, 0.6}, 0.001);
    testing::addBoxOfWater(scene, kDx, {0.1, 0.1, 0.1}, {0.5, 0.5, 0.05});
    scene.solids.push_back(softBox({0.1, 0.1, 0.1}, {0.2, 0.2, 0.05 + gap}, 1e6));
    Exec exec;
    World w = buildWorld(scene, exec, nullptr);
    ParticleSolver solver(exec, w);
    double fastest = 0;
    for (int k = 0; k < 20; ++k) {
      solver.step(w, scene.solver.dt);
      for (const Vec3d& v : w.solid.v) fastest = std::max(fastest, std::fabs(v.z));
    }
    EXPECT_LT(fastest, 0.1) << gap;  // settling under its weight 0.03; thrown off, it left with more than 1 m/s
    EXPECT_NEAR(spanOf(w, 2).first, gap, 2e-4) << gap;
  }
}

// What is lifted and comes back is stopped where it stood.
TEST(WallGap, ABlockDroppedFromTheAirKeepsTheContactDistance) {
  SceneDef scene = testing::emptyTank("block", {0, 0, 0}, {0.6, 0.6, 0.6}, 0.001);
  testing::addBoxOfWater(scene, kDx, {0.1, 0.1, 0.1}, {0.5, 0.5, 0.05});
  scene.solids.push_back(softBox({0.1, 0.1, 0.1}, {0.2, 0.2, 0.05 + 0.3 * kDx}, 1e6));
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  for (int k = 0; k < 150; ++k) solver.step(w, scene.solver.dt);
  EXPECT_NEAR(spanOf(w, 2).first, 0.25 * kDx, 2e-4);
}

SolidDef rigidBox(double density, const Vec3d& centre) {
  SolidDef d;
  d.name = "box";
  d.kind = SolidKind::rigid;
  d.shape.size = {0.2, 0.2, 0.1};
  d.transform.translate = centre;
  d.material.density = density;
  return d;
}

// On the floor, with water around and over it. Put off to the contact distance at once it left with 6 m/s, and a light one threw
// the water, that nothing made room for, with 170 m/s.
TEST(WallGap, ARigidBoxUnderWaterThatStandsIsNotThrown) {
  for (const double density : {50.0, 500.0, 5000.0}) {
    SceneDef scene = testing::emptyTank("box", {0, 0, 0}, {0.6, 0.6, 0.6}, 0.002);
    testing::addBoxOfWater(scene, kDx, {0.6, 0.6, 0.3}, {0.3, 0.3, 0.15});
    scene.fluids[0].carve = true;
    scene.solids.push_back(rigidBox(density, {0.3, 0.3, 0.05}));
    Exec exec;
    World w = buildWorld(scene, exec, nullptr);
    ParticleSolver solver(exec, w);
    double fastest = 0;
    for (int k = 0; k < 10; ++k) {
      solver.step(w, scene.solver.dt);
      fastest = std::max({fastest, w.report.maxSpeed, norm(w.solid.rigid[0].v)});
      EXPECT_EQ(w.report.undone, 0) << density << " " << k;
    }
    EXPECT_LT(fastest, 0.2) << density;
    EXPECT_NEAR(w.solid.rigid[0].x.z, 0.05, 1e-3) << density;
  }
}

TEST(WallGap, ARigidBoxKeepsTheGapItStartsWith) {
  for (const double gap : {0.0, 0.1 * kDx, 0.6 * kDx}) {
    SceneDef scene = testing::emptyTank("box", {0, 0, 0}, {0.6, 0.6, 0.6}, 0.005);
    testing::addBoxOfWater(scene, kDx, {0.1, 0.1, 0.1}, {0.5, 0.5, 0.05});
    scene.solids.push_back(rigidBox(500, {0.2, 0.2, 0.05 + gap}));
    Exec exec;
    World w = buildWorld(scene, exec, nullptr);
    ParticleSolver solver(exec, w);
    for (int k = 0; k < 100; ++k) solver.step(w, scene.solver.dt);
    EXPECT_NEAR(w.solid.rigid[0].x.z - 0.05, std::min(gap, 0.25 * kDx), 2e-4) << gap;
  }
}

}  // namespace
}  // namespace meniscus

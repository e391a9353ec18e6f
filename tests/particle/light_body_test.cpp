// Soft bodies much lighter than the water around them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

// A ball of a thousandth of the water's density under water: it carries water's inertia with it and rises with at most 2 g. What
// its constraints' spin was corrected by once moved it against the water, at 33 m/s.
TEST(LightBody, RisesWithTheWaterAroundIt) {
  SceneDef scene = testing::emptyTank("light ball", {0, 0, 0}, {0.3, 0.3, 0.4}, 0.002);
  FluidDef& water = testing::addBoxOfWater(scene, 0.02, {0.3, 0.3, 0.2}, {0.15, 0.15, 0.1});
  water.carve = true;
  SolidDef ball;
  ball.name = "ball";
  ball.kind = SolidKind::soft;
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.05;
  ball.shape.resolution = 0.03;
  ball.transform.translate = {0.14, 0.15, 0.12};
  ball.material.density = 1;
  ball.material.youngsModulus = 1e5;
  ball.material.poissonRatio = 0.4;
  scene.solids.push_back(ball);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  double fastest = 0, rise = 0;
  for (int step = 0; step < 25; ++step) {
    solver.step(w, scene.solver.dt);
    ASSERT_EQ(w.report.undone, 0) << step;
    for (const Vec3d& v : w.solid.v) fastest = std::max(fastest, norm(v));
  }
  for (const Vec3d& v : w.solid.v) rise += v.z / double(w.solid.v.size());
  EXPECT_LT(fastest, 1.2 * 2 * 9.81 * 0.05);
  EXPECT_GT(rise, 0.5 * 9.81 * 0.05);
  EXPECT_EQ(w.report.leaked, 0);
}

}  // namespace
}  // namespace meniscus

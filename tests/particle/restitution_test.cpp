// Solids that hit the ground beside water bounce as they do without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

constexpr double kDrop = 0.2;  // m

// Water a few spacings deep behind a wall, and room beside it.
SceneDef smallTank() {
  SceneDef scene = testing::emptyTank("small tank", {0, 0, 0}, {0.5, 0.2, 0.5}, 0.001);
  testing::addBoxOfWater(scene, 0.02, {0.16, 0.2, 0.06}, {0.08, 0.1, 0.03});
  SolidDef dam;
  dam.name = "dam";
  dam.shape.size = {0.02, 0.3, 0.2};
  dam.transform.translate = {0.17, 0.1, 0.1};
  scene.solids.push_back(dam);
  return scene;
}

// Highest point that `height` reaches after the first impact.
template <class Height>
double apexAfterImpact(World& w, const Height& height) {
  Exec exec;
  ParticleSolver solver(exec, w);
  const double fall = std::sqrt(2 * kDrop / 9.81);
  double apex = 0;
  while (w.time < 2.2 * fall) {
    solver.step(w, w.scene.solver.dt);
    if (w.time > 1.1 * fall) apex = std::max(apex, height(w));
  }
  return apex;
}

class Restitution : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Coefficients, Restitution, ::testing::Values(0.0, 0.5, 0.8));

TEST_P(Restitution, LightRubberBallReachesItsShareOfTheHeight) {
  const double e = GetParam(), radius = 0.04;
  SceneDef scene = smallTank();
  SolidDef ball;
  ball.name = "ball";
  ball.kind = SolidKind::rigid;
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = radius;
  ball.material.density = 100;
  ball.material.restitution = e;
  const double floor = radius + scene.solver.contactDistance * 0.02;
  ball.transform.translate = {0.35, 0.1, floor + kDrop};
  scene.solids.push_back(ball);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  const double apex = apexAfterImpact(w, [](const World& world) { return world.solid.rigid.back().x.z; }) - floor;
  EXPECT_NEAR(apex, e * e * kDrop, 0.02 * kDrop);
}

// A patch of cloth that falls flat: all its nodes hit at once.
TEST_P(Restitution, FlatClothReachesItsShareOfTheHeight) {
  const double e = GetParam();
  SceneDef scene = smallTank();
  SolidDef cloth;
  cloth.name = "cloth";
  cloth.kind = SolidKind::cloth;
  cloth.shape.kind = ShapeKind::sheet;
  cloth.shape.size = {0.1, 0.1, 0};
  cloth.shape.resolution = 0.025;
  cloth.material.arealDensity = 0.5;
  cloth.material.stretch = {Resistance::Kind::compliance, 1e-3, 0};
  cloth.material.restitution = e;
  const double floor = scene.solver.contactDistance * 0.02;
  cloth.transform.translate = {0.35, 0.1, floor + kDrop};
  scene.solids.push_back(cloth);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  const double apex = apexAfterImpact(w, [](const World& world) { return world.solid.x.end()[-1].z; }) - floor;
  EXPECT_NEAR(apex, e * e * kDrop, 0.02 * kDrop);
}

// Gas presses the nodes at the ground against it in every step, at 2 m/s here. That is no impact: a ball full of it lies still.
TEST(RestitutionOfGas, BallFullOfItComesToRest) {
  SceneDef scene = smallTank();
  SolidDef ball;
  ball.name = "ball";
  ball.kind = SolidKind::inflatable;
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.08;
  ball.shape.resolution = 0.03;
  ball.pressure = 1000;
  ball.material.arealDensity = 0.5;
  ball.material.stretch = {Resistance::Kind::compliance, 1e-3, 0};
  ball.material.bend = {Resistance::Kind::compliance, 1e3, 0};
  ball.material.restitution = 0.8;
  ball.transform.translate = {0.35, 0.1, 0.086};
  scene.solids.push_back(ball);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  double highest = 0, fastest = 0;
  while (w.time < 1) {
    solver.step(w, scene.solver.dt);
    if (w.time < 0.8) continue;
    for (const Vec3d& v : w.solid.v) fastest = std::max(fastest, norm(v));
    for (const Vec3d& x : w.solid.x) highest = std::max(highest, x.z);
  }
  EXPECT_LT(fastest, 0.05);  // m/s
  EXPECT_LT(highest, 0.2);   // m
}

}  // namespace
}  // namespace meniscus

// Momentum of closed systems: every pressure, damping and constraint force has its reaction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/balloon.h"
#include "tests/shared/momentum.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

using testing::Momentum;
using testing::momentumOf;

// A balloon full of water, free of gravity, with a shearing and straining motion inside it.
World sloshingBalloon(Exec& exec) {
  SceneDef scene = testing::balloonScene(0.012);
  scene.domain.min.x = -0.5;  // it drifts along x
  scene.domain.max.x = 0.5;
  ShapeDef& drop = scene.fluids[0].shapes[0];  // with room to move
  drop.inside.clear();
  drop.kind = ShapeKind::sphere;
  drop.radius = 0.087 * 0.93;
  World w = buildWorld(scene, exec, nullptr);
  for (Index i = 0; i < w.fluid.n; ++i) {
    const Vec3d x = Vec3d(w.fluid.x[i].xyz()) + scene.domain.min;
    w.fluid.u[i] = Vec4f(Vec3f(Vec3d{4 * x.y + 0.3, -2 * x.x, 3 * x.x}), 0.f);
  }
  return w;
}

// Water in a free drop that falls to pieces on a free plate, off its centre. It meets the plate by contacts as well as by pressure.
World splashOnAPlate(Exec& exec, double height, const SolidDef& plate) {
  SceneDef scene = testing::emptyTank("splash on a plate", {-0.4, -0.4, -0.4}, {0.4, 0.4, 0.4}, 0.001);
  scene.gravity = {};
  testing::addBallOfWater(scene, 0.012, 0.05, {0.02, 0, height}).velocity = {0.3, 0, -1.5};
  scene.solids.push_back(plate);
  return buildWorld(scene, exec, nullptr);
}
World splashOnARigidPlate(Exec& exec) {
  SolidDef plate;
  plate.name = "plate";
  plate.kind = SolidKind::rigid;
  plate.shape.size = {0.2, 0.2, 0.03};
  plate.material.density = 500;
  plate.material.friction = 0.1;
  return splashOnAPlate(exec, 0.08, plate);
}
// Of a fiftieth of the water's density: what is taken back from its constraints is a motion of the water.
World splashOnALightPlate(Exec& exec) {
  SolidDef plate;
  plate.name = "plate";
  plate.kind = SolidKind::soft;
  plate.shape.size = {0.16, 0.16, 0.04};
  plate.shape.resolution = 0.03;
  plate.material.density = 20;
  plate.material.youngsModulus = 1e5;
  return splashOnAPlate(exec, 0.09, plate);
}

struct Drift {
  Vec3d linear{}, angular{};  // of the impulse exchanged, and of that times `arm`
  double exchanged = 0;       // N s
};

// The impulse exchanged is the sum of |m du| over particles and steps, halved since every exchange has two sides.
Drift driftOf(Exec& exec, World& w, int steps, double arm) {
  ParticleSolver solver(exec, w);
  const Momentum before = momentumOf(w);
  Drift d;
  std::vector<Vec4f> byId(w.nextId);
  for (int step = 0; step < steps; ++step) {
    for (Index i = 0; i < w.fluid.n; ++i) byId[w.fluid.id[i]] = w.fluid.u[i];
    solver.step(w, w.scene.solver.dt);
    for (Index i = 0; i < w.fluid.n; ++i)
      d.exchanged += 0.5 * 1000 * w.particleVolume * norm(Vec3d((w.fluid.u[i] - byId[w.fluid.id[i]]).xyz()));
  }
  const Momentum after = momentumOf(w);
  d.linear = (after.linear - before.linear) / d.exchanged;
  d.angular = (after.angular - before.angular) / (d.exchanged * arm);
  std::printf("exchanged %.3f N s, drift linear %.2e %.2e %.2e, angular %.2e %.2e %.2e\n", d.exchanged, d.linear.x, d.linear.y,
              d.linear.z, d.angular.x, d.angular.y, d.angular.z);
  return d;
}

void expectKept(const Drift& d) {
  for (int k = 0; k < 3; ++k) {
    EXPECT_LT(std::fabs(d.linear[k]), 1e-5) << "component " << k;
    EXPECT_LT(std::fabs(d.angular[k]), 1e-5) << "component " << k;
  }
}

TEST(MomentumSlow, ClosedSystemKeepsLinearAndAngularMomentum) {
  Exec exec;
  World w = sloshingBalloon(exec);
  const Drift d = driftOf(exec, w, 1000, 0.087);
  ASSERT_GT(d.exchanged, 0.1);  // it does slosh
  ASSERT_EQ(w.report.leaked, 0);
  for (const Vec3d& x : w.solid.x) ASSERT_LT(std::fabs(x.x), 0.45);  // no wall has been touched
  expectKept(d);
}

TEST(Momentum, DropAndPlateKeepLinearAndAngularMomentum) {
  Exec exec;
  World w = splashOnARigidPlate(exec);
  const Drift d = driftOf(exec, w, 120, 0.1);
  ASSERT_GT(norm(w.solid.rigid[0].v), 0.1);  // the drop has hit it
  ASSERT_GT(norm(w.solid.rigid[0].omega), 0.1);
  for (Index i = 0; i < w.fluid.n; ++i)  // no wall has been touched
    for (int k = 0; k < 3; ++k) ASSERT_LT(std::fabs(w.fluid.x[i].xyz()[k] - 0.4f), 0.37f);
  expectKept(d);
}

TEST(Momentum, DropAndLightSoftPlateKeepLinearAndAngularMomentum) {
  Exec exec;
  World w = splashOnALightPlate(exec);
  const Drift d = driftOf(exec, w, 60, 0.1);
  double fastest = 0;
  for (const Vec3d& v : w.solid.v) fastest = std::max(fastest, norm(v));
  ASSERT_GT(fastest, 1);  // the drop carries it along
  expectKept(d);
}

// Between walls the balance closes with the impulses of the walls, pressure included. (Those of contacts alone left it open by a
// hundred times what was exchanged.)
TEST(Momentum, WallsAccountForTheRest) {
  Exec exec;
  SceneDef scene = testing::emptyTank("collapsing column", {0, 0, 0}, {0.3, 0.1, 0.2}, 0.002);
  testing::addBoxOfWater(scene, 0.01, {0.1, 0.1, 0.15}, {0.05, 0.05, 0.075});
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  const Vec3d before = momentumOf(w).linear;
  constexpr int kSteps = 50;
  for (int step = 0; step < kSteps; ++step) solver.step(w, scene.solver.dt);
  const double mass = 1000 * w.particleVolume * w.fluid.n;
  const Vec3d expected = before + scene.gravity * (mass * kSteps * scene.solver.dt) + w.impulseOnFluidFromStatic;
  EXPECT_GT(w.impulseOnFluidFromStatic.z, 0.3 * mass * 9.81 * kSteps * scene.solver.dt);  // the floor carries the column
  EXPECT_LT(norm(momentumOf(w).linear - expected), 1e-5 * w.impulseExchanged);
}

}  // namespace
}  // namespace meniscus

// Walls that key frames move: fast ones are resolved from their first sub-step, and water that they leave no room is said.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

constexpr double kSpacing = 0.02;

// A tank of 0.2 m each way, water up to 0.1 m, and a block that covers it from z on upwards.
SceneDef tankWithLid(double z, const std::vector<KeyFrame>& motion) {
  SceneDef scene = testing::emptyTank("lid", {0, 0, 0}, {0.2, 0.2, 0.4}, 0.002);
  testing::addBoxOfWater(scene, kSpacing, {0.2, 0.2, 0.1}, {0.1, 0.1, 0.05});
  SolidDef lid;
  lid.name = "lid";
  lid.kind = SolidKind::kinematic;
  lid.shape.size = {0.3, 0.3, 0.1};
  lid.transform.translate = {0.1, 0.1, z + 0.05};
  lid.motion = motion;
  scene.solids.push_back(lid);
  return scene;
}

KeyFrame frame(double time, double z) {
  KeyFrame k;
  k.time = time;
  k.translate.z = z;
  return k;
}

// The lid starts 0.1 m above the water and comes down on it at 5 m/s in the middle of a step: at most 0.4 spacings a sub-step.
TEST(MovedWall, SubstepsFollowTheKeyFramesThatCome) {
  const double speed = 5, begin = 0.003, fall = 0.09;
  const SceneDef scene = tankWithLid(0.2, {frame(0, 0), frame(begin, 0), frame(begin + fall / speed, -fall)});
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.step(w, 0.002);
  EXPECT_EQ(w.report.substeps, 1);
  solver.step(w, 0.002);
  EXPECT_GE(w.report.substeps, int(std::ceil(speed * 0.002 / (0.4 * kSpacing))));
  EXPECT_TRUE(w.report.converged) << w.report.reason;
}

// The lid goes on into the water by a tenth of its depth: nothing incompressible can do that.
TEST(MovedWall, WaterWithoutRoomIsSaid) {
  const SceneDef scene = tankWithLid(0.1, {frame(0, 0), frame(0.02, -0.01)});
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  std::string reason;
  for (int k = 0; k < 10; ++k) {
    solver.step(w, 0.002);
    if (!w.report.converged && reason.empty()) reason = w.report.reason;
  }
  EXPECT_FALSE(w.report.converged) << "compressed by " << -w.report.volumeChange;
  EXPECT_NE(reason.find("fluid: compressed by"), std::string::npos) << reason;
}

// A start as disordered as this is a tenth too dense, and rises.
TEST(MovedWall, DisorderUnderASurfaceIsNoLackOfRoom) {
  SceneDef scene = testing::emptyTank("disorder", {0, 0, 0}, {0.12, 0.12, 0.5}, 0.002);
  FluidDef& water = testing::addBoxOfWater(scene, kSpacing, {0.12, 0.12, 0.4}, {0.06, 0.06, 0.2});
  water.jitter = 0.7;
  water.relax = false;
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.step(w, 0.002);
  EXPECT_LT(w.report.volumeChange, -0.05);
  EXPECT_TRUE(w.report.converged) << w.report.reason;
}

}  // namespace
}  // namespace meniscus

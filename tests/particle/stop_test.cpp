// A step that is stopped between its sub-steps, and steps that the sub-steps allowed cannot resolve.
#include <gtest/gtest.h>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "engine/world/hash.h"
#include "tests/shared/error_of.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

// Water thrown through an open side with a ball under a tap: particles come and go, a body is pushed.
SceneDef busyTank() {
  SceneDef scene = testing::emptyTank("busy tank", {0, 0, 0}, {0.2, 0.1, 0.2}, 0.02);
  scene.domain.walls[1] = false;
  testing::addBoxOfWater(scene, 0.01, {0.06, 0.1, 0.08}, {0.15, 0.05, 0.04}).velocity = {2, 0, 0};
  SolidDef ball;
  ball.name = "ball";
  ball.kind = SolidKind::rigid;
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.015;
  ball.transform.translate = {0.15, 0.05, 0.11};
  scene.solids.push_back(ball);
  EmitterDef tap;
  tap.name = "tap";
  tap.fluid = "water";
  tap.radius = 0.02;
  tap.speed = 1.5;
  tap.transform.translate = {0.04, 0.05, 0.05};
  scene.emitters.push_back(tap);
  return scene;
}

int asked = 0, stopAt = 0;
bool stopThen() { return ++asked == stopAt; }

TEST(Stop, StoppedStepLeavesTheWorldAsItWas) {
  Exec exec;
  World w = buildWorld(busyTank(), exec, nullptr), whole = w;
  ParticleSolver solver(exec, w), other(exec, whole);
  other.step(whole, 0.02);
  solver.step(w, 0.02);
  other.step(whole, 0.02);
  ASSERT_GE(whole.report.substeps, 4);
  ASSERT_GT(whole.report.escaped, 0);
  ASSERT_GT(whole.report.emitted, 0);
  const std::uint64_t before = stateHash(w);
  const int substeps = w.report.substeps;
  for (stopAt = 1; stopAt < whole.report.substeps; ++stopAt) {
    asked = 0;
    ASSERT_FALSE(solver.step(w, 0.02, stopThen));
    EXPECT_EQ(asked, stopAt);
    ASSERT_EQ(stateHash(w), before) << "after sub-step " << stopAt;
    EXPECT_EQ(w.report.substeps, substeps);
  }
  // the same where the caller has a copy
  StateCopy copy;
  copy.take(w);
  asked = 0;
  stopAt = whole.report.substeps - 1;
  ASSERT_FALSE(solver.step(w, 0.02, stopThen, &copy));
  ASSERT_EQ(stateHash(w), before);
  stopAt = 0;
  EXPECT_TRUE(solver.step(w, 0.02, stopThen, &copy));
  EXPECT_EQ(stateHash(w), stateHash(whole));
}

TEST(Stop, StepThatIsOneSubstepIsDone) {
  Exec exec;
  World w = buildWorld(busyTank(), exec, nullptr);
  ParticleSolver solver(exec, w);
  EXPECT_TRUE(solver.step(w, 1e-4, [] { return true; }));
  EXPECT_EQ(w.steps, 1u);
}

TEST(SubstepLimit, SaysHowManyWereNeeded) {
  SceneDef scene = busyTank();
  scene.solver.maxSubsteps = 2;
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.step(w, 0.01);  // 4 mm at 2 m/s take 2 ms
  EXPECT_EQ(w.report.substeps, 2);
  EXPECT_FALSE(w.report.converged);
  EXPECT_NE(w.report.reason.find("needs 6 sub-steps at 2 m/s, max_substeps is 2"), std::string::npos) << w.report.reason;
}

// 10 s in two sub-steps: the water would be out of any tank.
TEST(SubstepLimit, StepThatCrossesTheDomainFails) {
  SceneDef scene = busyTank();
  scene.solver.maxSubsteps = 2;
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  try {
    solver.step(w, 10);
    FAIL() << "a step of 10 s was made";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::simulation);
    EXPECT_NE(std::string(e.what()).find("cross the domain"), std::string::npos) << e.what();
  }
}

// From rest, 4 mm are fallen through in 29 ms: 64 sub-steps are 1.8 s.
TEST(SubstepLimit, StepThatNoStateResolvesIsRefused) {
  SceneDef scene = busyTank();
  scene.emitters.clear();
  Exec exec;
  scene.solver.dt = 1.8;
  EXPECT_EQ(testing::errorOf([&] { buildWorld(scene, exec, nullptr); }), "");
  scene.solver.dt = 10;
  const std::string message = testing::errorOf([&] { buildWorld(scene, exec, nullptr); });
  EXPECT_NE(message.find("a step of 10 s cannot be resolved"), std::string::npos) << message;
  EXPECT_NE(message.find("make dt 1.7 s or smaller"), std::string::npos) << message;
}

// In a scene without fluid the solids may be given more of them than their speed asks for.
TEST(SubstepLimit, SolidSubstepsOfAScene) {
  SceneDef scene = busyTank();
  scene.fluids.clear();
  scene.emitters.clear();
  scene.solver.solidSubsteps = 7;
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.step(w, 1e-3);
  EXPECT_EQ(w.report.substeps, 7);
  EXPECT_NEAR(w.time, 1e-3, 1e-15);
}

}  // namespace
}  // namespace meniscus

// Steps of a particle scene whose water and rigid bodies a coupling solves as boxes.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/scene/methods.h"
#include "engine/world/hash.h"
#include "tests/coupling/sph_tank.h"
#include "tests/shared/error_of.h"
#include "tests/shared/momentum.h"

namespace meniscus::testing {
namespace {

// Two routes: one system of water and body, and passes of two boxes. They are the same equations but for contacts,
// and for the speed of the body in the compression by straight paths.
TEST(CoupledParticles, AgreesWithOneSystemOfBoth) {
  SceneDef scene = ballInTank("isph-pbd", 0.1, 0.03);
  scene.solver.couplingTolerance = 1e-6;
  scene.solver.clampSeparation = false;  // which films form hangs on the solve, and the water's box looks for none
  Exec exec;
  World one = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, one);
  solver.settle(one);
  solver.step(one, 0.002);
  const double expected = one.solid.rigid[0].v.z;
  EXPECT_GT(expected, 0.01);
  for (const char* method : {"xpm", "iqn-ils", "partitioned"}) {
    scene.solver.method = method;
    SphTank t(scene);
    t.world.scene.solver.coupling.maxIterations = 100;
    ASSERT_TRUE(t.coupled->step(0.002));
    EXPECT_NEAR(t.ball().v.z, expected, 0.02 * expected) << method;  // the tolerance, times the gain of six
  }
}

// One pass a step throws so light a ball, and the run was to go on with it kilometres away.
TEST(CoupledParticles, ABodyThatIsThrownThroughAWallEndsTheRunByName) {
  SceneDef scene = ballInTank("staggered", 0.02, 0.03);
  SolidDef& body = scene.solids[0];
  body.shape = {};
  body.shape.kind = ShapeKind::box;
  body.shape.size = {0.2, 0.2, 0.1};
  body.transform.translate.z = 0.05;
  SphTank t(scene);
  std::string text;
  try {
    for (int k = 0; k < 100; ++k) t.coupled->step(0.005);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::simulation);
    text = e.what();
  }
  EXPECT_NE(text.find("leaves the domain through side"), std::string::npos) << text;
  EXPECT_NE(text.find("isph-pbd"), std::string::npos) << text;
}

TEST(CoupledParticles, AnyNumberOfThreadsAndAnyHistoryGiveTheSameBits) {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3}) {
    SphTank t(ballInTank("xpm", 0.05, 0.03), threads);
    for (int k = 0; k < 4; ++k) ASSERT_TRUE(t.coupled->step(0.002));
    if (threads == 2) t.coupled = std::make_unique<coupling::CoupledParticles>(t.exec, t.world, *t.solver);
    for (int k = 0; k < 2; ++k) ASSERT_TRUE(t.coupled->step(0.002));
    if (first == 0) first = stateHash(t.world);
    EXPECT_EQ(stateHash(t.world), first) << threads;
    EXPECT_EQ(t.world.steps, 6u);
    EXPECT_TRUE(t.world.report.converged) << t.world.report.reason;
    EXPECT_GE(t.world.report.couplingIterations, 2);
  }
}

// The bodies end with the load that the water gave, whatever the passes leave open: to the single precision of the particles.
TEST(CoupledParticles, MomentumIsExchanged) {
  for (const char* method : {"xpm", "iqn-ils", "partitioned", "staggered"}) {
    SceneDef scene = ballInTank(method, 0.1, 0.03);
    scene.solver.coupling.tolerance = 0.05;
    SphTank t(scene);
    const World& w = t.world;
    double mass = w.solid.rigid[0].mass;
    mass += 1000 * w.particleVolume * w.fluid.n;
    const Vec3d before = momentumOf(w).linear;
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(t.coupled->step(0.002));
    const Vec3d expected = before + w.scene.gravity * (mass * 5 * 0.002) + w.impulseOnFluidFromStatic + w.impulseOnSolidsFromStatic;
    EXPECT_GT(w.impulseExchanged, 0.1);
    EXPECT_LT(norm(momentumOf(w).linear - expected), 1e-5 * w.impulseExchanged) << method;
  }
}

bool always() { return true; }

TEST(CoupledParticles, AStepThatIsStoppedLeavesNothing) {
  SphTank t(ballInTank("xpm", 0.05, 0.03));
  ASSERT_TRUE(t.coupled->step(0.002));
  const std::uint64_t hash = stateHash(t.world);
  EXPECT_FALSE(t.coupled->step(0.002, always));
  EXPECT_EQ(stateHash(t.world), hash);
  ASSERT_TRUE(t.coupled->step(0.002));
  EXPECT_NE(stateHash(t.world), hash);
}

// One pass a step: the bodies take the load of the motion that they would have had. With five times the added mass of the ball's
// own that multiplies an error by more than one, step after step.
TEST(CoupledParticles, StaggeredStepsOfALightBallBreakWherePassesDoNot) {
  double most[2];
  for (const bool staggered : {true, false}) {
    SceneDef scene = ballInTank(staggered ? "partitioned" : "xpm", 0.05, 0.03);
    if (staggered) scene.solver.coupling.maxIterations = 1;
    SphTank t(scene);
    most[staggered] = 0;
    for (int k = 0; k < 60 && most[staggered] < 5; ++k) {
      ASSERT_TRUE(t.coupled->step(0.002));
      most[staggered] = std::max(most[staggered], std::abs(t.ball().v.z));
    }
  }
  EXPECT_LT(most[0], 1.5);
  EXPECT_GT(most[1], 5);
}

TEST(CoupledParticles, WhatItDoesNotTakeIsRefusedByName) {
  SceneDef scene = ballInTank("xpm", 0.5, 0);
  EXPECT_TRUE(isCoupledParticleScene(scene));
  EXPECT_FALSE(isGridScene(scene));
  scene.solids.push_back(scene.solids[0]);
  scene.solids[1].name = "jelly";
  scene.solids[1].kind = SolidKind::soft;
  Exec exec;
  EXPECT_NE(errorOf([&] {
              buildWorld(scene, exec, nullptr);
            }).find("solid \"jelly\" is soft: the method \"xpm\" couples particles with rigid bodies only"),
            std::string::npos);
  scene.solids[1].kind = SolidKind::cloth;
  EXPECT_NE(errorOf([&] { buildWorld(scene, exec, nullptr); }).find("is a skin"), std::string::npos);
  scene.solids.pop_back();
  scene.solver.method = "monolithic";
  EXPECT_NE(errorOf([&] { buildWorld(scene, exec, nullptr); }).find("\"monolithic\" needs a \"grid\""), std::string::npos);
}

}  // namespace
}  // namespace meniscus::testing

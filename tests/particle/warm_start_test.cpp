// Where a solve of the coupled step starts: at the pressures and multipliers of the one before, in the same sub-step and in the
// last.
#include <gtest/gtest.h>

#include <cstdio>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/balloon.h"

namespace meniscus {
namespace {

// A balloon full of water that lies on the ground, pressed flat by its weight: the ground's forces on its nodes carry everything.
// When each solve began without them, it took 15 to 20 iterations every time, however little had changed.
TEST(WarmStartSlow, ContactForcesAreKept) {
  SceneDef scene = testing::balloonScene(0.014);
  scene.gravity = {0, 0, -9.81};
  scene.domain.min = {-0.2, -0.2, 0};
  scene.domain.max = {0.2, 0.2, 0.3};
  scene.solids[0].transform.translate = {0, 0, 0.089};
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  for (int step = 0; step < 60; ++step) solver.step(w, scene.solver.dt);
  int solves = 0, iterations = 0;
  for (int step = 0; step < 40; ++step) {
    solver.step(w, scene.solver.dt);
    solves += w.report.pressureSolves;
    iterations += w.report.pressureIterations;
  }
  std::printf("%.1f iterations a solve, %.1f solves a step\n", double(iterations) / solves, solves / 40.0);
  EXPECT_LE(double(iterations) / solves, 12.0);
  double touching = 0;
  for (const double l : w.solid.contactLambda) touching += l > 0;
  EXPECT_GT(touching, 10);
}

}  // namespace
}  // namespace meniscus

// Water and a light, taut skin in one solve: how fast it converges, and to what.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/balloon.h"

namespace meniscus {
namespace {

// A balloon full of water a spacing above the ground, 1.8 m/s downwards: the skin of 1 kg/m^2 is tenfold lighter than the water
// beside it and stiff (k dt^2 / m = 12).
World fallingBalloon(Exec& exec) {
  SceneDef scene = testing::balloonScene(0.014);
  scene.gravity = {0, 0, -9.81};
  scene.domain.min = {-0.2, -0.2, 0};
  scene.domain.max = {0.2, 0.2, 0.3};
  scene.solver.maxCouplingIterations = 6;
  scene.solids[0].transform.translate = {0, 0, 0.1};
  scene.solids[0].velocity = scene.fluids[0].velocity = {0, 0, -1.8};
  return buildWorld(scene, exec, nullptr);
}

// Without the geometric stiffness of the taut edges, the active set of contacts and the preconditioner this took 10 iterations and
// more to end at 1e-2, with 50 iterations a solve.
TEST(CouplingSlow, TautSkinConvergesInContact) {
  Exec exec;
  World w = fallingBalloon(exec);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  int converged = 0, iterations = 0, solves = 0, pressure = 0;
  constexpr int kSteps = 60;  // the impact and the widening after it
  for (int step = 0; step < kSteps; ++step) {
    solver.step(w, w.scene.solver.dt);
    converged += w.report.couplingResidual <= w.scene.solver.couplingTolerance;
    iterations += w.report.couplingIterations;
    solves += w.report.pressureSolves;
    pressure += w.report.pressureIterations;
  }
  EXPECT_GE(converged, kSteps * 5 / 6);  // the others are steps of the first touch
  EXPECT_LE(double(iterations) / kSteps, 4.0);
  EXPECT_LE(double(pressure) / solves, 25.0);
  EXPECT_EQ(w.report.leaked, 0);
  // it did hit the ground and widen
  double low = 1, wide = 0;
  for (const Vec3d& x : w.solid.x) {
    low = std::min(low, x.z);
    wide = std::max(wide, x.x);
  }
  EXPECT_LT(low, 0.006);
  EXPECT_GT(wide, 0.095);
}

}  // namespace
}  // namespace meniscus

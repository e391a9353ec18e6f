// Whole steps of so many particles that the rows of pairs are packed (engine/particle/pairs.h).
#include <gtest/gtest.h>

#include "engine/base/heap.h"
#include "engine/particle/pairs.h"
#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "engine/world/hash.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

// A tank of 36k particles from a disturbed start, with a ball of wood in it.
SceneDef tank() {
  constexpr double dx = 0.01;
  SceneDef scene = testing::emptyTank("tank", {0, 0, 0}, {33 * dx, 33 * dx, 0.5}, 0.001);
  FluidDef& water = testing::addBoxOfWater(scene, dx, {33 * dx, 33 * dx, 34 * dx}, {16.5 * dx, 16.5 * dx, 17 * dx});
  water.jitter = 0.15;
  water.carve = true;
  SolidDef ball;
  ball.name = "ball";
  ball.kind = SolidKind::rigid;
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.05;
  ball.material.density = 500;
  ball.transform.translate = {0.12, 0.14, 0.15};
  scene.solids.push_back(ball);
  return scene;
}

struct Outcome {
  std::uint64_t hash;
  int particles, iterations;
  double error;
};

Outcome run(int threads, int steps) {
  const SceneDef scene = tank();
  Exec exec(threads);
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  for (int k = 0; k < steps; ++k) {
    solver.step(w, scene.solver.dt);
    EXPECT_TRUE(w.report.converged) << w.report.reason;
    EXPECT_EQ(w.report.leaked, 0);
  }
  return {stateHash(w), int(w.fluid.n), int(w.report.pressureIterations), w.report.densityErrorMean};
}

TEST(PackedRows, SameBitsWithAnyNumberOfThreads) {
  const Outcome one = run(1, 4), three = run(3, 4);
  EXPECT_GE(one.particles, kRoundedFrom);
  EXPECT_GT(one.iterations, 0);
  EXPECT_EQ(one.hash, three.hash);
}

// A sum over three particles in four would show in the error of the density at once.
TEST(PackedRows, DisturbedWaterComesToRestDensity) {
  const Outcome start = run(2, 1), later = run(2, 12);
  EXPECT_LT(later.error, 3e-4);
  EXPECT_LT(later.error, 0.5 * start.error);
}

TEST(PackedRows, SteadyStepsAllocateNothing) {
  SceneDef scene = tank();
  scene.solids.clear();
  scene.fluids[0].jitter = 0;
  Exec exec(3);
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  for (int k = 0; k < 10; ++k) solver.step(w, scene.solver.dt);
  const std::uint64_t before = heapUse().allocations;
  for (int k = 0; k < 4; ++k) solver.step(w, scene.solver.dt);
  EXPECT_EQ(heapUse().allocations, before);
}

}  // namespace
}  // namespace meniscus

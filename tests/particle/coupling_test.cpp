// Water and a light, taut skin in one solve: how fast it converges, and to what.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/balloon.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

// A balloon full of water a spacing above the ground, 1.8 m/s downwards: the skin of 1 kg/m^2 is tenfold lighter than the water
// beside it and stiff (k dt^2 / m = 12).
World fallingBalloon(Exec& exec) {
  SceneDef scene = testing::balloonScene(0.014);
  scene.gravity = {0, 0, -9.81};
  scene.domain.min = {-0.2, -0.2, 0};
  scene.domain.max = {0.2, 0.2, 0.3};
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
  EXPECT_GE(converged, kSteps - 2);
  EXPECT_LE(double(iterations) / kSteps, 3.5);
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

// A column of water falls against a hanging rubber wall, climbs it and leaves it drop by drop. Before films that separate were
// known to the solve, what was clamped after it stayed as a mismatch of 1e-2 that no iteration reduced; before the energy of the
// tetrahedra was, the mismatch was of the size of the velocities.
TEST(CouplingSlow, WaterThatLeavesARubberWallConverges) {
  Exec exec;
  SceneDef scene = testing::emptyTank("rubber wall", {-0.1, -0.1, 0}, {0.1, 0.1, 0.3}, 0.001);
  testing::addBoxOfWater(scene, 0.01, {0.08, 0.2, 0.14}, {-0.06, 0, 0.07});
  SolidDef wall;
  wall.name = "wall";
  wall.kind = SolidKind::soft;
  wall.shape.kind = ShapeKind::box;
  wall.shape.size = {0.03, 0.18, 0.1};
  wall.shape.resolution = 0.03;
  wall.transform.translate = {0.04, 0, 0.06};
  wall.material.density = 500;
  wall.material.youngsModulus = 2e4;
  wall.material.poissonRatio = 0.4;
  PinDef top;
  top.select = PinDef::Select::box;
  top.boxMin = {-1, -1, 0.105};
  top.boxMax = {1, 1, 1};
  wall.pins.push_back(top);
  scene.solids.push_back(wall);
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  int converged = 0, iterations = 0;
  double moved = 0;
  constexpr int kSteps = 200;  // the water meets the wall, climbs it and falls back
  for (int step = 0; step < kSteps; ++step) {
    solver.step(w, scene.solver.dt);
    converged += w.report.converged;
    iterations += w.report.couplingIterations;
  }
  for (std::size_t i = 0; i < w.solid.x.size(); ++i) moved = std::max(moved, norm(w.solid.x[i] - w.solid.xRest[i]));
  EXPECT_GE(converged, kSteps - 4);
  EXPECT_LE(double(iterations) / kSteps, 2.7);
  EXPECT_EQ(w.report.leaked, 0);
  EXPECT_GT(moved, 0.01);  // it was met
}

// A flat cloth falls through the air above water at rest. The water's rows, of which nothing is asked, once let the solve stop
// before the cloth's few rows were solved.
TEST(Coupling, ClothInTheAirConvergesBesideMuchCalmWater) {
  SceneDef scene = testing::emptyTank("falling cloth", {0, 0, 0}, {0.4, 0.24, 0.5}, 0.002);
  testing::addBoxOfWater(scene, 0.02, {0.4, 0.24, 0.2}, {0.2, 0.12, 0.1});
  SolidDef cloth;
  cloth.name = "cloth";
  cloth.kind = SolidKind::cloth;
  cloth.shape.kind = ShapeKind::sheet;
  cloth.shape.size = {0.15, 0.15, 0};
  cloth.shape.resolution = 0.02;
  cloth.transform.translate = {0.2, 0.12, 0.4};
  cloth.material.density = 400;
  cloth.material.thickness = 0.001;
  cloth.material.youngsModulus = 1e6;
  cloth.material.membrane = MembraneModel::neoHookean;
  scene.solids.push_back(cloth);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  for (int step = 0; step < 30; ++step) {
    solver.step(w, scene.solver.dt);
    EXPECT_TRUE(w.report.converged) << step << ": " << w.report.reason << ", " << w.report.couplingResidual;
  }
}

}  // namespace
}  // namespace meniscus

// Water with a free surface as the fluid of a scene: it floats, holds, fills and is held, and none of it is lost.
#include <cmath>

#include "tests/offline/scenes.h"

namespace meniscus {
namespace {

using offline::OfflineRun;
using offline::StepReport;

std::string ball(double density) {
  return R"([{"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.15}}, "position": [0.5, 0, 0.3],
    "material": {"density": )" +
         std::to_string(density) + "}}]";
}

// Still water stays so, and its pressure at the ground is that of its depth, which is no multiple of a cell.
TEST(OfflineWater, StillWaterHasThePressureOfItsDepth) {
  Exec exec(1);
  const auto run = testing::started(testing::offlineScene(testing::planeTank("[]")), exec);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(run->step(0.01).coupling.stop, coupling::Stop::noInterface);
  const offline::GridFields f = run->gridFields();
  ASSERT_EQ(f.levelSet.size(), 400u);
  EXPECT_TRUE(f.smoke.empty());
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(f.pressure[i], 1000 * 9.81 * (0.61 - 0.025), 0.1);
  for (const Vec3f& v : f.velocity) EXPECT_LT(norm(v), 1e-5);
  EXPECT_NEAR(run->water().volume, 0.61, 1e-6);
  EXPECT_LT(run->volumeError(), 1e-9);
}

// What is lighter than water rises, what is heavier sinks, and nothing is off in the momentum: the water's faces, the weight.
TEST(OfflineWater, BodiesRiseAndSinkByTheirDensity) {
  Exec exec(2);
  for (const double density : {300.0, 3000.0}) {
    SceneDef scene = testing::offlineScene(testing::planeTank(ball(density), R"(, "coupling": {"tolerance": 0.01})"));
    scene.solver.grid.cells = 40;
    const auto run = testing::started(scene, exec);
    for (int k = 0; k < 5; ++k) EXPECT_TRUE(run->step(0.01).coupling.converged()) << k;
    const double r = density / 1000, a = 9.81 * (1 - r) / (r + 1);  // with the added mass of a disc
    EXPECT_NEAR(run->solids()[0].v.z / run->time() / a, 1, 0.3) << density;
    EXPECT_GE(run->momentumError(), 0);
    EXPECT_LT(run->momentumError(), 1e-12);
    EXPECT_LT(run->volumeError(), 0.01);
    EXPECT_EQ(run->water().lost, 0u);
  }
}

// The disc goes on steadily where it passes over centres of cells. They were air at first, whose pressure of 0 sucked the disc
// down: in the fifth step it lost half its speed.
TEST(OfflineWater, ABodyLeavesNoBubblesBehind) {
  Exec exec(1);
  SceneDef scene = testing::offlineScene(testing::planeTank(ball(300), R"(, "coupling": {"tolerance": 1e-4})"));
  scene.solids[0].transform.translate = {0.52, 0, 0.31};
  const auto run = testing::started(scene, exec);
  run->step(0.01);
  const double first = run->solids()[0].v.z;
  EXPECT_GT(first, 0);
  for (int k = 2; k <= 12; ++k) {
    const double before = run->solids()[0].v.z;
    run->step(0.01);
    EXPECT_NEAR((run->solids()[0].v.z - before) / first, 1, 0.6) << k;
  }
}

double heightAt(const offline::SolidFields& s, double x) {
  for (std::size_t k = 0; k + 1 < s.line.size(); k += 2) {
    const Vec3f &a = s.x[std::size_t(s.line[k])], &b = s.x[std::size_t(s.line[k + 1])];
    if (a.x <= x && x <= b.x) return a.z + (x - a.x) / (b.x - a.x) * (b.z - a.z);
  }
  return 0;
}

// All the water stays on the cloth: exactly.
TEST(OfflineWater, AClothHoldsIt) {
  Exec exec(2);
  const std::string solids = R"([{"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [1.002, 1], "resolution": 0.06}},
    "position": [0.5, 0, 0.5], "pins": [{"rim": true}],
    "material": {"areal_density": 20, "youngs_modulus": 2e7, "thickness": 0.001, "damping": 0.001}}])";
  const auto run = testing::started(
      testing::offlineScene(testing::planeTank(solids, "", R"([{"box": {"min": [0, -0.5, 0.5], "max": [1, 0.5, 0.7]}}])")), exec);
  for (int k = 0; k < 20; ++k) EXPECT_TRUE(run->step(0.01).coupling.converged()) << k;
  const offline::GridFields f = run->gridFields();
  const offline::SolidFields s = run->solidFields();
  double wet = 0;
  for (std::size_t i = 0; i < f.levelSet.size(); ++i) {
    const double x = f.origin.x + (double(i % 20) + 0.5) * f.dx, z = f.origin.z + (double(i / 20) + 0.5) * f.dx;
    wet += f.levelSet[i] < 0;
    if (z < heightAt(s, x)) { EXPECT_GT(f.levelSet[i], 0) << x << ' ' << z; }
  }
  EXPECT_NEAR(wet * f.dx * f.dx, 0.2, 0.02);
  EXPECT_LT(run->solids()[0].x.z, 0.45);
  EXPECT_EQ(run->water().lost, 0u);
}

// Two solids that overlap displace together what one of their outline would.
TEST(OfflineWater, OverlappingSolidsAreDryWhereTheyOverlap) {
  Exec exec(1);
  const std::string solids = R"([
    {"name": "a", "kind": "static", "shape": {"box": {"size": [0.3, 1, 0.3]}}, "position": [0.35, 0, 0.25]},
    {"name": "b", "kind": "static", "shape": {"box": {"size": [0.3, 1, 0.3]}}, "position": [0.55, 0, 0.25]}])";
  const auto run = testing::started(testing::offlineScene(testing::planeTank(solids)), exec);
  const offline::GridFields f = run->gridFields();
  double wet = 0;
  for (const float d : f.levelSet) wet += d < 0 ? f.dx * f.dx : 0;
  EXPECT_NEAR(wet, 0.6 - 0.5 * 0.3, 1e-9);
}

// A skin that reaches through the sides has an inside too, be it most of the tank.
TEST(OfflineWater, WhatFillsMostOfTheTankIsInside) {
  Exec exec(1);
  const std::string solids = R"([{"name": "skin", "kind": "inflatable", "shape": {"box": {"size": [2, 1, 1.1], "resolution": 0.05}},
    "position": [0.5, 0, 0.05], "pins": [{"box": {"min": [-1, -1, -1], "max": [2, 1, 0.57]}}, {"box": {"min": [-1, -1, -1],
    "max": [0, 1, 1]}}, {"box": {"min": [1, -1, -1], "max": [2, 1, 1]}}],
    "material": {"areal_density": 5, "youngs_modulus": 2e6, "thickness": 0.01, "damping": 0.001}}])";
  const auto run = testing::started(testing::offlineScene(testing::planeTank(solids, "", R"([{"inside": "skin"}])")), exec);
  EXPECT_NEAR(run->water().volume, 0.6, 0.01);
}

// A skin full of water, hung up by its top, keeps its volume.
TEST(OfflineWater, ASkinKeepsWhatFillsIt) {
  Exec exec(2);
  const std::string solids = R"([{"name": "skin", "kind": "inflatable", "shape": {"sphere": {"radius": 0.2, "resolution": 0.05}},
    "position": [0.5, 0, 0.6], "pins": [{"box": {"min": [0.4, -1, 0.78], "max": [0.6, 1, 1]}}],
    "material": {"areal_density": 5, "youngs_modulus": 2e6, "thickness": 0.01, "damping": 0.001}}])";
  const auto run = testing::started(testing::offlineScene(testing::planeTank(solids, "", R"([{"inside": "skin"}])")), exec);
  ASSERT_TRUE(run->solids()[0].fills);
  const double before = run->solids()[0].volume, height = run->solids()[0].x.z;
  for (int k = 0; k < 20; ++k) {
    const StepReport step = run->step(0.01);
    EXPECT_TRUE(step.coupling.converged() && step.enclosedConverged) << k << ' ' << step.coupling.text();
    ASSERT_EQ(step.p0.size(), 1u);
  }
  EXPECT_NEAR(run->solids()[0].volume / before, 1, 0.01);
  EXPECT_LT(run->solids()[0].x.z, height - 0.005);
  EXPECT_LE(run->water().lost, 3u);  // between the skin and what holds it
}

TEST(OfflineWater, MonolithicAndXpmEndAtTheSameStep) {
  Exec exec(2);
  SceneDef scene =
      testing::offlineScene(testing::planeTank(ball(500), R"(, "coupling": {"tolerance": 1e-7, "max_iterations": 100})"));
  const auto one = testing::started(scene, exec);
  scene.solver.method = "monolithic";
  const auto whole = testing::started(scene, exec);
  for (int k = 0; k < 3; ++k) {
    const StepReport a = one->step(0.01), b = whole->step(0.01);
    EXPECT_TRUE(a.coupling.converged()) << a.coupling.text();
    EXPECT_TRUE(b.coupling.converged()) << b.coupling.text();
  }
  EXPECT_LT(norm(one->solids()[0].x - whole->solids()[0].x), 1e-5 * 0.05);
  EXPECT_GT(one->solids()[0].v.z, 0.01);
}

// Columns of earlier steps help, or are left out: with two steps of them, and all kept, the cloth under water once was thrown out
// of the tank at 0.2 s.
TEST(OfflineWater, ReusedColumnsDoNoHarm) {
  Exec exec(2);
  const std::string solids = R"([{"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [1.002, 1], "resolution": 0.0375}},
    "position": [0.5, 0, 0.5], "pins": [{"rim": true}],
    "material": {"areal_density": 20, "youngs_modulus": 2e7, "thickness": 0.001, "damping": 0.001}}])";
  SceneDef scene =
      testing::offlineScene(testing::planeTank(solids, "", R"([{"box": {"min": [0, -0.5, 0.5], "max": [1, 0.5, 0.7]}}])"));
  scene.solver.grid.cells = 32;
  double sag[3];
  for (const int reuse : {0, 2, 5}) {
    scene.solver.coupling.reuse = reuse;
    const auto run = testing::started(scene, exec);
    for (int k = 0; k < 60; ++k) EXPECT_TRUE(run->step(0.005).coupling.converged()) << reuse << ' ' << k;
    sag[reuse == 5 ? 2 : reuse / 2] = 0.5 - run->solids()[0].x.z;
  }
  EXPECT_GT(sag[0], 0.1);
  for (const int k : {1, 2}) EXPECT_NEAR(sag[k] / sag[0], 1, 0.05);
}

TEST(OfflineWater, InflowsAddToIt) {
  Exec exec(1);
  std::string text = testing::planeTank("[]");
  const std::string from = R"("kind": "water",)";
  text.replace(text.find(from), from.size(),
               from + R"( "inflows": [{"side": "-x", "box": {"min": [0, -1, 0.7], "max": [0, 1, 0.8]}, "speed": 0.5}],)");
  const auto run = testing::started(testing::offlineScene(text), exec);
  for (int k = 0; k < 10; ++k) run->step(0.02);
  EXPECT_NEAR(run->water().expected, 0.61 + 0.2 * 0.5 * 0.1, 1e-9);
  EXPECT_LT(run->volumeError(), 0.02);
}

// What the scene moves is at its key frames, and pushes the water out of its way.
TEST(OfflineWater, KinematicSolidsAndPinsAreWhereTheirKeyFramesSay) {
  Exec exec(1);
  const std::string solids = R"([
    {"name": "paddle", "kind": "kinematic", "shape": {"box": {"size": [0.1, 1, 0.4]}}, "position": [0.3, 0, 0.4],
     "motion": [{"time": 0}, {"time": 0.2, "displacement": [0.1, 0, 0], "rotation": {"axis": [0, 1, 0], "degrees": 30}}]},
    {"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.3, 1], "resolution": 0.06}}, "position": [0.75, 0, 0.4],
     "pins": [{"rim": true, "motion": [{"time": 0}, {"time": 0.2, "displacement": [0, 0, 0.1]}]}],
     "material": {"areal_density": 20, "youngs_modulus": 2e7, "thickness": 0.001, "damping": 0.001}}])";
  const auto run = testing::started(testing::offlineScene(testing::planeTank(solids)), exec);
  const offline::SolidFields before = run->solidFields();
  for (int k = 0; k < 20; ++k) run->step(0.01);
  const offline::SolidFields after = run->solidFields();
  EXPECT_NEAR(run->solids()[0].x.x, 0.4, 1e-9);
  const Quatd turn = Quatd::axisAngle({0, 1, 0}, M_PI / 6);
  for (std::size_t i = 0; i < before.x.size(); ++i) {
    if (before.body[i] == 0) {
      const Vec3d place = Vec3d{0.4, 0, 0.4} + turn.rotate(Vec3d(before.x[i]) - Vec3d{0.3, 0, 0.4});
      EXPECT_LT(norm(Vec3d(after.x[i]) - place), 1e-5);
    } else if (std::abs(before.x[i].x - 0.75) > 0.149) {
      EXPECT_NEAR(after.x[i].z, before.x[i].z + 0.1, 1e-5);
    }
  }
  EXPECT_LT(run->volumeError(), 0.03);
}

// A constant pressure pushes bodies nowhere that the water of a full tank is all around, though two of them share the faces between
// them; and no pressure of its own is sought.
TEST(OfflineWater, BodiesInAFullTankShareFaces) {
  const auto ball = [](const char* name, double x, double density) {
    return std::string(R"({"name": ")") + name + R"(", "kind": "rigid", "shape": {"sphere": {"radius": 0.12}}, "position": [)" +
           std::to_string(x) + R"(, 0, 0.5], "material": {"density": )" + std::to_string(density) + "}}";
  };
  const std::string solids = "[" + ball("light", 0.37, 200) + ", " + ball("heavy", 0.63, 5000) + "]";
  const std::string text = testing::planeTank(solids, "", R"([{"box": {"min": [0, -0.5, 0], "max": [1, 0.5, 1]}}])");
  Exec exec(1);
  for (const char* method : {"xpm", "monolithic"}) {
    SceneDef scene = testing::offlineScene(text);
    scene.solver.method = method;
    const auto run = testing::started(scene, exec);
    for (int k = 0; k < 5; ++k) {
      const offline::StepReport step = run->step(0.01);
      EXPECT_TRUE(step.coupling.converged() && step.enclosedConverged) << method << ' ' << k << ": " << step.coupling.text();
      EXPECT_EQ(step.p0.size(), 0u) << k;
    }
    EXPECT_GT(run->solids()[0].v.z, 0.1);
    EXPECT_LT(run->solids()[1].v.z, -0.1);
    EXPECT_LT(run->volumeError(), 1e-2);
  }
}

// In a box full of water, whose pressure is known up to a constant, a rigid body that turns is moved as in any other: the one
// system has a solution, finds it in few iterations, and ends where the passes do.
TEST(OfflineWater, ARigidBodyInABoxFullOfWater) {
  Exec exec(2);
  const std::string brick = R"([{"name": "brick", "kind": "rigid", "shape": {"box": {"size": [0.31, 1, 0.18]}},
    "position": [0.46, 0, 0.52], "rotation": {"axis": [0, 1, 0], "degrees": 20}, "angular_velocity": [0, 3, 0],
    "material": {"density": 400}}])";
  SceneDef scene = testing::offlineScene(testing::planeTank(brick, R"(, "coupling": {"tolerance": 1e-6, "max_iterations": 100})",
                                                            R"([{"box": {"min": [0, -0.5, 0], "max": [1, 0.5, 1]}}])"));
  scene.solver.method = "monolithic";
  const auto whole = testing::started(scene, exec);
  for (int k = 0; k < 3; ++k) {
    const StepReport b = whole->step(0.01);
    EXPECT_TRUE(b.coupling.converged()) << k << ": " << b.coupling.text();
    EXPECT_LT(b.coupling.linearIterations, 150 * b.coupling.linearSystems) << k;
  }
  EXPECT_GT(whole->solids()[0].v.z, 0.05);
  EXPECT_LT(whole->momentumError(), 1e-12);
  // in the first step a face changes while they near the answer
  for (const char* method : {"xpm", "iqn-ils"}) {
    scene.solver.method = method;
    const auto passes = testing::started(scene, exec);
    for (int k = 0; k < 3; ++k) {
      const StepReport a = passes->step(0.01);
      EXPECT_TRUE(a.coupling.converged()) << method << ' ' << k << ": " << a.coupling.text();
      EXPECT_LT(a.coupling.fluidSolves, 25) << method << ' ' << k;
    }
    EXPECT_LT(norm(passes->solids()[0].x - whole->solids()[0].x), 1e-4 * 0.05) << method;
    EXPECT_LT(passes->momentumError(), 1e-12) << method;
  }
}

// The skin is pushed together where it swings up: its own step has two answers there, between which the one system goes to and fro
// if it takes the whole way to each.
TEST(OfflineWater, SlowTheOneSystemFollowsASkinFullOfWater) {
  Exec exec(2);
  SceneDef scene = testing::assetScene("grid-water-balloon");
  scene.solver.method = "monolithic";
  const auto run = testing::started(scene, exec);
  for (int k = 0; k < 9; ++k) {
    const StepReport r = run->step(0.01);
    EXPECT_TRUE(r.converged()) << k << ": " << r.coupling.text();
    EXPECT_LT(r.coupling.linearSystems, 8) << k;
  }
}

}  // namespace
}  // namespace meniscus

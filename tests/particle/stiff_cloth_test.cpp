// Cloth without compliance, or nearly so: rigid, not explosive.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/particle/step.h"
#include "engine/solid/solid.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

Resistance compliance(double value) {
  Resistance r;
  r.kind = Resistance::Kind::compliance;
  r.value = value;
  return r;
}

// A sheet of 14 cm in right-angled cells of about 3 cm, 0.3 kg/m^2, held along its rim, in steps of 4 ms.
SceneDef pinnedSheet(double stretch, double bend, BendModel model, double height) {
  SceneDef scene = testing::emptyTank("stiff cloth", {0, 0, 0}, {0.4, 0.2, 0.3}, 0.004);
  SolidDef cloth;
  cloth.name = "cloth";
  cloth.kind = SolidKind::cloth;
  cloth.shape.kind = ShapeKind::sheet;
  cloth.shape.size = {0.14, 0.14, 0};
  cloth.shape.resolution = 0.03;
  cloth.transform.translate = {0.2, 0.1, height};
  cloth.material.arealDensity = 0.3;
  cloth.material.stretch = compliance(stretch);
  cloth.material.bend = compliance(bend);
  cloth.material.bendModel = model;
  PinDef rim;
  rim.select = PinDef::Select::rim;
  cloth.pins.push_back(rim);
  scene.solids.push_back(cloth);
  return scene;
}

double fastestNode(const SolidState& s) {
  double v = 0;
  for (const Vec3d& u : s.v) v = std::max(v, norm(u));
  return v;
}

struct Stiffness {
  double stretch, bend;  // m/N, 1/J
  BendModel model;
};

class StiffCloth : public ::testing::TestWithParam<Stiffness> {};
INSTANTIATE_TEST_SUITE_P(Compliances, StiffCloth,
                         ::testing::Values(Stiffness{1e-4, 0, BendModel::isometric}, Stiffness{1e-4, 0, BendModel::dihedral},
                                           Stiffness{0, 0, BendModel::isometric}, Stiffness{0, 1e-2, BendModel::isometric},
                                           Stiffness{0, 1e3, BendModel::isometric}, Stiffness{0, 10, BendModel::dihedral},
                                           Stiffness{1e-10, 10, BendModel::isometric}));

// In air it sags by what its tension allows and stays. Gravity gives at most the work of that sag: energy never grows.
TEST_P(StiffCloth, HangsStillInAir) {
  const SceneDef scene = pinnedSheet(GetParam().stretch, GetParam().bend, GetParam().model, 0.2);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  const double start = energyOfSolids(w.solid, scene.gravity).potential;
  for (int step = 0; step < 50; ++step) {
    solver.step(w, scene.solver.dt);
    ASSERT_TRUE(w.report.converged) << step << ": " << w.report.reason;
    ASSERT_EQ(w.report.undone, 0) << step;
    const SolidEnergy e = energyOfSolids(w.solid, scene.gravity);
    ASSERT_LT(e.kinetic + e.potential - start, 1e-8) << step;  // J; a fall by 1 mm would give the sheet 6e-5
  }
  EXPECT_LT(fastestNode(w.solid), 1e-3);
  for (const Constraint& c : w.solid.constraints.items) {
    if (c.type != ConstraintType::distance) continue;
    EXPECT_LT(norm(w.solid.x[c.node[0]] - w.solid.x[c.node[1]]) / w.solid.rest[c.rest], 1 + 2e-4);
  }
}

// Over calm water that it does not touch.
TEST_P(StiffCloth, HangsStillOverWater) {
  SceneDef scene = pinnedSheet(GetParam().stretch, GetParam().bend, GetParam().model, 0.14);
  testing::addBoxOfWater(scene, 0.02, {0.4, 0.2, 0.12}, {0.2, 0.1, 0.06});
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  for (int step = 0; step < 25; ++step) {
    solver.step(w, scene.solver.dt);
    ASSERT_TRUE(w.report.converged) << step << ": " << w.report.reason;
    ASSERT_EQ(w.report.undone, 0) << step;
    ASSERT_LT(fastestNode(w.solid), 0.05) << step;
  }
  EXPECT_EQ(w.report.leaked, 0);
}

// A finer sheet of 20 cm that does not stretch, held at its four corners.
SceneDef sheetOnCorners(double dt) {
  SceneDef scene = pinnedSheet(0, 10, BendModel::isometric, 0.12);
  scene.domain.max = {0.3, 0.3, 0.4};
  scene.solver.dt = dt;
  SolidDef& cloth = scene.solids[0];
  cloth.shape.size = {0.2, 0.2, 0};
  cloth.shape.resolution = 0.02;
  cloth.transform.translate = {0.15, 0.15, 0.12};
  cloth.pins[0].select = PinDef::Select::indices;
  cloth.pins[0].indices = {0, 10, 110, 120};
  return scene;
}

class StiffClothOnCorners : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Steps, StiffClothOnCorners, ::testing::Values(0.0005, 0.001, 0.002, 0.004));

// Nearly flat, its edges pull a thousand times the weight of its nodes. Projections that took back what other edges pushed threw it
// about at 20 km/s.
TEST_P(StiffClothOnCorners, GainsNoEnergy) {
  const SceneDef scene = sheetOnCorners(GetParam());
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  const double start = energyOfSolids(w.solid, scene.gravity).potential;
  for (int step = 0; step < 60; ++step) {
    solver.step(w, scene.solver.dt);
    ASSERT_EQ(w.report.undone, 0) << step;
    const SolidEnergy e = energyOfSolids(w.solid, scene.gravity);
    ASSERT_LT(e.kinetic + e.potential - start, 1e-8) << step;
  }
}

// Under a falling block of water: it may not follow in every step, but it stays.
TEST(StiffClothSlow, OnCornersCarriesWater) {
  SceneDef scene = sheetOnCorners(0.004);
  testing::addBoxOfWater(scene, 0.015, {0.12, 0.12, 0.1}, {0.15, 0.15, 0.2}).velocity = {0, 0, -1};
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  for (int step = 0; step < 40; ++step) {
    solver.step(w, scene.solver.dt);
    ASSERT_LT(fastestNode(w.solid), 3) << step;
  }
  EXPECT_EQ(w.report.leaked, 0);
}

}  // namespace
}  // namespace meniscus

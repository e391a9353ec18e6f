// Rigid bodies that touch each other in water: they sink onto one another, float under one another, and meet.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/output/balance.h"
#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "engine/world/hash.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

constexpr double kSpacing = 0.02, kDt = 0.004;

SceneDef tank() {
  SceneDef scene = testing::emptyTank("touching", {0, 0, 0}, {0.3, 0.3, 0.5}, kDt);
  testing::addBoxOfWater(scene, kSpacing, {0.3, 0.3, 0.3}, {0.15, 0.15, 0.15}).carve = true;
  return scene;
}
SolidDef box(const char* name, const Vec3d& size, const Vec3d& at, double density) {
  SolidDef d;
  d.name = name;
  d.kind = SolidKind::rigid;
  d.shape.kind = ShapeKind::box;
  d.shape.size = size;
  d.transform.translate = at;
  d.material.density = density;
  d.material.friction = 0.4;
  return d;
}

struct Outcome {
  double gap, energyStart, energyMost = 0;  // between the two, along z [m]; J
  int unconverged = 0, leaked = 0;
};

Outcome run(World& w, Exec& exec, int steps) {
  ParticleSolver solver(exec, w);
  solver.settle(w);
  Outcome o;
  o.energyStart = totalEnergy(w);
  for (int k = 0; k < steps; ++k) {
    solver.step(w, kDt);
    o.energyMost = std::max(o.energyMost, totalEnergy(w));
    o.unconverged += !w.report.converged;
    o.leaked += w.report.leaked;
  }
  const RigidBody &a = w.solid.rigid[0], &b = w.solid.rigid[1];
  o.gap = b.x.z - a.x.z - 0.5 * (a.shape.size.z + b.shape.size.z);
  return o;
}

// Of the corners of all boxes, how far the deepest is within another box [m].
double deepestCorner(const World& w) {
  double deepest = 0;
  for (const RigidBody& a : w.solid.rigid)
    for (const RigidBody& b : w.solid.rigid)
      for (int k = 0; k < 8 && &a != &b; ++k) {
        const Vec3d half = a.shape.size * 0.5, corner{k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
        const Vec3d p = b.q.conjugate().rotate(a.x + a.q.rotate(corner) - b.x), in = b.shape.size * 0.5;
        deepest = std::max(deepest, std::min({in.x - std::fabs(p.x), in.y - std::fabs(p.y), in.z - std::fabs(p.z)}));
      }
  return deepest;
}

// The lower one on the ground, heavier and lighter than water; the upper one sinks onto it and stays there.
TEST(TouchingBodies, OneSinksOntoTheOther) {
  for (const double lower : {2000.0, 1200.0}) {
    SceneDef scene = tank();
    scene.solids.push_back(box("lower", {0.14, 0.14, 0.06}, {0.15, 0.15, 0.035}, lower));
    scene.solids.push_back(box("upper", {0.1, 0.1, 0.06}, {0.15, 0.15, 0.12}, 3000));
    Exec exec;
    World w = buildWorld(scene, exec, nullptr);
    const Outcome o = run(w, exec, 200);
    const double margin = scene.solver.contactDistance * w.dx;
    EXPECT_GT(o.gap, margin - 1e-4) << lower;
    EXPECT_LT(o.gap, 1.6 * w.dx) << lower;  // with at most a layer of water that has not found its way out
    EXPECT_LT(norm(w.solid.rigid[1].v), 0.02) << lower;
    EXPECT_LE(o.unconverged, 4) << lower;
    EXPECT_EQ(o.leaked, 0) << lower;
    EXPECT_LT(o.energyMost, o.energyStart + 0.01) << lower;
  }
}

// A light box comes up under a heavier one that floats, lifts it out of the water, and tips it off in the end.
TEST(TouchingBodies, OneRisesUnderTheOther) {
  SceneDef scene = tank();
  scene.solids.push_back(box("lower", {0.16, 0.16, 0.08}, {0.15, 0.15, 0.1}, 200));
  scene.solids.push_back(box("upper", {0.1, 0.1, 0.05}, {0.15, 0.15, 0.3}, 500));
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  const double before = w.solid.rigid[1].x.z, energy = totalEnergy(w);
  double highest = 0, deepest = 0, most = 0;
  int unconverged = 0;
  for (int k = 0; k < 250; ++k) {
    solver.step(w, kDt);
    highest = std::max(highest, w.solid.rigid[1].x.z);
    deepest = std::max(deepest, deepestCorner(w));
    most = std::max(most, totalEnergy(w));
    unconverged += !w.report.converged;
    EXPECT_EQ(w.report.leaked, 0) << k;
  }
  EXPECT_GT(highest, before + 0.05);
  EXPECT_EQ(deepest, 0);
  EXPECT_LT(most, energy + 0.01);
  EXPECT_LE(unconverged, 12);
}

Vec3d momentumOf(const World& w) {
  Vec3d sum{};
  for (Index i = 0; i < w.fluid.n; ++i) sum += Vec3d(w.fluid.u[i].xyz()) * (1000 * w.particleVolume);
  for (std::size_t i = 0; i < w.solid.x.size(); ++i)
    if (w.solid.w[i] > 0) sum += w.solid.v[i] * w.solid.mass[i];
  for (const RigidBody& b : w.solid.rigid) sum += b.v * b.mass;
  return sum;
}

// What the two give each other is no momentum of theirs and the water's together.
TEST(TouchingBodies, KeepMomentumInWater) {
  SceneDef scene = testing::emptyTank("touching", {-1, -1, -1}, {1, 1, 1}, kDt);
  for (bool& wall : scene.domain.walls) wall = false;
  scene.gravity = {};
  testing::addBoxOfWater(scene, kSpacing, {0.4, 0.24, 0.24}, {0, 0, 0}).carve = true;
  scene.solids.push_back(box("left", {0.08, 0.08, 0.08}, {-0.08, 0, 0}, 1500));
  scene.solids.push_back(box("right", {0.06, 0.08, 0.1}, {0.08, 0.01, 0}, 700));
  scene.solids[0].velocity = {2, 0, 0};
  scene.solids[1].velocity = {-2, 0, 0};
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  const Vec3d start = momentumOf(w);
  const double left = w.solid.rigid[0].mass * 2;
  bool met = false;
  for (int k = 0; k < 40; ++k) {
    solver.step(w, kDt);
    for (const RigidContact& c : w.solid.work.rigidContacts) met |= c.other >= 0 && c.lambda > 0;
  }
  EXPECT_TRUE(met);
  EXPECT_LT(norm(momentumOf(w) - start), 1e-5 * left);
  EXPECT_LT(w.solid.rigid[0].x.x, w.solid.rigid[1].x.x);
}

SolidDef sheet(double edge, double cell, double height) {
  SolidDef d;
  d.name = "sheet";
  d.kind = SolidKind::cloth;
  d.shape.kind = ShapeKind::sheet;
  d.shape.size = {edge, edge, 0};
  d.shape.resolution = cell;
  d.transform.translate = {0.15, 0.15, height};
  d.material.arealDensity = 0.4;
  return d;
}

// A ball and a box fall onto sheets that are held at their rims, with cells smaller and larger than they are, and stay on them.
TEST(TouchingBodies, SheetsCarryRigidBodies) {
  for (const double cell : {0.02, 0.07})
    for (const bool isBall : {false, true}) {
      SceneDef scene = testing::emptyTank("sheet", {0, 0, 0}, {0.3, 0.3, 0.5}, kDt);
      testing::addBoxOfWater(scene, kSpacing, {0.06, 0.06, 0.04}, {0.03, 0.03, 0.02});
      scene.solids.push_back(sheet(0.28, cell, 0.2));
      scene.solids[0].pins.resize(1);
      scene.solids[0].pins[0].select = PinDef::Select::rim;
      SolidDef body = box("body", {0.06, 0.05, 0.04}, {0.16, 0.14, 0.26}, 800);
      if (isBall) {
        body.shape.kind = ShapeKind::sphere;
        body.shape.radius = 0.025;
      }
      scene.solids.push_back(body);
      Exec exec;
      World w = buildWorld(scene, exec, nullptr);
      ParticleSolver solver(exec, w);
      solver.settle(w);
      const double energy = totalEnergy(w);
      int unconverged = 0;
      double most = 0;
      for (int k = 0; k < 200; ++k) {
        solver.step(w, kDt);
        unconverged += !w.report.converged;
        most = std::max(most, totalEnergy(w));
      }
      const RigidBody& b = w.solid.rigid[0];
      EXPECT_GT(b.x.z, 0.17) << cell << isBall;
      EXPECT_LT(b.x.z, 0.25) << cell << isBall;
      EXPECT_LE(unconverged, 4) << cell << isBall;
      EXPECT_LT(most, energy + 1e-3) << cell << isBall;
      for (std::size_t i = 0; i < w.solid.x.size(); ++i) {
        const Vec3d p = b.q.conjugate().rotate(w.solid.x[i] - b.x), half = b.shape.size * 0.5;
        const double d = isBall ? norm(p) - b.shape.radius
                                : std::max({std::fabs(p.x) - half.x, std::fabs(p.y) - half.y, std::fabs(p.z) - half.z});
        EXPECT_GT(d, 0) << "node " << i << " of cells of " << cell;
      }
    }
}

// In water without gravity a ball hits a free sheet: momentum is that of before.
TEST(TouchingBodies, SheetAndBallKeepMomentumInWater) {
  SceneDef scene = testing::emptyTank("sheet", {-1, -1, -1}, {1, 1, 1}, kDt);
  for (bool& wall : scene.domain.walls) wall = false;
  scene.gravity = {};
  testing::addBoxOfWater(scene, kSpacing, {0.3, 0.3, 0.3}, {0, 0, 0}).carve = true;
  scene.solids.push_back(sheet(0.2, 0.02, 0));
  scene.solids[0].transform.translate = {};
  SolidDef ball = box("ball", {}, {0, 0, 0.07}, 2000);
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.03;
  ball.velocity = {0, 0, -2};
  scene.solids.push_back(ball);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  const Vec3d start = momentumOf(w);
  bool met = false;
  for (int k = 0; k < 20; ++k) {
    solver.step(w, kDt);
    for (const BodyContact& c : w.solid.work.bodyContacts) met |= c.rigid >= 0 && c.lambda > 0;
    EXPECT_EQ(w.report.leaked, 0) << k;
  }
  EXPECT_TRUE(met);
  EXPECT_LT(norm(momentumOf(w) - start), 1e-5 * norm(start));
}

// The same bits at any number of threads.
TEST(TouchingBodies, DoNotDependOnThreads) {
  std::uint64_t hash[2];
  for (int k = 0; k < 2; ++k) {
    SceneDef scene = tank();
    scene.solids.push_back(box("a", {0.1, 0.1, 0.06}, {0.15, 0.15, 0.035}, 2000));
    scene.solids.push_back(box("b", {0.1, 0.08, 0.06}, {0.16, 0.15, 0.11}, 2500));
    scene.solids.push_back(box("c", {0.06, 0.1, 0.06}, {0.14, 0.15, 0.19}, 1500));
    Exec exec(k == 0 ? 1 : 3);
    World w = buildWorld(scene, exec, nullptr);
    run(w, exec, 30);
    hash[k] = stateHash(w);
  }
  EXPECT_EQ(hash[0], hash[1]);
}

// More of them in a heap than hold each other in one solve.
TEST(TouchingBodies, AHeapComesToRest) {
  SceneDef scene = tank();
  scene.domain.max.z = 1.2;
  for (int k = 0; k < 30; ++k)
    scene.solids.push_back(box(("b" + std::to_string(k)).c_str(), {0.06, 0.07, 0.05},
                               {0.06 + 0.09 * (k % 3), 0.07 + 0.08 * (k / 3 % 3), 0.35 + 0.08 * (k / 9)}, 1500.0 + 50 * k));
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  const Outcome o = run(w, exec, 150);
  EXPECT_EQ(o.leaked, 0);
  EXPECT_LT(o.energyMost, o.energyStart + 0.05);
  double fastest = 0;
  for (const RigidBody& b : w.solid.rigid) fastest = std::max(fastest, norm(b.v));
  EXPECT_LT(fastest, 0.5);
  EXPECT_LT(deepestCorner(w), 1e-3);
}

}  // namespace
}  // namespace meniscus

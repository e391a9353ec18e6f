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
  const auto momentum = [&w] {
    Vec3d sum{};
    for (Index i = 0; i < w.fluid.n; ++i) sum += Vec3d(w.fluid.u[i].xyz()) * (1000 * w.particleVolume);
    for (const RigidBody& b : w.solid.rigid) sum += b.v * b.mass;
    return sum;
  };
  const Vec3d start = momentum();
  const double left = w.solid.rigid[0].mass * 2;
  bool met = false;
  for (int k = 0; k < 40; ++k) {
    solver.step(w, kDt);
    for (const RigidContact& c : w.solid.work.rigidContacts) met |= c.other >= 0 && c.lambda > 0;
  }
  EXPECT_TRUE(met);
  EXPECT_LT(norm(momentum() - start), 1e-5 * left);
  EXPECT_LT(w.solid.rigid[0].x.x, w.solid.rigid[1].x.x);
}

// The same bits at any number of threads, and from a body's point of view whichever comes first in the scene.
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

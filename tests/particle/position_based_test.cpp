// The position-based pressure mode: still water, iterations, momentum, bodies, threads, snapshots and allocation.
#include "engine/particle/position_based.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/heap.h"
#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "engine/world/hash.h"
#include "engine/world/snapshot.h"
#include "tests/shared/fluid_box.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

using testing::fluidBox;
using testing::FluidBoxDef;

World positionBox(Vec3<int> cells, Vec3d room, double jitter = 0, double sphereRadius = 0, double sphereDensity = 500) {
  FluidBoxDef def;
  def.cells = cells;
  def.room = room;
  def.jitter = jitter;
  def.sphereRadius = sphereRadius;
  def.sphereDensity = sphereDensity;
  World w = fluidBox(def);
  w.scene.solver.pressure = PressureMode::positionBased;
  return w;
}

struct Rest {
  double slope = 0;        // dp/dz [Pa/m]
  double compression = 0;  // mean
  double speed = 0;        // the fastest at the end
};

Rest columnAtRest(int iterations) {
  World w = positionBox({6, 6, 12}, {0, 0, 0.1}, 0.2);
  w.scene.solver.densityIterations = iterations;
  Exec exec(2);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  constexpr int kSteps = 400, kMean = 100;
  Rest r;
  for (int i = 0; i < kSteps; ++i) {
    solver.step(w, 0.002);
    EXPECT_TRUE(w.report.converged) << w.report.reason;
    if (i < kSteps - kMean) continue;
    const Index n = w.fluid.n;
    double z1 = 0, p1 = 0, zz = 0, zp = 0;
    for (Index k = 0; k < n; ++k) {
      z1 += w.fluid.x[k].z / n;
      p1 += w.fluid.p[k] / n;
      r.compression += std::max(0.f, w.fluid.e[k]) / n / kMean;
    }
    for (Index k = 0; k < n; ++k) {
      zz += (w.fluid.x[k].z - z1) * (w.fluid.x[k].z - z1);
      zp += (w.fluid.x[k].z - z1) * (w.fluid.p[k] - p1);
    }
    r.slope += zp / zz / kMean;
  }
  for (Index k = 0; k < w.fluid.n; ++k) r.speed = std::max(r.speed, double(norm(w.fluid.u[k].xyz())));
  EXPECT_EQ(w.report.leaked, 0);
  std::printf("%d iterations: dp/dz %.0f Pa/m (-9810), compression %.2e, speed %.3f m/s\n", iterations, r.slope, r.compression,
              r.speed);
  return r;
}

// A column rests under hydrostatic pressures whatever the iterations: they must carry it. What they leave is compression, and more
// of them leave less.
TEST(PositionBased, StillWaterIsHydrostaticAndStifferByIterations) {
  const Rest few = columnAtRest(3), many = columnAtRest(12);
  for (const Rest& r : {few, many}) {
    EXPECT_NEAR(r.slope, -9810, 0.1 * 9810);
    EXPECT_LT(r.speed, 0.1);
  }
  EXPECT_LT(many.compression, 0.6 * few.compression);
  EXPECT_LT(few.compression, 0.03);
}

// A drop far from everything that rests, started with any velocities: its momentum stays, to round-off of what is exchanged.
TEST(PositionBased, KeepsMomentumWithoutWalls) {
  World w = positionBox({8, 8, 8}, {}, 0.3);
  for (Index i = 0; i < w.fluid.n; ++i) w.fluid.x[i] += Vec4f(0.3f, 0.3f, 0.3f, 0.f);
  w.scene.domain.max += Vec3d{0.6, 0.6, 0.6};
  w.scene.gravity = {};
  for (Index i = 0; i < w.fluid.n; ++i)  // towards the middle, and turning
    w.fluid.u[i] = Vec4f((0.38f - w.fluid.x[i].x) + w.fluid.x[i].y, 0.38f - w.fluid.x[i].y, 0.38f - w.fluid.x[i].z, 0.f);
  const auto momentum = [&](double& size) {
    Vec3d sum{};
    size = 0;
    for (Index i = 0; i < w.fluid.n; ++i) {
      sum += Vec3d(w.fluid.u[i].xyz());
      size += norm(Vec3d(w.fluid.u[i].xyz()));
    }
    return sum;
  };
  double size, later, pressed = 0;
  const Vec3d before = momentum(size);
  Exec exec(2);
  ParticleSolver solver(exec, w);
  for (int i = 0; i < 20; ++i) {
    solver.step(w, 0.002);
    for (Index k = 0; k < w.fluid.n; ++k) pressed = std::max(pressed, double(w.fluid.p[k]));
  }
  EXPECT_LT(norm(momentum(later) - before), 1e-5 * size);
  EXPECT_GT(pressed, 100) << "nothing was exchanged";
}

// A floating ball is borne by the pressure's reaction; one of a twentieth of the water's density does not fly off either.
TEST(PositionBased, BallsFloat) {
  for (const double density : {500.0, 50.0}) {
    World w = positionBox({10, 10, 8}, {0, 0, 0.12}, 0.1, 0.05, density);
    Exec exec(2);
    ParticleSolver solver(exec, w);
    solver.settle(w);
    double force = 0;
    constexpr int kSteps = 600, kMean = 300;
    for (int i = 0; i < kSteps; ++i) {
      solver.step(w, 0.002);
      if (i >= kSteps - kMean) force += w.solid.rigid[0].fluidForce.z / kMean;
    }
    EXPECT_NEAR(force / (w.solid.rigid[0].mass * 9.81), 1, 0.15) << density;
    EXPECT_LT(norm(w.solid.rigid[0].v), 0.25) << density;
  }
}

TEST(PositionBased, SteadyStepsAllocateNothing) {
  World w = positionBox({10, 10, 8}, {0, 0, 0.12}, 0.1, 0.05);
  Exec exec(2);
  ParticleSolver solver(exec, w);
  // lists grow until they have held the most crowded neighbourhoods that there are
  for (int i = 0; i < 1200; ++i) solver.step(w, 0.002);
  const std::uint64_t before = heapUse().allocations;
  ASSERT_GT(before, 0u);
  for (int i = 0; i < 50; ++i) solver.step(w, 0.002);
  EXPECT_EQ(heapUse().allocations, before);
}

// Lowest node [m] of a sheet, held at its rim 0.15 m up, that has borne 8 cm of water for 0.15 s.
double lowestNodeUnderWater(PressureMode mode) {
  SceneDef scene = testing::emptyTank("cloth", {0, 0, 0}, {0.2, 0.2, 0.3}, 0.002);
  testing::addBoxOfWater(scene, 0.02, {0.16, 0.16, 0.08}, {0.1, 0.1, 0.195});
  scene.solver.pressure = mode;
  SolidDef s;
  s.name = "cloth";
  s.kind = SolidKind::cloth;
  s.shape.kind = ShapeKind::sheet;
  s.shape.size = {0.19, 0.19, 0};
  s.transform.translate = {0.1, 0.1, 0.15};
  s.material.arealDensity = 1;
  s.pins.resize(1);
  s.pins[0].select = PinDef::Select::rim;
  scene.solids.push_back(s);
  Exec exec(2);
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  for (int i = 0; i < 75; ++i) solver.step(w, 0.002);
  EXPECT_EQ(w.report.leaked, 0);
  double lowest = 1;
  for (const Vec3d& x : w.solid.x) lowest = std::min(lowest, x.z);
  return lowest;
}

// The sheet sags as it does in the incompressible mode.
TEST(PositionBased, ClothCarriesWater) {
  const double sag = 0.15 - lowestNodeUnderWater(PressureMode::positionBased),
               incompressible = 0.15 - lowestNodeUnderWater(PressureMode::compatible);
  std::printf("sag %.2e m, incompressible %.2e m\n", sag, incompressible);
  EXPECT_GT(incompressible, 5e-4);
  EXPECT_NEAR(sag, incompressible, 0.3 * incompressible);
}

TEST(PositionBased, ThreadsGiveOneHash) {
  std::uint64_t hash[2];
  for (const int threads : {1, 3}) {
    World w = positionBox({10, 10, 8}, {0.1, 0, 0.12}, 0.1, 0.05);
    Exec exec(threads);
    ParticleSolver solver(exec, w);
    for (int i = 0; i < 30; ++i) solver.step(w, 0.002);
    hash[threads > 1] = stateHash(w);
  }
  EXPECT_EQ(hash[0], hash[1]);
}

// A solver that knows nothing of the steps before goes on with the same bits.
TEST(PositionBased, GoesOnFromTheStateAlone) {
  World w = positionBox({10, 10, 8}, {0.1, 0, 0.12}, 0.1, 0.05);
  Exec exec(2);
  ParticleSolver solver(exec, w);
  for (int i = 0; i < 15; ++i) solver.step(w, 0.002);
  World resumed = positionBox({10, 10, 8}, {0.1, 0, 0.12}, 0.1, 0.05);
  unpackSnapshot(resumed, packSnapshot(w), "the middle");
  ParticleSolver fresh(exec, resumed);
  for (int i = 0; i < 15; ++i) {
    solver.step(w, 0.002);
    fresh.step(resumed, 0.002);
  }
  EXPECT_EQ(stateHash(w), stateHash(resumed));
}

}  // namespace
}  // namespace meniscus

// Fluids with surface tension: drops, a pool, walls and bodies. The forces themselves: tests/kernels/surface_tension_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "engine/base/error.h"
#include "engine/particle/step.h"
#include "engine/scene/capillary.h"
#include "engine/world/build.h"
#include "engine/world/hash.h"
#include "engine/world/snapshot.h"
#include "tests/shared/momentum.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846, kTension = 0.072, kDx = 0.00125;

SceneDef emptySpace() {
  SceneDef scene = testing::emptyTank("drop", {-0.03, -0.03, -0.03}, {0.03, 0.03, 0.03}, 5e-4);
  scene.gravity = {};
  return scene;
}
World dropOf(Exec& exec, double radius) {
  SceneDef scene = emptySpace();
  testing::addBallOfWater(scene, kDx, radius).surfaceTension = kTension;
  return buildWorld(scene, exec, nullptr);
}
// Draws a drop out along x, beside a velocity of all.
void strain(World& w, double rate, const Vec3d& velocity) {
  const Vec3d middle = (w.scene.domain.max - w.scene.domain.min) * 0.5;
  for (Index i = 0; i < w.fluid.n; ++i) {
    const Vec3d x = Vec3d(w.fluid.x[i].xyz()) - middle;
    w.fluid.u[i] = Vec4f(Vec3f(velocity + Vec3d{x.x, -0.5 * x.y, -0.5 * x.z} * rate), 0.f);
  }
}
double radiusOf(const World& w) { return std::cbrt(3 * w.fluid.n * w.particleVolume / (4 * kPi)); }

Vec3d middleOf(const World& w) {
  Vec3d sum{};
  for (Index i = 0; i < w.fluid.n; ++i) sum += Vec3d(w.fluid.x[i].xyz());
  return sum / double(w.fluid.n);
}
double pressureWithin(const World& w, double radius) {
  const Vec3d middle = middleOf(w);
  double sum = 0, n = 0;
  for (Index i = 0; i < w.fluid.n; ++i) {
    if (norm(Vec3d(w.fluid.x[i].xyz()) - middle) > radius) continue;
    sum += w.fluid.p[i];
    ++n;
  }
  return sum / n;
}
double leastDistance(const World& w) {
  double least = 1;
  for (Index i = 0; i < w.fluid.n; ++i)
    for (Index j = 0; j < i; ++j) least = std::min(least, double(norm((w.fluid.x[i] - w.fluid.x[j]).xyz())));
  return least;
}

TEST(CapillaryStep, TensionSetsTheSubSteps) {
  Exec exec(1);
  World w = dropOf(exec, 0.005);
  const double longest = longestCapillaryStep(w.scene, w.dx);
  EXPECT_NEAR(longest, 0.744 * std::sqrt(1000 * std::pow(w.dx, 3) / kTension), 0.01 * longest);
  w.scene.solver.cfl = 1;
  ParticleSolver solver(exec, w);
  solver.step(w, 1.5 * longest);
  EXPECT_EQ(w.report.substeps, 2);
  EXPECT_TRUE(w.report.converged) << w.report.reason;
  w.scene.solver.maxSubsteps = 1;
  solver.step(w, 1.5 * longest);
  EXPECT_NE(w.report.reason.find("needs 2 sub-steps by the surface tension, max_substeps is 1"), std::string::npos)
      << w.report.reason;
  w.scene.fluids[0].surfaceTension = 0;
  EXPECT_TRUE(std::isinf(longestCapillaryStep(w.scene, w.dx)));
}

// Of a tension that acts for some hundreds of steps on a drop that is cut out of the lattice: the pressure of Laplace, to the share
// that the bulk of a small drop tells it by; density and the distances of particles as without.
TEST(CapillaryDrop, AtRestHasThePressureOfLaplace) {
  Exec exec;
  World w = dropOf(exec, 8 * kDx);
  ParticleSolver solver(exec, w);
  double pressure = 0, worst = 0;
  for (int k = 0; k < 300; ++k) {
    solver.step(w, w.scene.solver.dt);
    if (k >= 100) worst = std::max(worst, w.report.densityErrorMean);
    if (k >= 200) pressure += pressureWithin(w, radiusOf(w) - 5 * kDx) / 100;
  }
  const double wanted = 2 * kTension / radiusOf(w);
  std::printf("pressure %.3f of 2 sigma / R, density error %.1e, least distance %.3f spacings\n", pressure / wanted, worst,
              leastDistance(w) / w.dx);
  EXPECT_NEAR(pressure / wanted, 1, 0.1);
  EXPECT_LT(worst, 1e-3);
  EXPECT_GT(leastDistance(w), 0.7 * w.dx);
}

TEST(CapillaryDrop, KeepsMomentumAndSwings) {
  Exec exec;
  World w = dropOf(exec, 6 * kDx);
  strain(w, 4, {0.05, -0.02, 0.01});
  ParticleSolver solver(exec, w);
  const testing::Momentum before = testing::momentumOf(w);
  for (int k = 0; k < 200; ++k) solver.step(w, w.scene.solver.dt);
  const testing::Momentum after = testing::momentumOf(w);
  EXPECT_LT(norm(after.linear - before.linear), 1e-6 * norm(before.linear));
  EXPECT_LT(norm(after.angular - before.angular), 1e-6 * norm(before.linear) * radiusOf(w));
}

TEST(CapillaryDrop, SameBitsWithAnyThreads) {
  std::vector<World> ends;
  for (const int threads : {1, 2, 5}) {
    Exec exec(threads);
    World w = dropOf(exec, 6 * kDx);
    strain(w, 4, {});
    ParticleSolver solver(exec, w);
    for (int k = 0; k < 10; ++k) solver.step(w, w.scene.solver.dt);
    ends.push_back(std::move(w));
  }
  const std::size_t size = std::size_t(ends[0].fluid.n) * sizeof(Vec4f);
  for (const World& w : ends) {
    EXPECT_EQ(std::memcmp(w.fluid.x.data(), ends[0].fluid.x.data(), size), 0);
    EXPECT_EQ(std::memcmp(w.fluid.u.data(), ends[0].fluid.u.data(), size), 0);
  }
}

// A run that is stopped and taken up again, by another solver: the bits of one that is not.
TEST(CapillaryDrop, ResumesWithTheSameBits) {
  Exec exec;
  World whole = dropOf(exec, 6 * kDx), later = whole;
  strain(whole, 4, {0.05, 0, 0});
  std::string kept;
  ParticleSolver solver(exec, whole);
  for (int k = 0; k < 16; ++k) {
    if (k == 7) kept = packSnapshot(whole);
    solver.step(whole, whole.scene.solver.dt);
  }
  unpackSnapshot(later, kept, "kept");
  ParticleSolver other(exec, later);
  for (int k = 7; k < 16; ++k) other.step(later, later.scene.solver.dt);
  EXPECT_EQ(stateHash(later), stateHash(whole));
  const std::size_t size = std::size_t(whole.fluid.n) * sizeof(Vec4f);
  EXPECT_EQ(std::memcmp(later.fluid.x.data(), whole.fluid.x.data(), size), 0);
  EXPECT_EQ(std::memcmp(later.fluid.u.data(), whole.fluid.u.data(), size), 0);
}

// A scene that passes the check of its tension stays within its sub-steps: at the longest step that is let through, the corners of
// a cube and a small ball, which are drawn in fastest, stay within the CFL limit.
TEST(CapillaryStep, TheLongestStepLetThroughIsResolved) {
  Exec exec;
  for (const bool cube : {false, true}) {
    SceneDef scene = emptySpace();
    FluidDef& water =
        cube ? testing::addBoxOfWater(scene, kDx, {8 * kDx, 8 * kDx, 8 * kDx}) : testing::addBallOfWater(scene, kDx, 5 * kDx);
    water.surfaceTension = 1e10;
    const double speed = 0.75 * std::sqrt(2 * 1e10 / (1000 * kDx));
    scene.solver.dt = 64 * std::min(longestCapillaryStep(scene, kDx), scene.solver.cfl * kDx / speed);
    scene.solver.dt *= 1 + 1e-6;
    EXPECT_THROW(buildWorld(scene, exec, nullptr), Error);
    scene.solver.dt *= 1 - 2e-6;
    World w = buildWorld(scene, exec, nullptr);
    ParticleSolver solver(exec, w);
    for (int k = 0; k < 6; ++k) {
      solver.step(w, scene.solver.dt);
      EXPECT_TRUE(w.report.converged) << cube << ' ' << k << ' ' << w.report.reason;
    }
  }
}

// On a free plate, off its centre: the tension acts within the drop alone, and the plate gets its pressure.
TEST(CapillaryDrop, DropAndPlateKeepMomentum) {
  Exec exec;
  SceneDef scene = emptySpace();
  testing::addBallOfWater(scene, kDx, 5 * kDx, {0.004, 0, 5.2 * kDx}).surfaceTension = kTension;
  scene.fluids[0].velocity = {0.02, 0, -0.1};
  SolidDef plate;
  plate.name = "plate";
  plate.kind = SolidKind::rigid;
  plate.shape.size = {0.04, 0.04, 0.004};
  plate.material.density = 800;
  plate.transform.translate = {0, 0, -0.002};
  scene.solids.push_back(plate);
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  const testing::Momentum before = testing::momentumOf(w);
  for (int k = 0; k < 100; ++k) solver.step(w, w.scene.solver.dt);
  const testing::Momentum after = testing::momentumOf(w);
  EXPECT_GT(norm(w.solid.rigid[0].omega), 0.01);
  EXPECT_LT(norm(after.linear - before.linear), 1e-5 * w.impulseExchanged);
  EXPECT_LT(norm(after.angular - before.angular), 1e-5 * w.impulseExchanged * 0.02);
}

// Flat water before walls has no curvature, at its edges as little as elsewhere: it meets walls at a right angle.
TEST(CapillaryPool, AtRestStaysAtRest) {
  Exec exec;
  double height[2], speed[2];
  for (const int tense : {0, 1}) {
    SceneDef scene = testing::emptyTank("pool", {0, 0, 0}, {0.02, 0.02, 0.02}, 5e-4);
    testing::addBoxOfWater(scene, kDx, {0.02, 0.02, 0.01}, {0.01, 0.01, 0.005}).surfaceTension = tense * kTension;
    World w = buildWorld(scene, exec, nullptr);
    ParticleSolver solver(exec, w);
    for (int k = 0; k < 200; ++k) solver.step(w, w.scene.solver.dt);
    height[tense] = middleOf(w).z;
    speed[tense] = w.report.maxSpeed;
    EXPECT_TRUE(w.report.converged) << w.report.reason;
    EXPECT_LT(w.report.densityErrorMean, 1e-4);
  }
  std::printf("speeds %.2e and %.2e m/s, middle %.4f and %.4f mm\n", speed[0], speed[1], 1e3 * height[0], 1e3 * height[1]);
  EXPECT_NEAR(height[1], height[0], 0.01 * kDx);
  EXPECT_LT(speed[1], 2e-3);
}

}  // namespace
}  // namespace meniscus

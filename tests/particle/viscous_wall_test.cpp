// Flow of a viscous fluid along walls that it sticks to, against the analytic start-up solutions, and the reaction on the walls.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "engine/particle/step.h"
#include "engine/particle/viscosity.h"
#include "engine/world/build.h"
#include "engine/world/hash.h"
#include "tests/shared/balloon.h"
#include "tests/shared/fluid_box.h"
#include "tests/shared/momentum.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kNu = 1e-3;      // m^2/s
constexpr double kHeight = 0.04;  // m, between the plates

SolidDef plate(const char* name, double z) {
  SolidDef s;
  s.name = name;
  s.kind = SolidKind::kinematic;
  s.shape.size = {2, 0.2, 0.02};
  s.transform.translate = {0, 0, z};
  s.material.noSlip = true;
  return s;
}

// Fluid on a lattice between two plates, eight heights long. The sides slip, the ends are free.
World channel(Exec& exec, double spacing) {
  SceneDef scene = testing::emptyTank("channel", {-0.25, -2 * spacing, -0.03}, {0.25, 2 * spacing, kHeight + 0.03}, SolverDef{}.dt);
  scene.gravity = {};
  testing::addBoxOfWater(scene, spacing, {8 * kHeight, 4 * spacing, kHeight}, {0, 0, kHeight / 2}).viscosity = kNu;
  scene.solids.push_back(plate("floor", -0.01));
  scene.solids.push_back(plate("lid", kHeight + 0.01));
  return buildWorld(scene, exec, nullptr);
}

// Root mean square error of the velocity along the channel in its middle quarter, relative to `scale`.
template <class Exact>
double profileError(const World& w, double scale, const Exact& exact) {
  double sum = 0;
  int count = 0;
  for (Index i = 0; i < w.fluid.n; ++i) {
    const Vec3d x = Vec3d(w.fluid.x[i].xyz()) + w.scene.domain.min;
    if (std::fabs(x.x) > kHeight) continue;
    const double e = (w.fluid.u[i].x - exact(x.z)) / scale;
    sum += e * e;
    ++count;
  }
  EXPECT_GT(count, 50);
  return std::sqrt(sum / count);
}

// The viscous step alone, positions held, with a body force g [m/s^2] along the channel and the lid at `speed` [m/s]: the largest
// profile error at five times up to nu t / height^2 = 0.5, relative to `scale`.
template <class Exact>
double largestError(double spacing, double g, double speed, double scale, const Exact& exact) {
  Exec exec;
  World w = channel(exec, spacing);
  w.solid.rigid[1].v = {speed, 0, 0};
  testing::FluidLists<PressureSystem> lists(exec, w);
  Viscosity viscosity;
  Buffer<Vec4f> next;
  constexpr int kSteps = 150;
  const double h = 0.5 * kHeight * kHeight / kNu / kSteps;
  double worst = 0;
  for (int step = 1; step <= kSteps; ++step) {
    for (Vec4f& u : w.fluid.u) u.x += float(g * h);
    EXPECT_TRUE(viscosity.step(exec, w, lists.boundary, lists.system, h, next).converged);
    w.fluid.u.swap(next);
    if (step % (kSteps / 5) == 0) worst = std::max(worst, profileError(w, scale, [&](double z) { return exact(z, step * h); }));
  }
  return worst;
}

// Errors with 8 and 16 particles across: first order, by the particles in the edges between plates and sides, whose images by both
// walls are left out.
void expectConvergence(const char* name, const double (&error)[2]) {
  std::printf("%s: error %.4f with 8 particles across, %.4f with 16\n", name, error[0], error[1]);
  EXPECT_LT(error[0], 0.05);
  EXPECT_LT(error[1], 0.55 * error[0]);
}

// Driven by a body force: u = g z (H - z) / (2 nu) - sum over odd n of 4 g H^2 / (nu n^3 pi^3) sin(n pi z / H) exp(-n^2 pi^2 nu t /
// H^2).
TEST(ViscousWallSlow, PoiseuilleStartUpConverges) {
  const double g = 0.1, fastest = g * kHeight * kHeight / (8 * kNu);
  const auto exact = [&](double z, double t) {
    double u = g / (2 * kNu) * z * (kHeight - z);
    for (int n = 1; n < 40; n += 2)
      u -= 4 * g * kHeight * kHeight / (kNu * n * n * n * kPi * kPi * kPi) * std::sin(n * kPi * z / kHeight) *
           std::exp(-n * n * kPi * kPi * kNu * t / (kHeight * kHeight));
    return u;
  };
  double error[2];
  for (int k = 0; k < 2; ++k) error[k] = largestError(kHeight / (8 << k), g, 0, fastest, exact);
  expectConvergence("Poiseuille", error);
}

// The lid moves: u = U z/H + sum of 2 U (-1)^n / (n pi) sin(n pi z / H) exp(-n^2 pi^2 nu t / H^2).
TEST(ViscousWallSlow, CouetteStartUpConverges) {
  const double speed = 0.02;
  const auto exact = [&](double z, double t) {
    double u = speed * z / kHeight;
    for (int n = 1; n < 40; ++n)
      u += 2 * speed * (n % 2 ? -1 : 1) / (n * kPi) * std::sin(n * kPi * z / kHeight) *
           std::exp(-n * n * kPi * kPi * kNu * t / (kHeight * kHeight));
    return u;
  };
  double error[2];
  for (int k = 0; k < 2; ++k) error[k] = largestError(kHeight / (8 << k), 0, speed, speed, exact);
  expectConvergence("Couette", error);
}

// The whole step: a cylinder of oil at rest, whose wall starts to turn with 1 rad/s.
//   u = omega r + 2 omega R sum J1(l r / R) / (l J0(l)) exp(-l^2 nu t / R^2),   J1(l) = 0
double spinUp(double omega, double radius, double r, double t) {
  constexpr double roots[] = {3.8317059702, 7.0155866698, 10.1734681351, 13.3236919363, 16.4706300509, 19.6158585105};
  double u = omega * r;
  for (const double l : roots)
    u += 2 * omega * radius * std::cyl_bessel_j(1.0, l * r / radius) / (l * std::cyl_bessel_j(0.0, l)) *
         std::exp(-l * l * kNu * t / (radius * radius));
  return u;
}

TEST(ViscousWallSlow, TurningContainerSpinsTheFluidUp) {
  const double radius = 0.03, omega = 1;
  double error[2];
  for (int k = 0; k < 2; ++k) {
    SceneDef scene;
    scene.name = "spin-up";
    scene.gravity = {};
    FluidDef oil;
    oil.name = "oil";
    oil.spacing = radius / (6 << k);
    oil.viscosity = kNu;
    const double depth = 4 * oil.spacing;
    scene.domain.min = {-0.04, -0.04, 0};
    scene.domain.max = {0.04, 0.04, depth};
    scene.solver.dt = k ? 0.0005 : 0.002;           // backward Euler: first order
    scene.solver.xsph = scene.solver.highPass = 0;  // both act as a viscosity
    ShapeDef filling;
    filling.kind = ShapeKind::cylinder;
    filling.radius = radius;
    filling.height = depth;
    oil.shapes.push_back(filling);
    Transform place;
    place.translate = {0, 0, depth / 2};
    oil.transforms.push_back(place);
    scene.fluids.push_back(oil);
    SolidDef wall;
    wall.name = "container";
    wall.kind = SolidKind::kinematic;
    wall.shape.kind = ShapeKind::cylinder;
    wall.shape.container = true;
    wall.shape.radius = radius;
    wall.shape.height = 1;
    wall.material.noSlip = true;
    KeyFrame start, end;
    end.time = 2;
    end.rotate = Quatd::axisAngle({0, 0, 1}, omega * end.time);
    wall.motion = {start, end};
    scene.solids.push_back(wall);
    Exec exec;
    World w = buildWorld(scene, exec, nullptr);
    ParticleSolver solver(exec, w);
    solver.settle(w);
    error[k] = 0;
    const int steps = int(std::lround(0.2 / scene.solver.dt));
    for (int step = 1; step <= steps; ++step) {
      solver.step(w, scene.solver.dt);
      if (step % (steps / 2)) continue;
      double sum = 0;
      for (Index i = 0; i < w.fluid.n; ++i) {
        const Vec3d x = Vec3d(w.fluid.x[i].xyz()) + scene.domain.min;
        const double r = std::hypot(x.x, x.y), u = (w.fluid.u[i].y * x.x - w.fluid.u[i].x * x.y) / r;
        const double e = (u - spinUp(omega, radius, r, w.time)) / (omega * radius);
        sum += e * e / w.fluid.n;
      }
      error[k] = std::max(error[k], std::sqrt(sum));
    }
    EXPECT_EQ(w.report.leaked, 0);
  }
  std::printf("spin-up: error %.4f with 6 particles a radius, %.4f with 12\n", error[0], error[1]);
  for (const double e : error) EXPECT_LT(e, 0.02);  // of the wall's speed
}

// A sphere of wood that spins in a drop: what it loses of angular momentum, the water gains.
SceneDef spinningSphere() {
  SceneDef scene = testing::emptyTank("spinning sphere", {-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}, 0.002);
  scene.gravity = {};
  FluidDef& oil = testing::addBallOfWater(scene, 0.008, 0.06);
  oil.viscosity = kNu;
  oil.carve = true;
  SolidDef sphere;
  sphere.name = "sphere";
  sphere.kind = SolidKind::rigid;
  sphere.shape.kind = ShapeKind::sphere;
  sphere.shape.radius = 0.03;
  sphere.material.density = 600;
  sphere.material.noSlip = true;
  sphere.angularVelocity = {0, 2, 4};
  scene.solids.push_back(sphere);
  return scene;
}

TEST(ViscousWall, SpinningSphereGivesItsSpinToTheFluid) {
  const SceneDef scene = spinningSphere();
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  const testing::Momentum before = testing::momentumOf(w);
  for (int step = 0; step < 30; ++step) solver.step(w, scene.solver.dt);
  const testing::Momentum after = testing::momentumOf(w);
  const double left = norm(w.solid.rigid[0].omega) / norm(scene.solids[0].angularVelocity);
  std::printf("spin left %.3f, angular momentum changed by %.1e of it\n", left,
              norm(after.angular - before.angular) / norm(before.angular));
  EXPECT_LT(left, 0.7);
  EXPECT_GT(left, 0.02);
  EXPECT_LT(norm(after.angular - before.angular), 1e-5 * norm(before.angular));
}

// A ball in very viscous water: as heavy as the water it stays where it is, heavier it sinks. (When the bodies had felt the gravity
// of the step and the fluid had not, the fluid braked their fall by 0.6 g dt and every ball rose, whatever its density.)
TEST(ViscousWall, BallsFallThroughViscousFluidByTheirDensity) {
  double speed[2] = {};
  for (int k = 0; k < 2; ++k) {
    SceneDef scene = spinningSphere();
    scene.gravity = {0, 0, -9.81};
    scene.domain.min = {-0.1, -0.1, -0.1};
    scene.domain.max = {0.1, 0.1, 0.14};
    scene.fluids[0].viscosity = 100;
    scene.fluids[0].spacing = 0.01;
    scene.fluids[0].carve = true;
    scene.fluids[0].shapes[0] = {};
    scene.fluids[0].shapes[0].kind = ShapeKind::box;
    scene.fluids[0].shapes[0].size = {0.2, 0.2, 0.2};
    scene.solids[0].angularVelocity = {};
    scene.solids[0].material.density = k ? 8000 : 1000;
    Exec exec;
    World w = buildWorld(scene, exec, nullptr);
    ParticleSolver solver(exec, w);
    solver.settle(w);
    for (int step = 0; step < 30; ++step) solver.step(w, 0.002);
    for (int step = 0; step < 20; ++step) {
      solver.step(w, 0.002);
      speed[k] += w.solid.rigid[0].v.z / 20;
    }
  }
  std::printf("neutral %.2e m/s, heavy %.2e m/s\n", speed[0], speed[1]);
  EXPECT_LT(std::fabs(speed[0]), 1e-3);
  EXPECT_LT(speed[1], -1e-3);
}

TEST(ViscousWall, SameBitsWithAnyNumberOfThreads) {
  const SceneDef scene = spinningSphere();
  std::uint64_t hash[2];
  for (int k = 0; k < 2; ++k) {
    Exec exec(k ? 3 : 1);
    World w = buildWorld(scene, exec, nullptr);
    ParticleSolver solver(exec, w);
    for (int step = 0; step < 5; ++step) solver.step(w, scene.solver.dt);
    hash[k] = stateHash(w);
  }
  EXPECT_EQ(hash[0], hash[1]);
}

// A light skin filled with oil that turns inside it: both end up turning alike.
TEST(ViscousWall, SkinAndFillingShareTheirSpin) {
  SceneDef scene = testing::balloonScene(0.015);
  scene.solver.dt = 0.002;
  scene.solids[0].material.arealDensity = 0.2;
  scene.solids[0].material.noSlip = true;
  scene.fluids[0].viscosity = 5e-3;
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  for (Index i = 0; i < w.fluid.n; ++i) {
    const Vec3d x = Vec3d(w.fluid.x[i].xyz()) + scene.domain.min;
    w.fluid.u[i] = Vec4f(Vec3f(cross(Vec3d{0, 0, 2}, x)), 0.f);
  }
  const testing::Momentum before = testing::momentumOf(w);
  for (int step = 0; step < 150; ++step) solver.step(w, scene.solver.dt);
  const testing::Momentum after = testing::momentumOf(w);
  double skin = 0, inertia = 0;
  for (std::size_t i = 0; i < w.solid.x.size(); ++i) {
    const Vec3d& x = w.solid.x[i];
    skin += cross(x, w.solid.v[i]).z / w.solid.w[i];
    inertia += (x.x * x.x + x.y * x.y) / w.solid.w[i];
  }
  std::printf("skin turns with %.3f rad/s\n", skin / inertia);
  EXPECT_NEAR(skin / inertia, 2, 0.3);
  EXPECT_LT(norm(after.angular - before.angular), 1e-5 * norm(before.angular));
}

}  // namespace
}  // namespace meniscus

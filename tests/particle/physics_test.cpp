// The fluid against closed forms: hydrostatic pressure, free fall without spurious forces, floating bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/particle/step.h"
#include "engine/scene/load.h"
#include "engine/world/build.h"
#include "tests/shared/hydrostatic.h"

namespace meniscus {
namespace {

// A scene of the assets with its packing settled, ready to be stepped.
struct SettledScene {
  explicit SettledScene(const std::string& file)
      : scene(loadScene(std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes/" + file)),
        world(buildWorld(scene, exec, nullptr)),
        solver(exec, world) {
    solver.settle(world);
  }
  void step() { solver.step(world, scene.solver.dt); }

  SceneDef scene;
  Exec exec;
  World world;
  ParticleSolver solver;
};

// Water 0.5 m deep from a lattice with 15 % jitter: after 2 s p = rho g (surface - z), the surface lying half a spacing above the
// last layer's. The packing stays disordered, as a liquid's, and single particles carry pressures that vary with their
// neighbourhood; averaged over it, as points are sampled, the pressure is right to a fiftieth.
TEST(StillWaterSlow, PressureIsHydrostatic) {
  SettledScene run("still-water-box.json");
  const World& w = run.world;
  double early = 0, late = 0, error = 0;
  const double depth = 0.5;
  testing::PressureError pressure;  // means over the last tenth: the pressure of one step still swings by a hundredth
  for (int step = 0; step < 1000; ++step) {
    run.step();
    if (step >= 100 && step < 200) early += testing::kineticEnergyPerMass(w) / 100;
    if (step >= 500) error = std::max(error, w.report.densityErrorMean);
    if (step < 900) continue;
    late += testing::kineticEnergyPerMass(w) / 100;
    if (step % 20 != 0) continue;
    const testing::PressureError now = testing::pressureError(w, depth + 0.5 * w.dx, depth);
    pressure.bias += now.bias / 5;
    pressure.rms += now.rms / 5;
    pressure.noise += now.noise / 5;
  }
  std::printf("bias %.4f, rms %.4f (particles' own %.4f), mean density error %.1e, kinetic energy %.1e -> %.1e J/kg\n",
              pressure.bias, pressure.rms, pressure.noise, error, early, late);
  EXPECT_LE(std::fabs(pressure.bias), 0.012);
  EXPECT_LE(pressure.rms, 0.02);
  EXPECT_LE(pressure.noise, 0.045);
  EXPECT_LE(error, 2e-4);
  EXPECT_LT(late, early);
}

// Particles given by hand in a tank so large that no wall is near.
World loose(const std::vector<Vec3d>& x, const std::vector<Vec3d>& u) {
  World w;
  w.scene.domain.max = {4, 4, 4};
  w.scene.fluids.resize(1);
  w.scene.fluids[0].density = 1000;
  w.dx = 0.02;
  w.particleVolume = w.dx * w.dx * w.dx;
  for (std::size_t i = 0; i < x.size(); ++i) {
    w.fluid.x.push_back(Vec4f(Vec3f(x[i]), 0.f));
    w.fluid.u.push_back(Vec4f(Vec3f(u[i]), 0.f));
    w.fluid.p.push_back(0);
    w.fluid.id.push_back(w.nextId++);
    w.fluid.kind.push_back(0);
    w.fluid.leaked.push_back(0);
  }
  w.fluid.n = w.fluid.capacity = Index(x.size());
  return w;
}

double fallError(World& w, double seconds) {
  Exec exec(1);
  ParticleSolver solver(exec, w);
  const int steps = int(std::lround(seconds / 0.002));
  double before = 0, after = 0;
  for (Index i = 0; i < w.fluid.n; ++i) before += w.fluid.u[i].z / w.fluid.n;
  for (int k = 0; k < steps; ++k) solver.step(w, 0.002);
  for (Index i = 0; i < w.fluid.n; ++i) after += w.fluid.u[i].z / w.fluid.n;
  return std::fabs(after - before + 9.81 * seconds);
}

TEST(FreeFall, IsolatedParticle) {
  World w = loose({{2, 2, 3}}, {{0.3, 0, 0}});
  EXPECT_LE(fallError(w, 0.2), 1e-5);
  EXPECT_NEAR(w.fluid.u[0].x, 0.3, 1e-6);
  EXPECT_EQ(w.fluid.p[0], 0.f);
}

TEST(FreeFall, ClosePair) {
  World w = loose({{2, 2, 3}, {2.014, 2, 3}}, {{}, {}});
  EXPECT_LE(fallError(w, 0.2), 1e-5);
  EXPECT_NEAR(w.fluid.x[1].x - w.fluid.x[0].x, 0.014, 1e-5);
}

// A pair that parts stays free: at the rim of the support the pressure that zero divergence would ask for is huge.
TEST(FreeFall, PartingPairIsNotHeld) {
  World w = loose({{2, 2, 3}, {2.03, 2, 3}}, {{}, {0.5, 0, 0}});
  EXPECT_LE(fallError(w, 0.1), 1e-5);
  const float apart = std::fabs(w.fluid.u[1].x - w.fluid.u[0].x);
  EXPECT_GT(apart, 0.45f);
}

TEST(FreeFall, StretchingSheet) {
  std::vector<Vec3d> x, u;
  for (int j = -8; j < 8; ++j)
    for (int i = -8; i < 8; ++i) {
      x.push_back({2 + 0.02 * i, 2 + 0.02 * j, 3});
      u.push_back({0.5 * 0.02 * i, 0.5 * 0.02 * j, 0});
    }
  World w = loose(x, u);
  EXPECT_LE(fallError(w, 0.1), 1e-5);
}

// A ball of half the density of water floats half immersed. The surface of 0.4 m of water rises by the volume of the half ball;
// water was carved where the ball starts, so the level stays where it was.
TEST(FloatingSlow, BallOfHalfDensityFloatsHalfImmersed) {
  SettledScene run("sphere-draft-50.json");
  const World& w = run.world;
  double mean = 0;
  for (int step = 0; step < 600; ++step) {
    run.step();
    if (step >= 300) mean += w.solid.rigid[0].x.z / 300;
  }
  const double level = (w.fluid.n * w.particleVolume + 2.0 / 3.0 * 3.14159265 * 1e-3) / 0.16;
  std::printf("centre at %.4f m, water level %.4f m\n", mean, level);
  EXPECT_NEAR(mean, level, 0.3 * w.dx);
}

// 0.4 m of water on one side of a sheet without thickness, 0.2 m on the other: rho g (h1^2 - h2^2)/2 per width pushes it. The
// surfaces p = 0 lie half a spacing above the nominal ones, so the depths are 0.41 m and 0.21 m.
TEST(DividedTankSlow, NetForceOnTheSheet) {
  SettledScene run("divided-tank.json");
  const World& w = run.world;
  double force = 0;
  for (int step = 0; step < 500; ++step) {
    run.step();
    if (step >= 300) force += w.solid.rigid[0].fluidForce.x / 200;
  }
  const double nominal = 1000 * 9.81 * (0.16 - 0.04) / 2 * 0.2;
  std::printf("net force %.2f N, nominal %.2f N\n", force, nominal);
  EXPECT_NEAR(force, nominal, 0.02 * nominal);
  EXPECT_EQ(w.report.leaked, 0);
  EXPECT_GT(w.report.divergenceError, 0);
  EXPECT_LT(w.report.divergenceError, 1e-3);
}

}  // namespace
}  // namespace meniscus

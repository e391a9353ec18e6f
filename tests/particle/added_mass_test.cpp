// A submerged sphere that is let go accelerates with its own and the added mass of the water: the sharpest test of the coupling,
// since without added mass a sphere of a tenth of the density of water would start at 9 g instead of 1.4 g.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

constexpr double kRadius = 0.1, kHalfWidth = 0.3;  // of the ball; of the tank, in whose middle it is [m]

SceneDef ballInTank(int particlesAcross, SolidKind kind, double densityRatio) {
  SceneDef scene = testing::emptyTank("released ball", {-kHalfWidth, -kHalfWidth, -kHalfWidth},
                                      {kHalfWidth, kHalfWidth, kHalfWidth + 0.1}, 0.002);
  SolidDef ball;
  ball.name = "ball";
  ball.kind = kind;
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = kRadius;
  ball.material.density = 1000 * densityRatio;
  scene.solids.push_back(ball);
  testing::addBoxOfWater(scene, 2 * kHalfWidth / particlesAcross, {2 * kHalfWidth, 2 * kHalfWidth, 2 * kHalfWidth}).carve = true;
  return scene;
}

// Water that has come to rest round the ball held still, at several times: the force of the water on the ball varies by a hundredth
// from step to step, which is a tenth of what is left of weight and buoyancy of a ball that nearly floats.
std::vector<FluidState> restingWater(Exec& exec, int particlesAcross) {
  World w = buildWorld(ballInTank(particlesAcross, SolidKind::fixed, 1), exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  std::vector<FluidState> states;
  for (int k = 1; k <= 300; ++k) {
    solver.step(w, 0.002);
    if (k >= 150 && k % 25 == 0) states.push_back(w.fluid);
  }
  return states;
}

// Mean acceleration [m/s^2] over 10 ms, in which the ball rises by less than a millimetre.
double initialAcceleration(Exec& exec, const std::vector<FluidState>& resting, int particlesAcross, double densityRatio) {
  double sum = 0;
  for (const FluidState& fluid : resting) {
    World w = buildWorld(ballInTank(particlesAcross, SolidKind::rigid, densityRatio), exec, nullptr);
    w.fluid = fluid;
    ParticleSolver solver(exec, w);
    for (int k = 0; k < 5; ++k) solver.step(w, 0.002);
    sum += w.solid.rigid[0].v.z / 0.01;
  }
  return sum / double(resting.size());
}

// Added mass over displaced mass: 1/2 in unbounded water, and every image of the ball beside it in the side walls adds
// 3/16 (2 h / distance)^3 (a/h)^3 (Lamb, Hydrodynamics, art. 99); the sum of (2 h / distance)^3 over the square lattice of images
// is 9.03. To the same order the floor, a wall, and the surface, an opposite image as far away, cancel.
double theory(double densityRatio) {
  const double added = 0.5 * (1 + 3.0 / 16 * 9.03 * std::pow(kRadius / kHalfWidth, 3));
  return 9.81 * (1 - densityRatio) / (densityRatio + added);
}

// The packing round the ball adds up to 4 % either way at one spacing, so the limit of fine spacings is the intercept of the least
// squares line in the square of the spacing through four of them. Where the ball nearly floats, what is left of weight and buoyancy
// is a tenth of either: the errors are judged as ones of the buoyancy.
TEST(AddedMassSlow, ReleasedSphere) {
  Exec exec;
  const double ratios[] = {0.1, 0.5, 0.9};
  const int across[] = {20, 24, 30, 36};
  double n = 0, s1 = 0, s2 = 0, e0[3] = {}, e1[3] = {};  // sums of 1, h^2, h^4, error, error h^2; h in the coarsest spacing
  for (const int particles : across) {
    const std::vector<FluidState> resting = restingWater(exec, particles);
    const double h2 = std::pow(double(across[0]) / particles, 2);
    n += 1;
    s1 += h2;
    s2 += h2 * h2;
    for (int r = 0; r < 3; ++r) {
      const double wanted = theory(ratios[r]), found = initialAcceleration(exec, resting, particles, ratios[r]);
      const double error = found / wanted - 1;
      std::printf("ratio %.1f, radius of %.1f spacings: %.3f m/s^2, theory %.3f: %+.1f %%\n", ratios[r], particles / 6.0, found,
                  wanted, 100 * error);
      e0[r] += error;
      e1[r] += error * h2;
      EXPECT_NEAR(error * (1 - ratios[r]), 0, 0.04) << "of the buoyancy, ratio " << ratios[r] << ", " << particles << " across";
    }
  }
  for (int r = 0; r < 3; ++r) {
    const double limit = (e0[r] * s2 - e1[r] * s1) / (n * s2 - s1 * s1);
    std::printf("ratio %.1f, spacing 0: %+.1f %%\n", ratios[r], 100 * limit);
    EXPECT_NEAR(limit * (1 - ratios[r]), 0, 0.03) << "of the buoyancy, ratio " << ratios[r];
    if (ratios[r] < 0.9) { EXPECT_NEAR(limit, 0, 0.05) << "ratio " << ratios[r]; }
  }
}

}  // namespace
}  // namespace meniscus

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

// Where the ball nearly floats, what is left of weight and buoyancy is a tenth of either, and a hundredth of the buoyancy is a
// tenth of the acceleration: at a given spacing the error is judged as one of the buoyancy, and as one of the acceleration in the
// limit of fine spacings, extrapolated at second order.
TEST(AddedMassSlow, ReleasedSphere) {
  Exec exec;
  const double ratios[] = {0.1, 0.5, 0.9};
  const int across[] = {24, 30};
  double error[2][3];  // relative; by spacing, ratio
  for (int s = 0; s < 2; ++s) {
    const std::vector<FluidState> resting = restingWater(exec, across[s]);
    for (int r = 0; r < 3; ++r) {
      const double wanted = theory(ratios[r]), found = initialAcceleration(exec, resting, across[s], ratios[r]);
      error[s][r] = found / wanted - 1;
      std::printf("ratio %.1f, radius of %d spacings: %.3f m/s^2, theory %.3f: %+.1f %%\n", ratios[r], across[s] / 6, found, wanted,
                  100 * error[s][r]);
    }
  }
  const double finer = double(across[1] * across[1]) / (across[0] * across[0]);
  for (int r = 0; r < 3; ++r) {
    const double limit = error[1][r] + (error[1][r] - error[0][r]) / (finer - 1);
    std::printf("ratio %.1f, spacing 0: %+.1f %%\n", ratios[r], 100 * limit);
    EXPECT_NEAR(limit, 0, 0.05) << "ratio " << ratios[r];
    EXPECT_NEAR(error[1][r] * (1 - ratios[r]), 0, 0.025) << "of the buoyancy, ratio " << ratios[r];
  }
  EXPECT_NEAR(error[1][0], 0, 0.05);
  EXPECT_NEAR(error[1][1], 0, 0.05);
}

}  // namespace
}  // namespace meniscus

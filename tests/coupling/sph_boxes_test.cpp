// Water of particles and rigid bodies, each as a box of a coupling.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "engine/coupling/body_coordinates.h"
#include "engine/coupling/gain.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/world/hash.h"
#include "tests/coupling/sph_tank.h"
#include "tests/shared/error_of.h"
#include "tests/shared/momentum.h"

namespace meniscus::testing {
namespace {

using namespace coupling;

constexpr double kDt = 0.002;

// The ball's coordinates after a step at this velocity and spin.
Motion moved(const RigidSolidBox& solid, const Vec3d& v, const Vec3d& spin, double reach) {
  Motion m = solid.motion();
  for (int c = 0; c < 3; ++c) {
    m.position[std::size_t(c)] += kDt * v[c];
    m.position[std::size_t(c) + 3] += kDt * reach * spin[c];
  }
  m.velocity = {v.x, v.y, v.z, reach * spin.x, reach * spin.y, reach * spin.z};
  return m;
}

TEST(SphBoxes, TheFluidIsAFunctionOfTheSavedState) {
  SphTank t(ballInTank("xpm", 0.1, 0.02));
  SphFluidBox fluid(t.world, *t.solver);
  RigidSolidBox solid(t.exec, t.world);
  fluid.setBoundary(solid.motion());
  fluid.save();
  const std::uint64_t start = stateHash(t.world);
  const double height = t.ball().x.z;
  const auto solve = [&](double speed) {
    fluid.restore();
    EXPECT_EQ(stateHash(t.world), start);
    const Load load = fluid.solve(moved(solid, {0, 0, speed}, {0, 2, 0}, t.ball().reach), kDt);
    EXPECT_GT(t.ball().invMass, 0);  // the bodies are as they were, and where
    EXPECT_EQ(t.ball().x.z, height);
    return std::make_pair(load.value, stateHash(t.world));
  };
  const auto once = solve(0.3), other = solve(-0.5), again = solve(0.3);
  EXPECT_EQ(once.first, again.first);
  EXPECT_EQ(once.second, again.second);
  EXPECT_NE(other.first, once.first);
  // the water is pushed up or down, and pushes back
  EXPECT_LT(once.first[2], 0);
  EXPECT_GT(other.first[2], 0);
}

// A slab turns about its middle in a ball of water without walls and weight: what it is said to have got, the water has lost, in
// pressure, contact and shear.
TEST(SphBoxes, TheLoadIsWhatTheWaterLost) {
  SceneDef scene = emptyTank("slab in a drop", {0, 0, 0}, {0.4, 0.4, 0.4}, kDt);
  for (bool& wall : scene.domain.walls) wall = false;
  scene.gravity = {};
  FluidDef& water = addBallOfWater(scene, 0.02, 0.12, {0.2, 0.2, 0.2});
  water.carve = true;
  water.viscosity = 1e-3;
  SolidDef slab;
  slab.name = "slab";
  slab.kind = SolidKind::rigid;
  slab.shape.size = {0.12, 0.06, 0.05};
  slab.transform.translate = {0.2, 0.2, 0.2};
  slab.material.noSlip = true;
  scene.solids.push_back(slab);
  scene.solver.method = "xpm";
  SphTank t(scene);
  SphFluidBox fluid(t.world, *t.solver);
  RigidSolidBox solid(t.exec, t.world);
  const auto ofWater = [&] {
    const double invMass = t.ball().invMass;
    t.ball().invMass = 0;  // momentumOf counts what moves freely
    const Momentum m = momentumOf(t.world);
    t.ball().invMass = invMass;
    return m;
  };
  const Momentum before = ofWater();
  fluid.save();
  const Load load = fluid.solve(moved(solid, {}, {3, -2, 8}, t.ball().reach), kDt);
  const BodyLoad got = loadOf(load.value, 0, t.ball().reach);
  const Momentum after = ofWater();
  const Vec3d lost = before.linear - after.linear, lostSpin = before.angular - after.angular;
  EXPECT_GT(norm(got.moment), 1e-4);
  EXPECT_LT(norm(lost - got.impulse), 1e-4 * t.world.impulseExchanged);
  EXPECT_LT(norm(lostSpin - cross(Vec3d{0.2, 0.2, 0.2}, got.impulse) - got.moment), 1e-3 * norm(got.moment));
  EXPECT_LT(norm(t.world.impulseOnFluidFromStatic), 1e-9);  // the slab is no wall
}

TEST(SphBoxes, TheBodyTakesItsImpulses) {
  SphTank t(ballInTank("xpm", 0.5, 0));
  RigidSolidBox solid(t.exec, t.world);
  solid.save();
  const RigidBody ball = t.ball();
  const Vec3d j{0.1, -0.2, 0.3}, moment{1e-3, 2e-3, 0};
  Load load;
  addLoad({j, moment}, ball.reach, load.value);
  const Motion end = solid.solve(load, kDt);
  const Vec3d v = j * ball.invMass + t.world.scene.gravity * kDt;
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(t.ball().v[c], v[c], 1e-12);
    EXPECT_NEAR(end.position[std::size_t(c)], ball.x[c] + kDt * v[c], 1e-14);
    EXPECT_NEAR(end.velocity[std::size_t(c) + 3], ball.reach * moment[c] * ball.invInertia.x, 1e-12);
    EXPECT_NEAR(end.position[std::size_t(c) + 3], kDt * end.velocity[std::size_t(c) + 3], 1e-7);  // of second order in the turn
  }
  const Pose back = poseOf(end.position, 0, ball);
  EXPECT_LT(norm(back.x - t.ball().x), 1e-14);
  EXPECT_LT(norm(back.q.rotate({1, 2, 3}) - t.ball().q.rotate({1, 2, 3})), 1e-12);
  solid.restore();
  EXPECT_EQ(t.ball().v.z, ball.v.z);
  EXPECT_EQ(t.ball().x.z, ball.x.z);
}

TEST(SphBoxes, NumbersThatDoNotFit) {
  SphTank t(ballInTank("xpm", 0.5, 0));
  SphFluidBox fluid(t.world, *t.solver);
  RigidSolidBox solid(t.exec, t.world);
  Motion m = solid.motion();
  m.position.pop_back();
  EXPECT_NE(errorOf([&] { fluid.solve(m, kDt); }).find("5 positions and 6 velocities for 1 rigid bodies"), std::string::npos);
  EXPECT_NE(errorOf([&] {
              solid.solve({LoadKind::impulse, {1, 2}}, kDt);
            }).find("2 numbers of load for 1 rigid bodies; give 6"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { solid.solve({LoadKind::force, m.velocity}, kDt); }).find("impulses"), std::string::npos);
}

// Passes of relaxation: the ratio of the last two jumps.
double growth(double omega, double ratio) {
  SphTank t(ballInTank("partitioned", ratio, 0.08));
  SphFluidBox fluid(t.world, *t.solver);
  RigidSolidBox solid(t.exec, t.world);
  RelaxationOptions o;
  o.stop.length = 1e-12;
  o.stop.maxIterations = 14;
  o.omega = omega;
  const Report r = Relaxation(o).advance(fluid, solid, kDt);
  return std::sqrt(r.passes[13].jump / r.passes[11].jump);
}

// Errors grow above omega = 2 / (1 + g) and shrink below, with the gain measured on the boxes.
TEST(SphBoxes, RelaxationBreaksWhereTheGainSays) {
  for (const double ratio : {0.05, 0.3}) {
    SphTank t(ballInTank("partitioned", ratio, 0.08));
    t.world.scene.solver.couplingTolerance = 1e-5;
    SphFluidBox fluid(t.world, *t.solver);
    RigidSolidBox solid(t.exec, t.world);
    GainOptions o;
    o.step = 2e-5;
    const Gain gain = interfaceGain(fluid, solid, kDt, o);
    EXPECT_TRUE(gain.converged);
    // half the displaced water's mass in unbounded water, more beside walls and less under a surface
    EXPECT_GT(ratio * gain.g, 0.4);
    EXPECT_LT(ratio * gain.g, 0.9);
    EXPECT_LT(growth(0.9 * gain.largestStableOmega(), ratio), 1);
    EXPECT_GT(growth(1.1 * gain.largestStableOmega(), ratio), 1);
  }
}

}  // namespace
}  // namespace meniscus::testing

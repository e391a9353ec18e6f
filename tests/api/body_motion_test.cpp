// Bodies as a whole: velocities, masses, forces, impulses.
#include <cmath>

#include "tests/api/body_fixture.h"

namespace {

constexpr double kPi = 3.14159265358979323846;

class BodyMotion : public BodyTest {
 protected:
  static void expectNear(mnsVec3 v, double x, double y, double z, double tolerance) {
    EXPECT_NEAR(v.x, x, tolerance);
    EXPECT_NEAR(v.y, y, tolerance);
    EXPECT_NEAR(v.z, z, tolerance);
  }
};

TEST_F(BodyMotion, Masses) {
  mnsScene* scene = emptySpace();
  mnsBodyId ball{}, cloth{}, post{}, paddle{};
  ASSERT_OK(createBall(scene, "ball", {0.05, 0.05, 0.1}, &ball));
  ASSERT_OK(createCloth(scene, "cloth", {0.1, 0.05, 0.15}, &cloth, true));
  ASSERT_OK(createBall(scene, "post", {0.1, 0.05, 0.03}, &post, MNS_BODY_STATIC));
  ASSERT_OK(createBall(scene, "paddle", {0.16, 0.05, 0.1}, &paddle, MNS_BODY_KINEMATIC));
  double mass = 0;
  EXPECT_EQ(mnsBody_GetMass(scene, ball, &mass), MNS_ERROR_NOT_STARTED);
  EXPECT_OK(mnsScene_Start(scene));
  EXPECT_OK(mnsBody_GetMass(scene, ball, &mass));
  EXPECT_NEAR(mass, 500 * 4.0 / 3 * kPi * 8e-6, 1e-12);
  EXPECT_OK(mnsBody_GetMass(scene, cloth, &mass));  // areal density times area, held nodes included
  EXPECT_NEAR(mass, 0.5 * 0.06 * 0.06, 1e-12);
  EXPECT_OK(mnsBody_GetMass(scene, post, &mass));
  EXPECT_TRUE(std::isinf(mass));
  EXPECT_OK(mnsBody_GetMass(scene, paddle, &mass));
  EXPECT_TRUE(std::isinf(mass));
  EXPECT_EQ(mnsBody_GetMass(scene, ball, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_GetMass(scene, mnsBodyId{0, 0, 0}, &mass), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsBody_GetMass(nullptr, ball, &mass), MNS_ERROR_INVALID_HANDLE);
}

TEST_F(BodyMotion, VelocitiesAreSetAndRead) {
  mnsScene* scene = emptySpace();
  mnsBodyId ball{}, cloth{}, post{};
  ASSERT_OK(createBall(scene, "ball", {0.05, 0.05, 0.1}, &ball));
  ASSERT_OK(createCloth(scene, "cloth", {0.12, 0.05, 0.15}, &cloth));
  ASSERT_OK(createBall(scene, "post", {0.1, 0.05, 0.03}, &post, MNS_BODY_STATIC));
  EXPECT_EQ(mnsBody_SetVelocity(scene, ball, {1, 0, 0}, {0, 0, 0}), MNS_ERROR_NOT_STARTED);
  EXPECT_OK(mnsScene_Start(scene));
  for (const mnsBodyId body : {ball, cloth}) {
    EXPECT_OK(mnsBody_SetVelocity(scene, body, {0.1, 0.2, -0.3}, {1, -2, 3}));
    mnsVec3 linear{}, angular{};
    EXPECT_OK(mnsBody_GetVelocity(scene, body, &linear, &angular));
    expectNear(linear, 0.1, 0.2, -0.3, 1e-12);
    expectNear(angular, 1, -2, 3, 1e-9);
    EXPECT_EQ(mnsBody_SetVelocity(scene, body, {std::nan(""), 0, 0}, {0, 0, 0}), MNS_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(mnsBody_SetVelocity(scene, body, {0, 0, 0}, {0, HUGE_VAL, 0}), MNS_ERROR_INVALID_ARGUMENT);
    EXPECT_OK(mnsBody_GetVelocity(scene, body, &linear, nullptr));
    expectNear(linear, 0.1, 0.2, -0.3, 1e-12);
    EXPECT_OK(mnsBody_GetVelocity(scene, body, nullptr, nullptr));
  }
  // nodes as seen from outside move with it: the corner of the cloth is (-.03, -.03, 0) from its centre
  const float* v = floats(scene, cloth, MNS_NODE_VELOCITY);
  EXPECT_NEAR(v[0], 0.1 + 3 * 0.03, 1e-6);
  EXPECT_EQ(mnsBody_SetVelocity(scene, post, {1, 0, 0}, {0, 0, 0}), MNS_ERROR_WRONG_KIND);
  mnsVec3 still{1, 1, 1};
  EXPECT_OK(mnsBody_GetVelocity(scene, post, &still, nullptr));
  expectNear(still, 0, 0, 0, 0);
}

// Newton: m dv = J, I d omega = r x J, with I = 2/5 m r^2 of a ball.
TEST_F(BodyMotion, ImpulsesAndForces) {
  mnsScene* scene = emptySpace();
  mnsBodyId ball{}, cloth{}, post{};
  ASSERT_OK(createBall(scene, "ball", {0.05, 0.05, 0.1}, &ball));
  ASSERT_OK(createCloth(scene, "cloth", {0.12, 0.05, 0.15}, &cloth));
  ASSERT_OK(createBall(scene, "post", {0.1, 0.05, 0.03}, &post, MNS_BODY_STATIC));
  const mnsVec3 at{0.05, 0.05, 0.12};
  EXPECT_EQ(mnsBody_ApplyImpulse(scene, ball, {0.001, 0, 0}, &at), MNS_ERROR_NOT_STARTED);
  EXPECT_EQ(mnsBody_ApplyForce(scene, ball, {0.001, 0, 0}, &at), MNS_ERROR_NOT_STARTED);
  EXPECT_OK(mnsScene_Start(scene));
  const double m = 500 * 4.0 / 3 * kPi * 8e-6;
  EXPECT_OK(mnsBody_ApplyImpulse(scene, ball, {0.001, 0, 0}, &at));
  mnsVec3 linear{}, angular{};
  EXPECT_OK(mnsBody_GetVelocity(scene, ball, &linear, &angular));
  expectNear(linear, 0.001 / m, 0, 0, 1e-12);
  expectNear(angular, 0, 0.02 * 0.001 / (0.4 * m * 4e-4), 0, 1e-9);
  const double clothMass = 0.5 * 0.06 * 0.06;
  EXPECT_OK(mnsBody_ApplyImpulse(scene, cloth, {0, 0, 1e-4}, nullptr));
  EXPECT_OK(mnsBody_GetVelocity(scene, cloth, &linear, &angular));
  expectNear(linear, 0, 0, 1e-4 / clothMass, 1e-12);
  expectNear(angular, 0, 0, 0, 1e-9);

  // a force acts over the next step and no longer, and several add up
  EXPECT_OK(mnsBody_SetVelocity(scene, ball, {0, 0, 0}, {0, 0, 0}));
  EXPECT_OK(mnsBody_ApplyForce(scene, ball, {0, 0.1, 0}, nullptr));
  EXPECT_OK(mnsBody_ApplyForce(scene, ball, {0, 0.1, 0}, nullptr));
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  expectNear(velocity(scene, ball), 0, 0.2 * 0.004 / m, 0, 1e-12);
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  expectNear(velocity(scene, ball), 0, 0.2 * 0.004 / m, 0, 1e-12);

  for (const auto apply : {mnsBody_ApplyImpulse, mnsBody_ApplyForce}) {
    EXPECT_EQ(apply(scene, post, {1, 0, 0}, nullptr), MNS_ERROR_WRONG_KIND);
    EXPECT_EQ(apply(scene, ball, {std::nan(""), 0, 0}, nullptr), MNS_ERROR_INVALID_ARGUMENT);
    const mnsVec3 nowhere{HUGE_VAL, 0, 0};
    EXPECT_EQ(apply(scene, ball, {1, 0, 0}, &nowhere), MNS_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(apply(scene, mnsBodyId{0, 0, 0}, {1, 0, 0}, nullptr), MNS_ERROR_INVALID_HANDLE);
  }
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  expectNear(velocity(scene, ball), 0, 0.2 * 0.004 / m, 0, 1e-12);  // the refused ones left nothing
}

// A force on a body that goes, and on the one behind it.
TEST_F(BodyMotion, ForcesOfTheDestroyedAreDropped) {
  mnsScene* scene = emptySpace();
  mnsBodyId first{}, second{};
  ASSERT_OK(createBall(scene, "first", {0.05, 0.05, 0.1}, &first));
  ASSERT_OK(createBall(scene, "second", {0.12, 0.05, 0.1}, &second));
  EXPECT_OK(mnsScene_Start(scene));
  EXPECT_OK(mnsBody_ApplyForce(scene, first, {0.3, 0, 0}, nullptr));
  EXPECT_OK(mnsBody_ApplyForce(scene, second, {0, 0.1, 0}, nullptr));
  EXPECT_OK(mnsDestroyBody(scene, first));
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  expectNear(velocity(scene, second), 0, 0.1 * 0.004 / (500 * 4.0 / 3 * kPi * 8e-6), 0, 1e-12);
}

// The water carries its own weight on a floating ball that is held: Archimedes, to the resolution of a ball two spacings wide.
TEST_F(BodyMotion, FluidForce) {
  mnsScene* scene = emptyTank();
  addWater(scene, 0.06);
  mnsBodyId post{}, cloth{};
  ASSERT_OK(createBall(scene, "post", {0.1, 0.05, 0.15}, &post, MNS_BODY_STATIC));
  ASSERT_OK(createCloth(scene, "cloth", {0.05, 0.05, 0.15}, &cloth, true));
  mnsVec3 force{1, 1, 1};
  EXPECT_EQ(mnsBody_GetFluidForce(scene, post, &force), MNS_ERROR_NOT_STARTED);
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_OK(mnsBody_GetFluidForce(scene, post, &force));
  expectNear(force, 0, 0, 0, 0);  // it hangs above the water
  EXPECT_EQ(mnsBody_GetFluidForce(scene, cloth, &force), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsBody_GetFluidForce(scene, post, nullptr), MNS_ERROR_INVALID_ARGUMENT);

  mnsScene* wet = emptyTank();
  const mnsShape floor = mnsBoxShape(0.2, 0.1, 0.02);
  mnsBodyDef def = mnsDefaultBodyDef();
  def.shape = &floor;
  def.position = {0.1, 0.05, 0.01};
  mnsBodyId body{};
  ASSERT_OK(mnsCreateBody(wet, &def, &body));
  const mnsShape box = mnsBoxShape(0.2, 0.1, 0.06);
  mnsFluidDef water = mnsDefaultFluidDef();
  water.shape = &box;
  water.position = {0.1, 0.05, 0.05};
  mnsFluidId fluid{};
  ASSERT_OK(mnsCreateFluid(wet, &water, &fluid));
  for (int k = 0; k < 50; ++k) EXPECT_OK(mnsScene_Step(wet, 0.004));
  EXPECT_OK(mnsBody_GetFluidForce(wet, body, &force));
  EXPECT_NEAR(force.z, -1000 * 9.81 * 0.2 * 0.1 * 0.06, 0.1 * 1000 * 9.81 * 0.2 * 0.1 * 0.06);  // the weight of the water
}

}  // namespace

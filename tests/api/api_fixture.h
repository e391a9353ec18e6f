// A context and scenes for tests of the C interface.
#pragma once

#include <gtest/gtest.h>

#include "meniscus/meniscus.h"

// EXPECT_OK(call): the call succeeds, or its sentence is shown.
#define EXPECT_OK(call) EXPECT_EQ((call), MNS_OK) << mnsGetLastError()
#define ASSERT_OK(call) ASSERT_EQ((call), MNS_OK) << mnsGetLastError()

// A tank of .2 x .1 x .2 m with water .06 m deep at a spacing of .01 m: 1200 particles.
class ApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    mnsContextDef def = mnsDefaultContextDef();
    def.device = MNS_DEVICE_CPU;
    def.threads = 2;
    ASSERT_OK(mnsCreateContext(MNS_VERSION, &def, &context));
  }
  void TearDown() override { EXPECT_OK(mnsDestroyContext(context)); }

  mnsSceneDef tankDef() const {
    mnsSceneDef def = mnsDefaultSceneDef();
    def.name = "tank";
    def.domain.max = {0.2, 0.1, 0.2};
    def.spacing = 0.01;
    def.maxParticles = 2000;
    return def;
  }
  mnsScene* emptyTank() {
    const mnsSceneDef def = tankDef();
    mnsScene* scene = nullptr;
    EXPECT_OK(mnsCreateScene(context, &def, &scene));
    return scene;
  }
  mnsFluidId addWater(mnsScene* scene, double depth = 0.06) {
    const mnsShape box = mnsBoxShape(0.2, 0.1, depth);
    mnsFluidDef def = mnsDefaultFluidDef();
    def.name = "water";
    def.shape = &box;
    def.position = {0.1, 0.05, 0.5 * depth};
    mnsFluidId water{};
    EXPECT_OK(mnsCreateFluid(scene, &def, &water));
    return water;
  }
  mnsBodyId addBall(mnsScene* scene, double density = 500, mnsVec3 position = {0.1, 0.05, 0.12}) {
    const mnsShape sphere = mnsSphereShape(0.02);
    mnsMaterial material = mnsDefaultMaterial();
    material.density = density;
    mnsBodyDef def = mnsDefaultBodyDef();
    def.name = "ball";
    def.kind = MNS_BODY_RIGID;
    def.shape = &sphere;
    def.material = &material;
    def.position = position;
    mnsBodyId ball{};
    EXPECT_OK(mnsCreateBody(scene, &def, &ball));
    return ball;
  }
  mnsBodyId addStatic(mnsScene* scene, const char* name, const mnsShape& shape, mnsVec3 position, mnsQuat rotation = {0, 0, 0, 1}) {
    mnsBodyDef body = mnsDefaultBodyDef();
    body.name = name;
    body.kind = MNS_BODY_STATIC;
    body.shape = &shape;
    body.position = position;
    body.rotation = rotation;
    mnsBodyId id{};
    EXPECT_OK(mnsCreateBody(scene, &body, &id));
    return id;
  }
  mnsScene* tankWithBall() {
    mnsScene* scene = emptyTank();
    addWater(scene);
    addBall(scene);
    return scene;
  }

  mnsContext* context = nullptr;
};

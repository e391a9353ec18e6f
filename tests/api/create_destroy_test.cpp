// Bodies come and go, before the start and while the scene runs.
#include <cmath>
#include <string>

#include "tests/api/body_fixture.h"

namespace {

class CreateDestroy : public BodyTest {
 protected:
  static void steps(mnsScene* scene, int n) {
    for (int k = 0; k < n; ++k) EXPECT_OK(mnsScene_Step(scene, 0.004));
  }
  static float height(mnsScene* scene, mnsBodyId cloth) { return floats(scene, cloth, MNS_NODE_POSITION)[2]; }
};

TEST_F(CreateDestroy, BeforeTheStart) {
  mnsScene* scene = emptyTank();
  addWater(scene);
  mnsBodyId a{}, b{};
  ASSERT_OK(createBall(scene, "a", {0.05, 0.05, 0.12}, &a));
  ASSERT_OK(createBall(scene, "b", {0.15, 0.05, 0.12}, &b));
  EXPECT_OK(mnsDestroyBody(scene, a));
  EXPECT_FALSE(mnsBody_IsValid(scene, a));
  const char* name = nullptr;
  EXPECT_OK(mnsBody_GetName(scene, b, &name));
  EXPECT_STREQ(name, "b");
  std::int32_t count = 0;
  EXPECT_OK(mnsScene_GetBodies(scene, nullptr, 0, &count));
  EXPECT_EQ(count, 1);
  steps(scene, 1);
  double mass = 0;
  EXPECT_OK(mnsBody_GetMass(scene, b, &mass));
  EXPECT_GT(mass, 0);
}

// A fluid that is to fill a body could not be made without it.
TEST_F(CreateDestroy, WhatIsToBeFilledStays) {
  mnsScene* scene = emptyTank();
  mnsBodyId balloon{};
  ASSERT_OK(createBalloon(scene, "balloon", {0.1, 0.05, 0.1}, 0, &balloon));
  mnsFluidDef def = mnsDefaultFluidDef();
  def.inside = balloon;
  mnsFluidId water{};
  ASSERT_OK(mnsCreateFluid(scene, &def, &water));
  EXPECT_EQ(mnsDestroyBody(scene, balloon), MNS_ERROR_SCENE);
  EXPECT_TRUE(mnsBody_IsValid(scene, balloon));
  EXPECT_OK(mnsDestroyFluid(scene, water));
  EXPECT_OK(mnsDestroyBody(scene, balloon));
}

// An open mesh cannot be inflated: that is said when the body is made, not by the start.
TEST_F(CreateDestroy, AWrongMeshIsRefusedAtOnce) {
  mnsScene* scene = emptyTank();
  const float x[] = {0.1f, 0.05f, 0.1f, 0.12f, 0.05f, 0.1f, 0.1f, 0.07f, 0.1f};
  const std::int32_t tri[] = {0, 1, 2};
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_MESH;
  shape.vertices = x;
  shape.vertexCount = 3;
  shape.triangles = tri;
  shape.triangleCount = 1;
  mnsMaterial material = mnsDefaultMaterial();
  material.arealDensity = 0.5;
  mnsBodyDef def = mnsDefaultBodyDef();
  def.kind = MNS_BODY_INFLATABLE;
  def.shape = &shape;
  def.material = &material;
  mnsBodyId body{};
  EXPECT_EQ(mnsCreateBody(scene, &def, &body), MNS_ERROR_SCENE);
  EXPECT_TRUE(MNS_IS_NULL(body));
  def.kind = MNS_BODY_SOFT;
  material = mnsDefaultMaterial();
  material.youngsModulus = 1e4;
  EXPECT_EQ(mnsCreateBody(scene, &def, &body), MNS_ERROR_SCENE);
  shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_MESH;
  shape.file = "there/is/no/such.obj";
  EXPECT_EQ(mnsCreateBody(scene, &def, &body), MNS_ERROR_FILE);
  std::int32_t count = -1;
  EXPECT_OK(mnsScene_GetBodies(scene, nullptr, 0, &count));
  EXPECT_EQ(count, 0);
}

// A body that comes and goes between two steps leaves no trace, in the particles and in another body's nodes.
TEST_F(CreateDestroy, LeavesNoTrace) {
  mnsScene* plain = emptyTank();
  mnsScene* visited = emptyTank();
  mnsBodyId cloth[2];
  int k = 0;
  for (mnsScene* scene : {plain, visited}) {
    addWater(scene);
    ASSERT_OK(createCloth(scene, "cloth", {0.06, 0.05, 0.1}, &cloth[k++], true));
    steps(scene, 3);
  }
  mnsBodyId guests[4];
  ASSERT_OK(createBall(visited, "ball", {0.15, 0.05, 0.16}, &guests[0]));
  ASSERT_OK(createCloth(visited, "other cloth", {0.15, 0.05, 0.12}, &guests[1], true));
  ASSERT_OK(createBalloon(visited, "balloon", {0.06, 0.05, 0.17}, 100, &guests[2]));
  ASSERT_OK(createBall(visited, "knob", {0.15, 0.05, 0.2}, &guests[3], MNS_BODY_STATIC));
  for (const int g : {1, 3, 0, 2}) EXPECT_OK(mnsDestroyBody(visited, guests[g]));
  for (int n = 0; n < 5; ++n) {
    steps(plain, 1);
    steps(visited, 1);
    ASSERT_EQ(particles(plain), particles(visited)) << "step " << n;
    ASSERT_EQ(nodes(plain, cloth[0]), nodes(visited, cloth[1])) << "step " << n;
  }
}

// A body made between the start and the first step is the one that was made before the start.
TEST_F(CreateDestroy, LaterIsAsBefore) {
  mnsScene* before = emptyTank();
  mnsScene* after = emptyTank();
  addWater(before);
  addWater(after);
  mnsBodyId a[2], b[2];
  ASSERT_OK(createBall(before, "ball", {0.05, 0.05, 0.1}, &a[0]));
  ASSERT_OK(createCloth(before, "cloth", {0.14, 0.05, 0.08}, &a[1]));
  EXPECT_OK(mnsScene_Start(before));
  EXPECT_OK(mnsScene_Start(after));
  ASSERT_EQ(particles(before), particles(after));  // settled without having been touched by them
  ASSERT_OK(createBall(after, "ball", {0.05, 0.05, 0.1}, &b[0]));
  ASSERT_OK(createCloth(after, "cloth", {0.14, 0.05, 0.08}, &b[1]));
  for (int n = 0; n < 30; ++n) {
    steps(before, 1);
    steps(after, 1);
    ASSERT_EQ(particles(before), particles(after)) << "step " << n;
    ASSERT_EQ(nodes(before, a[1]), nodes(after, b[1])) << "step " << n;
  }
  EXPECT_GT(velocity(after, b[0]).z, -0.9 * 9.81 * 30 * 0.004);  // it has met the water by now: slower than free fall
}

TEST_F(CreateDestroy, IdsOfTheDestroyedAreRefused) {
  mnsScene* scene = tankWithBall();
  EXPECT_OK(mnsScene_Start(scene));
  mnsBodyId ball{};
  ASSERT_OK(mnsScene_FindBody(scene, "ball", &ball));
  EXPECT_OK(mnsDestroyBody(scene, ball));
  EXPECT_FALSE(mnsBody_IsValid(scene, ball));
  EXPECT_EQ(mnsDestroyBody(scene, ball), MNS_ERROR_INVALID_HANDLE);
  mnsVec3 v{};
  EXPECT_EQ(mnsBody_GetVelocity(scene, ball, &v, nullptr), MNS_ERROR_INVALID_HANDLE);
  mnsBodyId next{};
  ASSERT_OK(createBall(scene, "ball", {0.1, 0.05, 0.12}, &next));
  EXPECT_EQ(next.index, ball.index);
  EXPECT_NE(next.generation, ball.generation);
  EXPECT_FALSE(mnsBody_IsValid(scene, ball));
  EXPECT_TRUE(mnsBody_IsValid(scene, next));
  steps(scene, 1);
  EXPECT_EQ(mnsDestroyBody(scene, mnsBodyId{0, 0, 0}), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsDestroyBody(nullptr, next), MNS_ERROR_INVALID_HANDLE);
  mnsScene* other = tankWithBall();
  EXPECT_EQ(mnsDestroyBody(other, next), MNS_ERROR_INVALID_HANDLE);
}

// What does not fit is refused, says why, and leaves the scene as it was.
TEST_F(CreateDestroy, NoPlace) {
  mnsScene* scene = emptyTank();
  mnsScene* untouched = emptyTank();
  for (mnsScene* s : {scene, untouched}) {
    addWater(s);
    mnsBodyId post{}, cloth{};
    ASSERT_OK(createBall(s, "post", {0.03, 0.05, 0.12}, &post, MNS_BODY_STATIC));
    ASSERT_OK(createCloth(s, "cloth", {0.1, 0.05, 0.17}, &cloth));
    steps(s, 1);
  }
  mnsBodyId body{1, 1, 1};
  EXPECT_EQ(createBall(scene, nullptr, {0.1, 0.05, 0.05}, &body), MNS_ERROR_SCENE);
  EXPECT_NE(std::string(mnsGetLastError()).find("in fluid"), std::string::npos) << mnsGetLastError();
  // in the middle of a layer of particles, whose sides it would have to tell
  EXPECT_EQ(createCloth(scene, nullptr, {0.1, 0.05, 0.045}, &body), MNS_ERROR_SCENE);
  EXPECT_NE(std::string(mnsGetLastError()).find("nearer to it"), std::string::npos) << mnsGetLastError();
  EXPECT_EQ(createBall(scene, nullptr, {0.1, 0.05, 0.19}, &body), MNS_ERROR_SCENE);
  EXPECT_NE(std::string(mnsGetLastError()).find("sticks out of the domain"), std::string::npos) << mnsGetLastError();
  EXPECT_EQ(createBall(scene, nullptr, {0.04, 0.05, 0.12}, &body), MNS_ERROR_SCENE);
  EXPECT_NE(std::string(mnsGetLastError()).find("inside solid \"post\""), std::string::npos) << mnsGetLastError();
  // and a still one around what is there
  EXPECT_EQ(createBall(scene, nullptr, {0.1, 0.05, 0.17}, &body, MNS_BODY_STATIC), MNS_ERROR_SCENE);
  EXPECT_NE(std::string(mnsGetLastError()).find("solid \"cloth\" starts"), std::string::npos) << mnsGetLastError();
  EXPECT_EQ(createBall(scene, "post", {0.15, 0.05, 0.12}, &body), MNS_ERROR_INVALID_ARGUMENT);  // the name is taken
  EXPECT_EQ(createBall(scene, nullptr, {0.15, 0.05, std::nan("")}, &body), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsCreateBody(scene, nullptr, &body), MNS_ERROR_INVALID_ARGUMENT);
  mnsBodyDef def = mnsDefaultBodyDef();
  EXPECT_EQ(mnsCreateBody(scene, &def, &body), MNS_ERROR_INVALID_ARGUMENT);  // no shape
  EXPECT_EQ(mnsCreateBody(scene, &def, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  def.cookie = 0;
  EXPECT_EQ(mnsCreateBody(scene, &def, &body), MNS_ERROR_INVALID_DEFINITION);
  std::int32_t count = 0;
  EXPECT_OK(mnsScene_GetBodies(scene, nullptr, 0, &count));
  EXPECT_EQ(count, 2);
  EXPECT_EQ(MNS_STORE_ID(body), MNS_STORE_ID((mnsBodyId{1, 1, 1})));  // as it was
  steps(scene, 2);
  steps(untouched, 2);
  EXPECT_EQ(particles(scene), particles(untouched));
}

// The last body of a scene without fluid may go; steps are then empty.
TEST_F(CreateDestroy, TheLastOne) {
  mnsScene* scene = emptyTank();
  mnsBodyId cloth{};
  ASSERT_OK(createCloth(scene, "cloth", {0.1, 0.05, 0.1}, &cloth));
  steps(scene, 2);
  EXPECT_OK(mnsDestroyBody(scene, cloth));
  steps(scene, 2);
  ASSERT_OK(createCloth(scene, "cloth", {0.1, 0.05, 0.1}, &cloth));
  EXPECT_EQ(height(scene, cloth), 0.1f);
  steps(scene, 1);
  // a step of free fall: from g dt^2 / 2 in many sub-steps to g dt^2 in one
  EXPECT_LT(height(scene, cloth), 0.1 - 0.45 * 9.81 * 0.004 * 0.004);
  EXPECT_GT(height(scene, cloth), 0.1 - 1.05 * 9.81 * 0.004 * 0.004);
}

}  // namespace

// Bodies and nodes that are told where to be.
#include <cmath>

#include "tests/api/body_fixture.h"

namespace {

class Move : public BodyTest {
 protected:
  static void expectAt(mnsScene* scene, mnsBodyId body, double x, double y, double z) {
    mnsVec3 p{};
    EXPECT_OK(mnsBody_GetTransform(scene, body, &p, nullptr));
    EXPECT_NEAR(p.x, x, 1e-12);
    EXPECT_NEAR(p.y, y, 1e-12);
    EXPECT_NEAR(p.z, z, 1e-12);
  }
  static mnsVec3 node(mnsScene* scene, mnsBodyId cloth, int k) {
    const float* x = floats(scene, cloth, MNS_NODE_POSITION) + 4 * k;
    return {double(x[0]), double(x[1]), double(x[2])};
  }
  static mnsQuat quarterAboutZ() { return {0, 0, std::sqrt(0.5), std::sqrt(0.5)}; }

  const mnsQuat identity{0, 0, 0, 1};
};

TEST_F(Move, AKinematicBodyGoesEvenlyAndRests) {
  mnsScene* scene = emptySpace();
  mnsBodyId paddle{}, ball{}, post{};
  ASSERT_OK(createBall(scene, "paddle", {0.06, 0.05, 0.1}, &paddle, MNS_BODY_KINEMATIC));
  ASSERT_OK(createBall(scene, "ball", {0.16, 0.05, 0.15}, &ball));
  ASSERT_OK(createBall(scene, "post", {0.16, 0.05, 0.05}, &post, MNS_BODY_STATIC));
  EXPECT_EQ(mnsBody_MoveTo(scene, paddle, {0.1, 0.05, 0.1}, identity, 0.04), MNS_ERROR_NOT_STARTED);
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  ASSERT_OK(mnsBody_MoveTo(scene, paddle, {0.1, 0.05, 0.08}, quarterAboutZ(), 0.04));
  for (int k = 1; k <= 5; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.004));
    expectAt(scene, paddle, 0.06 + 0.004 * k, 0.05, 0.1 - 0.002 * k);
  }
  mnsVec3 linear{}, angular{};
  EXPECT_OK(mnsBody_GetVelocity(scene, paddle, &linear, &angular));
  EXPECT_NEAR(linear.x, 1, 1e-9);  // .04 m in .04 s
  EXPECT_NEAR(angular.z, 0.5 * 3.14159265358979323846 / 0.04, 1e-6);
  // on its way it is told to go somewhere else
  ASSERT_OK(mnsBody_MoveTo(scene, paddle, {0.08, 0.05, 0.07}, identity, 0.02));
  for (int k = 0; k < 8; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  expectAt(scene, paddle, 0.08, 0.05, 0.07);
  mnsQuat q{};
  EXPECT_OK(mnsBody_GetTransform(scene, paddle, nullptr, &q));
  EXPECT_NEAR(std::fabs(q.w), 1, 1e-12);
  EXPECT_OK(mnsBody_GetVelocity(scene, paddle, &linear, &angular));
  EXPECT_NEAR(linear.x, 0, 1e-12);

  EXPECT_EQ(mnsBody_MoveTo(scene, ball, {0.1, 0.05, 0.1}, identity, 1), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsBody_MoveTo(scene, post, {0.1, 0.05, 0.1}, identity, 1), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsBody_MoveTo(scene, paddle, {0.1, 0.05, std::nan("")}, identity, 1), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_MoveTo(scene, paddle, {0.1, 0.05, 0.1}, {0, 0, 0, 0}, 1), MNS_ERROR_INVALID_ARGUMENT);
  for (const double seconds : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_EQ(mnsBody_MoveTo(scene, paddle, {0.1, 0.05, 0.1}, identity, seconds), MNS_ERROR_INVALID_ARGUMENT) << seconds;
  EXPECT_EQ(mnsBody_MoveTo(scene, paddle, {0.1, 0.05, 0.1}, identity, 1e-7), MNS_ERROR_INVALID_ARGUMENT);  // 3e5 m/s
  EXPECT_EQ(mnsBody_MoveTo(scene, mnsBodyId{0, 0, 0}, {0.1, 0.05, 0.1}, identity, 1), MNS_ERROR_INVALID_HANDLE);
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  expectAt(scene, paddle, 0.08, 0.05, 0.07);
}

// A rigid mesh: its principal axes are the library's own business; the rotation is that of the shape as it was given.
TEST_F(Move, TransformsOfAMesh) {
  mnsScene* scene = emptySpace();
  // a box of .02 x .03 x .04 m with a corner at the origin of its frame
  float x[24];
  for (int k = 0; k < 8; ++k) {
    x[3 * k] = k & 1 ? 0.02f : 0.f;
    x[3 * k + 1] = k & 2 ? 0.03f : 0.f;
    x[3 * k + 2] = k & 4 ? 0.04f : 0.f;
  }
  const std::int32_t tri[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                              2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_MESH;
  shape.vertices = x;
  shape.vertexCount = 8;
  shape.triangles = tri;
  shape.triangleCount = 12;
  mnsBodyDef def = mnsDefaultBodyDef();
  def.kind = MNS_BODY_RIGID;
  def.shape = &shape;
  def.position = {0.1, 0.05, 0.1};
  def.rotation = quarterAboutZ();
  mnsBodyId box{};
  ASSERT_OK(mnsCreateBody(scene, &def, &box));
  ASSERT_OK(mnsScene_Start(scene));
  mnsVec3 p{};
  mnsQuat q{};
  EXPECT_OK(mnsBody_GetTransform(scene, box, &p, &q));
  EXPECT_NEAR(p.x, 0.1 - 0.015, 1e-8);  // the middle, turned: (x, y) -> (-y, x)
  EXPECT_NEAR(p.y, 0.05 + 0.01, 1e-8);
  EXPECT_NEAR(p.z, 0.12, 1e-8);
  EXPECT_NEAR(std::fabs(q.z * std::sqrt(0.5) + q.w * std::sqrt(0.5)), 1, 1e-12);

  EXPECT_OK(mnsBody_SetTransform(scene, box, {0.1, 0.05, 0.1}, identity));
  EXPECT_OK(mnsBody_GetTransform(scene, box, &p, &q));
  EXPECT_NEAR(std::fabs(q.w), 1, 1e-12);
  const mnsVec3 corner = node(scene, box, 0);
  EXPECT_NEAR(corner.x, 0.09, 1e-7);
  EXPECT_NEAR(corner.y, 0.035, 1e-7);
  EXPECT_NEAR(corner.z, 0.08, 1e-7);
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  expectAt(scene, box, 0.1, 0.05, 0.1);  // at rest where it was put
}

TEST_F(Move, SetTransform) {
  mnsScene* scene = emptyTank();
  addWater(scene);
  const mnsBodyId ball = addBall(scene, 500, {0.05, 0.05, 0.12});
  mnsBodyId post{}, cloth{};
  ASSERT_OK(createBall(scene, "post", {0.16, 0.05, 0.14}, &post, MNS_BODY_STATIC));
  ASSERT_OK(createCloth(scene, "cloth", {0.1, 0.05, 0.18}, &cloth, true));
  EXPECT_EQ(mnsBody_SetTransform(scene, ball, {0.1, 0.05, 0.12}, identity), MNS_ERROR_NOT_STARTED);
  ASSERT_OK(mnsScene_Start(scene));
  EXPECT_OK(mnsBody_SetVelocity(scene, ball, {0.1, 0, 0}, {0, 0, 1}));
  EXPECT_OK(mnsBody_SetTransform(scene, ball, {0.09, 0.05, 0.13}, quarterAboutZ()));
  expectAt(scene, ball, 0.09, 0.05, 0.13);
  EXPECT_EQ(velocity(scene, ball).x, 0.1);
  EXPECT_EQ(mnsBody_SetTransform(scene, ball, {0.09, 0.05, 0.19}, identity), MNS_ERROR_SCENE);  // through the lid
  EXPECT_EQ(mnsBody_SetTransform(scene, ball, {0.15, 0.05, 0.13}, identity), MNS_ERROR_SCENE);  // in the post
  EXPECT_EQ(mnsBody_SetTransform(scene, ball, {0.09, 0.05, 0.04}, identity), MNS_ERROR_SCENE);  // in the water
  EXPECT_EQ(mnsBody_SetTransform(scene, ball, {0.09, std::nan(""), 0.13}, identity), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_SetTransform(scene, ball, {0.09, 0.05, 0.13}, {0, 0, 0, 0}), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_SetTransform(scene, post, {0.09, 0.05, 0.13}, identity), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsBody_SetTransform(scene, cloth, {0.09, 0.05, 0.13}, identity), MNS_ERROR_WRONG_KIND);
  expectAt(scene, ball, 0.09, 0.05, 0.13);
  mnsQuat q{};
  EXPECT_OK(mnsBody_GetTransform(scene, ball, nullptr, &q));
  EXPECT_NEAR(q.z, std::sqrt(0.5), 1e-12);
  EXPECT_OK(mnsScene_Step(scene, 0.001));
}

TEST_F(Move, PinsHoldAndLetGo) {
  mnsScene* scene = emptyTank();
  mnsBodyId cloth{}, ball{};
  ASSERT_OK(createCloth(scene, "cloth", {0.1, 0.05, 0.15}, &cloth, true));
  ASSERT_OK(createBall(scene, "ball", {0.03, 0.05, 0.1}, &ball));
  const std::int32_t corners[] = {3, 15, 3};
  EXPECT_EQ(mnsBody_PinNodes(scene, cloth, corners, 3), MNS_ERROR_NOT_STARTED);
  ASSERT_OK(mnsScene_Start(scene));
  const mnsVec3 start = node(scene, cloth, 3);
  EXPECT_OK(mnsBody_PinNodes(scene, cloth, corners, 3));
  EXPECT_EQ(floats(scene, cloth, MNS_NODE_POSITION)[4 * 3 + 3], 0.f);  // inverse mass
  for (int k = 0; k < 10; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_EQ(node(scene, cloth, 3).z, start.z);
  EXPECT_EQ(node(scene, cloth, 15).z, start.z);
  EXPECT_LT(node(scene, cloth, 5).z, start.z - 1e-4);
  // the definition's own pin, and a free one
  const std::int32_t all[] = {0, 3, 15, 5};
  EXPECT_OK(mnsBody_UnpinNodes(scene, cloth, all, 4));
  for (int k = 0; k < 4; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  for (const int k : all) EXPECT_LT(node(scene, cloth, k).z, start.z - 1e-4) << k;

  const std::int32_t wrong[] = {1, 16};
  for (const auto call : {mnsBody_PinNodes, mnsBody_UnpinNodes}) {
    EXPECT_EQ(call(scene, cloth, wrong, 2), MNS_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(call(scene, cloth, wrong, -1), MNS_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(call(scene, cloth, nullptr, 1), MNS_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(call(scene, ball, corners, 1), MNS_ERROR_WRONG_KIND);
    EXPECT_EQ(call(scene, mnsBodyId{0, 0, 0}, corners, 1), MNS_ERROR_INVALID_HANDLE);
    EXPECT_OK(call(scene, cloth, nullptr, 0));
  }
  EXPECT_GT(floats(scene, cloth, MNS_NODE_POSITION)[4 + 3], 0.f);  // node 1 was not pinned by the refused call
}

TEST_F(Move, ANodeIsCarried) {
  mnsScene* scene = emptySpace();
  mnsBodyId cloth{}, ball{};
  ASSERT_OK(createCloth(scene, "cloth", {0.1, 0.05, 0.1}, &cloth));
  ASSERT_OK(createBall(scene, "ball", {0.03, 0.05, 0.1}, &ball));
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  const mnsVec3 from = node(scene, cloth, 5);
  ASSERT_OK(mnsBody_MoveNode(scene, cloth, 5, {from.x, from.y, from.z + 0.02}, 0.04));
  for (int k = 1; k <= 5; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.004));
    EXPECT_NEAR(node(scene, cloth, 5).z, from.z + 0.002 * k, 1e-7);
  }
  EXPECT_NEAR(floats(scene, cloth, MNS_NODE_VELOCITY)[4 * 5 + 2], 0.5, 1e-5);
  for (int k = 0; k < 8; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_NEAR(node(scene, cloth, 5).z, from.z + 0.02, 1e-7);
  // dragged about by a hand that moves every step, as a game does; let go, it flies on
  for (int k = 1; k <= 5; ++k) {
    ASSERT_OK(mnsBody_MoveNode(scene, cloth, 5, {from.x, from.y, from.z + 0.02 + 0.001 * k}, 0.004));
    ASSERT_OK(mnsScene_Step(scene, 0.004));
    EXPECT_NEAR(node(scene, cloth, 5).z, from.z + 0.02 + 0.001 * k, 1e-7);
  }
  const std::int32_t grabbed = 5;
  EXPECT_OK(mnsBody_UnpinNodes(scene, cloth, &grabbed, 1));
  EXPECT_NEAR(floats(scene, cloth, MNS_NODE_VELOCITY)[4 * 5 + 2], 0.25, 1e-4);

  EXPECT_EQ(mnsBody_MoveNode(scene, cloth, 16, {0.1, 0.05, 0.1}, 1), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_MoveNode(scene, cloth, -1, {0.1, 0.05, 0.1}, 1), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_MoveNode(scene, cloth, 1, {0.1, std::nan(""), 0.1}, 1), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_MoveNode(scene, cloth, 1, {0.1, 0.05, 0.1}, 0), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_MoveNode(scene, cloth, 1, {0.1, 0.05, 0.1}, 1e-9), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_MoveNode(scene, ball, 0, {0.1, 0.05, 0.1}, 1), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsBody_MoveNode(nullptr, cloth, 1, {0.1, 0.05, 0.1}, 1), MNS_ERROR_INVALID_HANDLE);
  EXPECT_GT(floats(scene, cloth, MNS_NODE_POSITION)[4 + 3], 0.f);  // node 1 is as free as before
}

}  // namespace

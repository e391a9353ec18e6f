// Nodes of deformable bodies, and what closed bodies enclose.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "tests/api/body_fixture.h"

namespace {

constexpr double kPi = 3.14159265358979323846;

class BodyNodes : public BodyTest {
 protected:
  void SetUp() override {
    BodyTest::SetUp();
    mnsSceneDef def = tankDef();
    def.gravity = {0, 0, 0};
    ASSERT_OK(mnsCreateScene(context, &def, &scene));
    ASSERT_OK(createCloth(scene, "cloth", {0.1, 0.05, 0.15}, &cloth, true));
    ASSERT_OK(createBall(scene, "ball", {0.05, 0.05, 0.05}, &ball));
  }
  std::int64_t nodeCount() {
    std::int64_t n = 0;
    floats(scene, cloth, MNS_NODE_POSITION, &n);
    return n;
  }

  mnsScene* scene = nullptr;
  mnsBodyId cloth{}, ball{};
};

TEST_F(BodyNodes, VelocitiesAreSet) {
  std::vector<float> v(4 * 16, 0.25f);
  mnsView view = mnsHostView(v.data(), MNS_FORMAT_FLOAT4, 16);
  EXPECT_EQ(mnsBody_SetNodeVelocities(scene, cloth, &view), MNS_ERROR_NOT_STARTED);
  EXPECT_OK(mnsScene_Start(scene));
  ASSERT_EQ(nodeCount(), 16);
  EXPECT_OK(mnsBody_SetNodeVelocities(scene, cloth, &view));
  const float* now = floats(scene, cloth, MNS_NODE_VELOCITY);
  EXPECT_EQ(now[0], 0.f);  // held
  for (int k = 1; k < 16; ++k)
    for (int c = 0; c < 3; ++c) EXPECT_EQ(now[4 * k + c], 0.25f);
  std::vector<float> three(3 * 16, -0.5f);
  view = mnsHostView(three.data(), MNS_FORMAT_FLOAT3, 16);
  EXPECT_OK(mnsBody_SetNodeVelocities(scene, cloth, &view));
  EXPECT_EQ(floats(scene, cloth, MNS_NODE_VELOCITY)[4], -0.5f);
}

// a = F / m on every free node: m is the cloth's mass by area, so equal forces on equal nodes; checked on the whole.
TEST_F(BodyNodes, ForcesAct) {
  ASSERT_OK(mnsScene_Start(scene));
  std::vector<float> f(3 * 16, 0.f);
  const float* x = floats(scene, cloth, MNS_NODE_POSITION);
  std::vector<double> inverseMass;
  for (int k = 0; k < 16; ++k) inverseMass.push_back(double(x[4 * k + 3]));
  for (int k = 0; k < 16; ++k)  // the same acceleration of 2 m/s^2 for all
    if (inverseMass[std::size_t(k)] > 0) f[std::size_t(3 * k + 2)] = float(2 / inverseMass[std::size_t(k)]);
  const mnsView view = mnsHostView(f.data(), MNS_FORMAT_FLOAT3, 16);
  EXPECT_OK(mnsBody_ApplyNodeForces(scene, cloth, &view));
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  const float* v = floats(scene, cloth, MNS_NODE_VELOCITY);
  EXPECT_EQ(v[2], 0.f);
  EXPECT_NEAR(v[4 * 15 + 2], 2 * 0.004, 1e-5);  // the far corner feels nothing of the held one yet
}

TEST_F(BodyNodes, ViewsAreChecked) {
  ASSERT_OK(mnsScene_Start(scene));
  std::vector<float> v(4 * 16, 0.1f);
  const mnsView good = mnsHostView(v.data(), MNS_FORMAT_FLOAT4, 16);
  for (const auto call : {mnsBody_SetNodeVelocities, mnsBody_ApplyNodeForces}) {
    EXPECT_EQ(call(scene, cloth, nullptr), MNS_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(call(scene, ball, &good), MNS_ERROR_WRONG_KIND);
    EXPECT_EQ(call(scene, mnsBodyId{0, 0, 0}, &good), MNS_ERROR_INVALID_HANDLE);
    EXPECT_EQ(call(nullptr, cloth, &good), MNS_ERROR_INVALID_HANDLE);
    mnsView bad = good;
    bad.count = 15;
    EXPECT_EQ(call(scene, cloth, &bad), MNS_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.format = MNS_FORMAT_INT32X3;
    EXPECT_EQ(call(scene, cloth, &bad), MNS_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.memory = MNS_MEMORY_CUDA;
    EXPECT_EQ(call(scene, cloth, &bad), MNS_ERROR_DEVICE_MISMATCH);
    bad = good;
    bad.data = nullptr;
    EXPECT_EQ(call(scene, cloth, &bad), MNS_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.stride = 8;
    EXPECT_EQ(call(scene, cloth, &bad), MNS_ERROR_INVALID_ARGUMENT);
    v[21] = std::nanf("");
    EXPECT_EQ(call(scene, cloth, &good), MNS_ERROR_INVALID_ARGUMENT);
    v[21] = 0.1f;
  }
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_EQ(floats(scene, cloth, MNS_NODE_VELOCITY)[4], 0.f);  // nothing was set or applied
}

TEST_F(BodyNodes, Volumes) {
  mnsBodyId balloon{}, plane{};
  ASSERT_OK(createBalloon(scene, "balloon", {0.15, 0.05, 0.05}, 0, &balloon));
  mnsShape flat = mnsDefaultShape();
  flat.kind = MNS_SHAPE_PLANE;
  flat.normal = {0, 0, 1};
  mnsBodyDef def = mnsDefaultBodyDef();
  def.shape = &flat;
  ASSERT_OK(mnsCreateBody(scene, &def, &plane));
  double volume = 0;
  EXPECT_EQ(mnsBody_GetVolume(scene, ball, &volume), MNS_ERROR_NOT_STARTED);
  ASSERT_OK(mnsScene_Start(scene));
  const double sphere = 4.0 / 3 * kPi * 8e-6;
  EXPECT_OK(mnsBody_GetVolume(scene, ball, &volume));
  EXPECT_NEAR(volume, sphere, 1e-12);
  EXPECT_OK(mnsBody_GetVolume(scene, balloon, &volume));  // of its triangles, which lie inside the sphere
  EXPECT_GT(volume, 0.7 * sphere);
  EXPECT_LT(volume, sphere);
  EXPECT_EQ(mnsBody_GetVolume(scene, cloth, &volume), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsBody_GetVolume(scene, plane, &volume), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsBody_GetVolume(scene, ball, nullptr), MNS_ERROR_INVALID_ARGUMENT);
}

// More gas, more volume; none, and the skin goes back to its rest.
TEST_F(BodyNodes, Pressure) {
  mnsBodyId balloon{}, full{};
  ASSERT_OK(createBalloon(scene, "balloon", {0.15, 0.05, 0.05}, 10, &balloon));
  ASSERT_OK(createBalloon(scene, "full", {0.15, 0.05, 0.12}, 0, &full));
  EXPECT_EQ(mnsBody_SetPressure(scene, balloon, 20), MNS_ERROR_NOT_STARTED);
  ASSERT_OK(mnsScene_Start(scene));
  double before = 0, after = 0;
  EXPECT_OK(mnsBody_GetVolume(scene, balloon, &before));
  EXPECT_EQ(mnsBody_SetPressure(scene, balloon, -1), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_SetPressure(scene, balloon, std::nan("")), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_SetPressure(scene, full, 10), MNS_ERROR_WRONG_KIND);  // holds its volume
  EXPECT_EQ(mnsBody_SetPressure(scene, cloth, 10), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsBody_SetPressure(scene, ball, 10), MNS_ERROR_WRONG_KIND);
  EXPECT_OK(mnsBody_SetPressure(scene, balloon, 0));
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_OK(mnsBody_GetVolume(scene, balloon, &after));
  EXPECT_NEAR(after, before, 1e-9 * before);  // at rest: the refused calls set nothing
  EXPECT_OK(mnsBody_SetPressure(scene, balloon, 1000));
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_OK(mnsBody_GetVolume(scene, balloon, &after));
  EXPECT_GT(after, before);
}

// Each constraint has its colour, and none of a colour share a node: that is what lets them be solved at once.
TEST_F(BodyNodes, ConstraintsAndTheirColours) {
  mnsScene* space = emptySpace();
  mnsBodyId first{}, sheet{};
  ASSERT_OK(createCloth(space, "first", {0.05, 0.05, 0.1}, &first));
  ASSERT_OK(createCloth(space, "second", {0.15, 0.05, 0.1}, &sheet));
  ASSERT_OK(mnsScene_Start(space));
  mnsView nodes{}, colours{}, positions{}, stretch{};
  ASSERT_OK(mnsBody_GetArray(space, sheet, MNS_BODY_CONSTRAINTS, &nodes));
  ASSERT_OK(mnsBody_GetArray(space, sheet, MNS_BODY_CONSTRAINT_COLOUR, &colours));
  ASSERT_OK(mnsBody_GetArray(space, sheet, MNS_NODE_POSITION, &positions));
  ASSERT_OK(mnsBody_GetArray(space, sheet, MNS_NODE_STRETCH, &stretch));
  EXPECT_EQ(stretch.count, positions.count);
  for (std::int64_t k = 0; k < stretch.count; ++k) EXPECT_NEAR(static_cast<const float*>(stretch.data)[k], 0, 1e-6);
  ASSERT_EQ(nodes.count, colours.count);
  ASSERT_GE(nodes.count, 33);                            // edges of 4 x 4 nodes with a diagonal in each cell, at the least
  std::set<std::pair<std::int32_t, std::int32_t>> seen;  // (colour, node)
  const std::int32_t* colour = static_cast<const std::int32_t*>(colours.data);
  EXPECT_GE(colours.count - std::count(colour, colour + colours.count, -1), 8);  // so small a sheet is mostly left over
  for (std::int64_t k = 0; k < nodes.count; ++k)
    for (int corner = 0; corner < 4; ++corner) {
      const std::int32_t node = static_cast<const std::int32_t*>(nodes.data)[4 * k + corner];
      if (corner < 2) { ASSERT_GE(node, 0); }
      ASSERT_LT(node, positions.count);
      if (node >= 0 && colour[k] >= 0) { EXPECT_TRUE(seen.insert({colour[k], node}).second) << "constraint " << k; }
    }
}

}  // namespace

// Particles that the host brings in, takes out and pushes.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/api/api_fixture.h"

namespace {

constexpr float kSpacing = 0.01f;

class Particles : public ApiTest {
 protected:
  // Water .03 m deep (600 particles) under .17 m of air, room for 2000.
  void start(bool ball = false) {
    scene = emptyTank();
    water = addWater(scene, 0.03);
    if (ball) addBall(scene);
    ASSERT_OK(mnsScene_Start(scene));
  }
  std::vector<float> field(mnsParticleField which, int each) {
    mnsView v{};
    EXPECT_OK(mnsScene_GetParticles(scene, which, &v));
    const float* f = static_cast<const float*>(v.data);
    return std::vector<float>(f, f + each * v.count);
  }
  std::vector<std::uint32_t> ids() {
    mnsView v{};
    EXPECT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_ID, &v));
    const auto* f = static_cast<const std::uint32_t*>(v.data);
    return std::vector<std::uint32_t>(f, f + v.count);
  }
  mnsResult emit(const std::vector<float>& x, const std::vector<float>& u = {}, std::uint32_t* first = nullptr) {
    const mnsView at = mnsHostView(x.data(), MNS_FORMAT_FLOAT3, std::int64_t(x.size() / 3));
    const mnsView v = mnsHostView(u.data(), MNS_FORMAT_FLOAT3, std::int64_t(u.size() / 3));
    return mnsScene_EmitParticles(scene, water, &at, u.empty() ? nullptr : &v, first);
  }
  void expectRefused(mnsResult result, mnsResult expected, const char* text) {
    EXPECT_EQ(result, expected);
    EXPECT_NE(std::string(mnsGetLastError()).find(text), std::string::npos) << mnsGetLastError();
    EXPECT_EQ(ids().size(), 600u);
  }

  mnsScene* scene = nullptr;
  mnsFluidId water{};
};

// Three drops far apart fall like stones: after n steps of h, semi-implicit, v = v0 - n g h and z = z0 + n v0 h - g h^2 n (n+1)
// / 2.
TEST_F(Particles, EmittedOnesAreWhereTheyWereSaidToBeAndFallFreely) {
  start();
  std::uint32_t first = 0;
  ASSERT_OK(emit({0.03f, 0.03f, 0.15f, 0.10f, 0.05f, 0.16f, 0.17f, 0.07f, 0.17f}, {0.1f, 0, 0, 0, 0, 0.2f, 0, -0.1f, 0}, &first));
  EXPECT_EQ(first, 600u);
  std::vector<float> x = field(MNS_PARTICLE_POSITION, 4), u = field(MNS_PARTICLE_VELOCITY, 4);
  ASSERT_EQ(x.size(), 4u * 603);
  EXPECT_EQ(ids().back(), 602u);
  EXPECT_FLOAT_EQ(x[4 * 600], 0.03f);
  EXPECT_FLOAT_EQ(x[4 * 601 + 2], 0.16f);
  EXPECT_FLOAT_EQ(x[4 * 602 + 1], 0.07f);
  EXPECT_FLOAT_EQ(x[4 * 600 + 3], x[3]);  // of the same mass as the others
  EXPECT_EQ(u[4 * 601 + 2], 0.2f);
  const double h = 0.002, g = 9.81;
  const int n = 10;
  for (int k = 0; k < n; ++k) ASSERT_OK(mnsScene_Step(scene, h));
  x = field(MNS_PARTICLE_POSITION, 4);
  u = field(MNS_PARTICLE_VELOCITY, 4);
  EXPECT_NEAR(u[4 * 600 + 2], -n * g * h, 1e-5);
  EXPECT_NEAR(u[4 * 601 + 2], 0.2 - n * g * h, 1e-5);
  EXPECT_NEAR(x[4 * 601 + 2], 0.16 + n * 0.2 * h - g * h * h * n * (n + 1) / 2, 1e-4);
  EXPECT_NEAR(x[4 * 600], 0.03 + n * 0.1 * h, 1e-5);
  EXPECT_NEAR(x[4 * 602 + 1], 0.07 - n * 0.1 * h, 1e-5);
}

TEST_F(Particles, AllOrNoneOfThem) {
  start(true);
  EXPECT_EQ(ids().size(), 600u);
  const float nan = std::nanf(""), inf = HUGE_VALF;
  expectRefused(emit({0.1f, 0.05f, 0.18f, 0.3f, 0.05f, 0.1f}), MNS_ERROR_INVALID_ARGUMENT, "particle 1 at (0.3, 0.05, 0.1) m");
  expectRefused(emit({0.1f, 0.05f, 0.18f, 0.1f, 0.054f, 0.18f}), MNS_ERROR_INVALID_ARGUMENT, "from particle 0 of the list");
  expectRefused(emit({0.1f, 0.05f, 0.18f, nan, 0.05f, 0.1f}), MNS_ERROR_INVALID_ARGUMENT, "positions of particle 1");
  expectRefused(emit({0.1f, 0.05f, 0.18f}, {0, inf, 0}), MNS_ERROR_INVALID_ARGUMENT, "velocities of particle 0");
  expectRefused(emit({0.1f, 0.05f, 0.18f}, {0, 1e9f, 0}), MNS_ERROR_INVALID_ARGUMENT, "velocity of a particle would be 1e+09 m/s");
  expectRefused(emit({0.1f, 0.05f, 0.18f}, {0, 0, 0, 0, 0, 0}), MNS_ERROR_INVALID_ARGUMENT, "1 positions, but 2 velocities");
  expectRefused(emit({0.1f, 0.05f, 0.12f}), MNS_ERROR_INVALID_ARGUMENT, "inside solid \"ball\"");
  const std::vector<float> x = field(MNS_PARTICLE_POSITION, 4);
  expectRefused(emit({x[40], x[41], x[42] + 0.004f}), MNS_ERROR_INVALID_ARGUMENT, "from the particle of id 10");
  // half a spacing is enough
  EXPECT_OK(emit({0.1f, 0.05f, 0.18f, 0.105f, 0.05f, 0.18f}));
}

TEST_F(Particles, RoomIsWhatTheSceneWasGiven) {
  start();
  std::vector<float> x;
  for (int k = 0; k < 14; ++k)
    for (int j = 0; j < 10; ++j)
      for (int i = 0; i < 10; ++i) {
        const float at[3] = {kSpacing * (float(i) + 0.5f), kSpacing * (float(j) + 0.5f), 0.045f + kSpacing * float(k)};
        x.insert(x.end(), at, at + 3);
      }
  x.insert(x.end(), {0.15f, 0.05f, 0.1f});
  expectRefused(emit(x), MNS_ERROR_CAPACITY, "room for 1400 more particles, not for 1401");
  x.resize(x.size() - 3);
  EXPECT_OK(emit(x));
  EXPECT_EQ(ids().size(), 2000u);
  EXPECT_EQ(emit({0.15f, 0.05f, 0.1f}), MNS_ERROR_CAPACITY);
  EXPECT_OK(mnsScene_Step(scene, 0.002));
}

TEST_F(Particles, ViewsMustBeWhatTheySay) {
  start();
  const float x[4] = {0.1f, 0.05f, 0.15f, 7};
  const mnsView good = mnsHostView(x, MNS_FORMAT_FLOAT4, 1);
  EXPECT_EQ(mnsScene_EmitParticles(scene, water, nullptr, nullptr, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  mnsView v = good;
  v.memory = MNS_MEMORY_CUDA;
  EXPECT_EQ(mnsScene_EmitParticles(scene, water, &v, nullptr, nullptr), MNS_ERROR_DEVICE_MISMATCH);
  v = good;
  v.format = MNS_FORMAT_FLOAT;
  EXPECT_EQ(mnsScene_EmitParticles(scene, water, &v, nullptr, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  v = good;
  v.stride = 12;
  EXPECT_EQ(mnsScene_EmitParticles(scene, water, &v, nullptr, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  v = good;
  v.count = -1;
  EXPECT_EQ(mnsScene_EmitParticles(scene, water, &v, nullptr, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  v = good;
  v.data = nullptr;
  EXPECT_EQ(mnsScene_EmitParticles(scene, water, &v, nullptr, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_EmitParticles(scene, mnsFluidId{}, &good, nullptr, nullptr), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_EmitParticles(nullptr, water, &good, nullptr, nullptr), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(ids().size(), 600u);
  EXPECT_OK(mnsScene_EmitParticles(scene, water, &good, nullptr, nullptr));
  v = mnsHostView(nullptr, MNS_FORMAT_FLOAT3, 0);
  EXPECT_OK(mnsScene_EmitParticles(scene, water, &v, nullptr, nullptr));  // none of them
  EXPECT_EQ(ids().size(), 601u);
}

TEST_F(Particles, AreRemovedByIdAndTheOthersStayAsTheyAre) {
  start();
  const std::vector<float> before = field(MNS_PARTICLE_POSITION, 4);
  const std::uint32_t gone[] = {599, 7, 100000, 7, 0};
  std::int32_t removed = -1;
  ASSERT_OK(mnsScene_RemoveParticles(scene, gone, 5, &removed));
  EXPECT_EQ(removed, 3);  // one is named twice, one there is not
  const std::vector<std::uint32_t> left = ids();
  ASSERT_EQ(left.size(), 597u);
  const std::vector<float> after = field(MNS_PARTICLE_POSITION, 4);
  for (std::size_t k = 0; k < left.size(); ++k) {
    EXPECT_TRUE(left[k] != 0 && left[k] != 7 && left[k] != 599);
    ASSERT_EQ(std::memcmp(&after[4 * k], &before[4 * left[k]], 16), 0) << left[k];
  }
  ASSERT_OK(mnsScene_RemoveParticles(scene, gone, 5, &removed));
  EXPECT_EQ(removed, 0);
  // ids are not used again
  std::uint32_t first = 0;
  ASSERT_OK(emit({0.1f, 0.05f, 0.15f}, {}, &first));
  EXPECT_EQ(first, 600u);
  EXPECT_OK(mnsScene_Step(scene, 0.002));
  EXPECT_EQ(mnsScene_RemoveParticles(scene, nullptr, 1, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_RemoveParticles(scene, gone, -1, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(mnsScene_RemoveParticles(scene, nullptr, 0, nullptr));
  EXPECT_EQ(ids().size(), 598u);
}

TEST_F(Particles, VelocitiesAreSetById) {
  start();
  const std::uint32_t which[] = {5, 100000, 9, 5};
  const float u[] = {1, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
  const mnsView v = mnsHostView(u, MNS_FORMAT_FLOAT3, 4);
  ASSERT_OK(mnsScene_SetParticleVelocities(scene, which, 4, &v));
  const std::vector<float> now = field(MNS_PARTICLE_VELOCITY, 4);
  for (std::size_t k = 0; k < 600; ++k) {
    const float expected[3] = {0, k == 9 ? 3.f : 0.f, k == 5 ? 4.f : 0.f};  // of 5, the last
    for (std::size_t a = 0; a < 3; ++a) EXPECT_EQ(now[4 * k + a], expected[a]) << k;
  }
  EXPECT_EQ(mnsScene_SetParticleVelocities(scene, which, 3, &v), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SetParticleVelocities(scene, nullptr, 4, &v), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SetParticleVelocities(scene, which, 4, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  const float bad[] = {1, 0, 0, std::nanf(""), 0, 0, 0, 3, 0, 0, 0, 4};
  const mnsView w = mnsHostView(bad, MNS_FORMAT_FLOAT3, 4);
  EXPECT_EQ(mnsScene_SetParticleVelocities(scene, which, 4, &w), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(field(MNS_PARTICLE_VELOCITY, 4), now);
}

TEST_F(Particles, NeedAStartedScene) {
  scene = emptyTank();
  water = addWater(scene, 0.03);
  EXPECT_EQ(emit({0.1f, 0.05f, 0.15f}), MNS_ERROR_NOT_STARTED);
  EXPECT_EQ(mnsScene_RemoveParticles(scene, nullptr, 0, nullptr), MNS_ERROR_NOT_STARTED);
  const mnsView none = mnsHostView(nullptr, MNS_FORMAT_FLOAT3, 0);
  EXPECT_EQ(mnsScene_SetParticleVelocities(scene, nullptr, 0, &none), MNS_ERROR_NOT_STARTED);
}

// Of a rigid rotation it is twice the angular velocity everywhere, also at walls and at the surface.
TEST_F(Particles, VorticityOfALinearField) {
  start();
  const std::vector<float> x = field(MNS_PARTICLE_POSITION, 4);
  const std::vector<std::uint32_t> id = ids();
  std::vector<float> u;
  for (std::size_t k = 0; k < id.size(); ++k) {  // (1, -2, 3) x r, and a stretch that has no curl
    const float *r = &x[4 * k], e[3] = {0.5f * r[0], -0.25f * r[1], -0.25f * r[2]};
    for (const float v : {-2 * r[2] - 3 * r[1] + e[0], 3 * r[0] - r[2] + e[1], r[1] + 2 * r[0] + e[2]}) u.push_back(v);
  }
  const mnsView view = mnsHostView(u.data(), MNS_FORMAT_FLOAT3, std::int64_t(id.size()));
  ASSERT_OK(mnsScene_SetParticleVelocities(scene, id.data(), std::int32_t(id.size()), &view));
  const std::vector<float> vorticity = field(MNS_PARTICLE_VORTICITY, 4);
  ASSERT_EQ(vorticity.size(), 4 * id.size());
  for (std::size_t k = 0; k < id.size(); ++k)
    for (int axis = 0; axis < 3; ++axis)
      ASSERT_NEAR(vorticity[4 * k + std::size_t(axis)], (axis == 1 ? -2 : 1 + axis) * 2, 1e-3) << k;
}

}  // namespace

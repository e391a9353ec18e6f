// Numbers, names and sizes beyond all bounds are refused when they are given, and change nothing.
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/api/api_fixture.h"

namespace {

class Bounds : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    scene = tankWithBall();
    ASSERT_OK(mnsScene_FindBody(scene, "ball", &ball));
    ASSERT_OK(mnsScene_Start(scene));
    ASSERT_OK(mnsScene_GetHash(scene, &before));
  }
  void expectRefused(mnsResult result, const char* text) {
    EXPECT_EQ(result, MNS_ERROR_INVALID_ARGUMENT) << text;
    EXPECT_NE(std::string(mnsGetLastError()).find(text), std::string::npos) << mnsGetLastError();
    std::uint64_t now = 0;
    EXPECT_OK(mnsScene_GetHash(scene, &now));
    EXPECT_EQ(now, before) << text;
  }

  mnsScene* scene = nullptr;
  mnsBodyId ball{};
  std::uint64_t before = 0;
};

// Items that overlap, or lie where no memory is: read or written, they would be somebody else's.
TEST_F(Bounds, Strides) {
  std::vector<float> numbers(4 * 2000, 0.1f);
  std::vector<mnsFluidSample> samples(3);
  std::vector<mnsEvent> events(4);
  std::vector<mnsDeviceInfo> devices(2);
  const std::uint32_t ids[] = {0, 1, 2};
  mnsView particles{};
  mnsFluidId water{};
  std::int64_t written = 0;
  std::int32_t count = 0;
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &particles));
  ASSERT_OK(mnsScene_FindFluid(scene, "water", &water));
  mnsView v = mnsHostView(numbers.data(), MNS_FORMAT_FLOAT4, particles.count);
  for (const std::int64_t stride :
       {INT64_MAX, INT64_MAX / 2, std::int64_t(1) << 60, std::int64_t(1) << 62, std::int64_t(-16), std::int64_t(1)}) {
    v.stride = stride;
    v.count = particles.count;
    expectRefused(mnsScene_CopyParticles(scene, MNS_PARTICLE_POSITION, &v, &written), "stride");
    v.count = 3;
    expectRefused(mnsScene_SampleFluid(scene, &v, samples.data(), sizeof samples[0]), "stride");
    expectRefused(mnsScene_SetParticleVelocities(scene, ids, 3, &v), "stride");
    expectRefused(mnsScene_EmitParticles(scene, water, &v, nullptr, nullptr), "stride");
  }
  v.stride = 16;
  for (const std::size_t stride : {std::size_t(0), std::size_t(2), SIZE_MAX, SIZE_MAX / 2}) {
    expectRefused(mnsScene_SampleFluid(scene, &v, samples.data(), stride), "stride");
    expectRefused(mnsScene_GetEvents(scene, events.data(), stride, 4, &count), "stride");
    expectRefused(mnsGetDevices(devices.data(), stride, 2, &count), "stride");
  }
  EXPECT_OK(mnsScene_SampleFluid(scene, &v, samples.data(), sizeof samples[0]));
}

TEST_F(Bounds, SpeedsThatNoStepSurvives) {
  const mnsVec3 fast{1e30, 0, 0}, none{0, 0, 0}, at{0.1, 0.05, 0.14};
  expectRefused(mnsBody_SetVelocity(scene, ball, fast, none), "the velocity of the body would be 1e+30 m/s");
  expectRefused(mnsBody_SetVelocity(scene, ball, none, fast), "the velocity of the body would be");
  expectRefused(mnsBody_ApplyImpulse(scene, ball, {1e300, 0, 0}, nullptr), "the velocity of the body would be");
  expectRefused(mnsBody_ApplyImpulse(scene, ball, {1e7, 0, 0}, &at), "the velocity of the body would be");  // it turns too fast
  EXPECT_OK(mnsBody_ApplyImpulse(scene, ball, {1e-3, 0, 0}, &at));
  EXPECT_OK(mnsScene_Step(scene, 0.001));
}

TEST_F(Bounds, PlacesFurtherThanANumberCanResolve) {
  const mnsQuat upright{0, 0, 0, 1};
  expectRefused(mnsBody_SetTransform(scene, ball, {1e17, 0, 0}, upright), "1e+17 m away");
  mnsBodyDef def = mnsDefaultBodyDef();
  const mnsShape box = mnsBoxShape(.01, .01, .01);
  def.kind = MNS_BODY_KINEMATIC;
  def.shape = &box;
  def.position = {1e12, 0, 0};
  mnsBodyId cup{};
  expectRefused(mnsCreateBody(scene, &def, &cup), "1e+12 m away");
  def.position = {0.1, 0.05, 0.17};
  ASSERT_OK(mnsCreateBody(scene, &def, &cup));
  ASSERT_OK(mnsScene_GetHash(scene, &before));
  expectRefused(mnsBody_MoveTo(scene, cup, {1e17, 0, 0}, upright, 1e18), "1e+17 m away");
}

TEST_F(Bounds, SpeedsOfDefinitions) {
  mnsScene* empty = emptyTank();
  const mnsShape box = mnsBoxShape(.05, .05, .05);
  mnsFluidDef water = mnsDefaultFluidDef();
  water.shape = &box;
  water.position = {0.1, 0.05, 0.05};
  water.velocity = {0, 0, -1e20};
  mnsFluidId id{};
  expectRefused(mnsCreateFluid(empty, &water, &id), "the velocity of the fluid would be 1e+20");
}

// RFC 3629: a lone byte of a sequence, one cut short, one longer than needed, half of a surrogate pair, beyond U+10FFFF.
TEST_F(Bounds, NamesThatAreNotUtf8) {
  const mnsShape box = mnsBoxShape(.01, .01, .01);
  mnsBodyDef def = mnsDefaultBodyDef();
  def.shape = &box;
  def.position = {0.1, 0.05, 0.17};
  mnsBodyId id{};
  for (const char* name : {"\x80", "cup \xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"}) {
    def.name = name;
    expectRefused(mnsCreateBody(scene, &def, &id), "the name is not UTF-8");
  }
  def.name = "Gefäß \xf0\x9f\x8f\xba \xe2\x82\xac";
  ASSERT_OK(mnsCreateBody(scene, &def, &id));
  const char* given = nullptr;
  ASSERT_OK(mnsBody_GetName(scene, id, &given));
  EXPECT_STREQ(given, def.name);
  mnsShape mesh = mnsDefaultShape();
  mesh.kind = MNS_SHAPE_MESH;
  mesh.file = "caf\xe9.off";
  def.name = nullptr;
  def.shape = &mesh;
  ASSERT_OK(mnsScene_GetHash(scene, &before));
  expectRefused(mnsCreateBody(scene, &def, &id), "the file of the shape is not UTF-8");
}

// A name is used up by a body that is there, not by one that was refused.
TEST_F(Bounds, MadeNamesCountWhatWasMade) {
  const mnsShape box = mnsBoxShape(.01, .01, .01);
  mnsBodyDef def = mnsDefaultBodyDef();
  def.shape = &box;
  def.position = {1e12, 0, 0};
  mnsBodyId id{};
  for (int k = 0; k < 3; ++k) EXPECT_EQ(mnsCreateBody(scene, &def, &id), MNS_ERROR_INVALID_ARGUMENT);
  def.position = {0.1, 0.05, 0.17};
  ASSERT_OK(mnsCreateBody(scene, &def, &id));
  const char* name = nullptr;
  ASSERT_OK(mnsBody_GetName(scene, id, &name));
  // the water and the ball of this scene have names of their own
  EXPECT_STREQ(name, "body 1");
}

TEST_F(Bounds, CountsAndSizes) {
  float one[3] = {0.1f, 0.05f, 0.18f};
  const mnsView endless = mnsHostView(one, MNS_FORMAT_FLOAT3, std::numeric_limits<std::int64_t>::max());
  mnsFluidId water{};
  ASSERT_OK(mnsScene_FindFluid(scene, "water", &water));
  EXPECT_EQ(mnsScene_EmitParticles(scene, water, &endless, nullptr, nullptr), MNS_ERROR_CAPACITY) << mnsGetLastError();
  const std::uint32_t id = 0;
  expectRefused(mnsScene_SetParticleVelocities(scene, &id, 1, &endless), "has the count 9223372036854775807");

  mnsSceneDef def = tankDef();
  std::uint64_t bytes = 0;
  expectRefused(mnsEstimateMemory(&def, std::numeric_limits<std::int64_t>::max(), 0, &bytes), "particles is 9223372036854775807");
  EXPECT_OK(mnsEstimateMemory(&def, 1000000, 1000, &bytes));
  EXPECT_GT(bytes, 100u << 20);
  def.openSides = 64;
  mnsScene* other = nullptr;
  expectRefused(mnsCreateScene(context, &def, &other), "openSides is 0x40");
  def = tankDef();
  for (const std::uint32_t size : {0xffffffffu, 0x10008u, 20u, 4u, 0u}) {  // 20: ends within the pointer to the name
    def.structSize = size;
    EXPECT_EQ(mnsCreateScene(context, &def, &other), MNS_ERROR_INVALID_DEFINITION) << size;
  }
  mnsStatistics statistics{};
  statistics.structSize = 0xffffffff;
  expectRefused(mnsScene_GetStatistics(scene, &statistics), "structSize of the mnsStatistics is 4294967295");
}

}  // namespace

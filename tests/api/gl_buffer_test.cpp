// Buffer objects as a host of the shared library has them: what they cost, beside other calls and steps; and the arrays on a card
// where there is none.
#include "meniscus/meniscus_gl.h"

#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include "meniscus/meniscus_cuda.h"
#include "tests/api/api_fixture.h"
#include "tests/shared/fake_gl.h"

namespace {

using meniscus::testing::FakeGl;

class GlBufferApi : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    scene = tankWithBall();
    const mnsGlBufferDef def = gl.def(5, 1 << 16);
    ASSERT_OK(mnsRegisterGlBuffer(scene, &def, &buffer));
  }
  FakeGl gl;
  mnsScene* scene = nullptr;
  mnsGlBufferId buffer{};
};

TEST_F(GlBufferApi, UpdatesAllocateNothing) {
  ASSERT_OK(mnsScene_Step(scene, 0.002));
  for (int k = 0; k < 2; ++k) ASSERT_OK(mnsGlBuffer_Update(scene, buffer, nullptr));
  const std::uint64_t before = mnsGetMemoryUse().allocations;
  for (int k = 0; k < 20; ++k) ASSERT_EQ(mnsGlBuffer_Update(scene, buffer, nullptr), MNS_OK);
  EXPECT_EQ(mnsGetMemoryUse().allocations, before);
}

// Registered again and again, and destroyed with their scene: nothing is left.
TEST_F(GlBufferApi, NothingIsLeftOfThem) {
  ASSERT_OK(mnsScene_Start(scene));
  const auto roundTrip = [&] {
    mnsScene* other = tankWithBall();
    mnsGlBufferId ids[8];
    const mnsGlBufferDef def = gl.def(6, 1 << 16);
    for (mnsGlBufferId& id : ids) EXPECT_OK(mnsRegisterGlBuffer(other, &def, &id));
    EXPECT_OK(mnsUnregisterGlBuffer(other, ids[3]));
    mnsGlBufferId again{};
    EXPECT_OK(mnsRegisterGlBuffer(other, &def, &again));
    EXPECT_TRUE(mnsGlBuffer_IsValid(other, again));
    EXPECT_FALSE(mnsGlBuffer_IsValid(other, ids[3]));
    EXPECT_FALSE(mnsGlBuffer_IsValid(scene, again));
    EXPECT_OK(mnsDestroyScene(other));
    EXPECT_FALSE(mnsGlBuffer_IsValid(other, again));
  };
  roundTrip();
  const std::uint64_t before = mnsGetMemoryUse().bytes;
  for (int k = 0; k < 20; ++k) roundTrip();
  EXPECT_EQ(mnsGetMemoryUse().bytes, before);
}

TEST_F(GlBufferApi, DuringAStepTheSceneIsBusy) {
  ASSERT_OK(mnsScene_Start(scene));
  mnsTicket ticket{};
  int busy = 0;
  for (int k = 0; k < 50 && busy == 0; ++k) {
    ASSERT_OK(mnsScene_StepAsync(scene, 0.002, &ticket));
    busy += mnsGlBuffer_Update(scene, buffer, nullptr) == MNS_ERROR_BUSY;
    ASSERT_OK(mnsScene_Wait(scene, ticket, -1));
  }
  EXPECT_EQ(busy, 1);
  EXPECT_OK(mnsGlBuffer_Update(scene, buffer, nullptr));
}

// Borrowed views stay, and other threads read meanwhile.
TEST_F(GlBufferApi, UpdatesAreReads) {
  ASSERT_OK(mnsScene_Step(scene, 0.002));
  mnsView view{};
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view));
  std::atomic<int> refused{0}, reads{0};
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    while (!stop) {
      mnsView v{};
      refused += mnsScene_GetParticles(scene, MNS_PARTICLE_VELOCITY, &v) != MNS_OK;
      ++reads;
    }
  });
  while (reads == 0) std::this_thread::yield();
  for (int k = 0; k < 200; ++k) ASSERT_OK(mnsGlBuffer_Update(scene, buffer, nullptr));
  stop = true;
  reader.join();
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(std::memcmp(gl.buffers[5].bytes.data(), view.data, std::size_t(16 * view.count)), 0);
}

TEST_F(GlBufferApi, WithoutACardTheLibrarySaysWhy) {
  mnsCudaView v{};
  v.structSize = sizeof v;
  EXPECT_EQ(mnsScene_GetCudaParticles(scene, MNS_PARTICLE_POSITION, &v), MNS_ERROR_NOT_STARTED);
  ASSERT_OK(mnsScene_Start(scene));
  EXPECT_EQ(mnsScene_GetCudaParticles(scene, MNS_PARTICLE_POSITION, &v), MNS_ERROR_DEVICE_NOT_AVAILABLE);
  EXPECT_EQ(std::string(mnsGetLastError()).rfind("the scene runs on the CPU, because ", 0), 0u) << mnsGetLastError();
  mnsGlBufferInfo info{};
  info.structSize = sizeof info;
  ASSERT_OK(mnsGlBuffer_Update(scene, buffer, nullptr));
  ASSERT_OK(mnsGlBuffer_GetInfo(scene, buffer, &info));
  EXPECT_STREQ(info.reason, mnsGetLastError());
  EXPECT_EQ(info.count, 1200);
}

}  // namespace

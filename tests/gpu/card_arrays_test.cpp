// Arrays on a graphics card (meniscus_cuda.h) beside those of the host, and what a card says of buffers where OpenGL is not on it;
// skipped where there is no card.
#include "engine/exec/cuda/probe.h"
#include "tests/shared/cuda_views.h"
#include "tests/shared/fake_gl.h"

namespace meniscus {
namespace {

using namespace testing;

TEST(CardArrays, AreThoseOfTheHost) {
  const CudaProbe card = probeCuda();
  if (!card.fluid) GTEST_SKIP() << "no CUDA device: " << card.reason;
  const StepsOnDevice s(card.fluid, true);
  ASSERT_EQ(mnsScene_Start(s.scene), MNS_OK) << mnsGetLastError();
  expectSameAsHost(s, "after the start");
  s.steps(5);
  expectSameAsHost(s, "after steps");
  std::int32_t device = -1;
  void* stream = nullptr;
  ASSERT_EQ(mnsScene_GetCudaStream(s.scene, &device, &stream), MNS_OK) << mnsGetLastError();
  EXPECT_EQ(device, 0);
  EXPECT_NE(stream, nullptr);
  mnsCudaView v = emptyView();
  ASSERT_EQ(mnsScene_GetCudaParticles(s.scene, MNS_PARTICLE_POSITION, &v), MNS_OK);
  EXPECT_EQ(v.stream, stream);
  ASSERT_NE(v.ready, nullptr);
  EXPECT_EQ(mnsScene_WaitForCuda(s.scene, v.ready), MNS_OK) << mnsGetLastError();
}

// The OpenGL in memory is on no card: the buffer is uploaded, with the reason, and the scene stays on the card.
TEST(CardArrays, OpenGlThatIsNotOnTheCardIsUploadedTo) {
  const CudaProbe card = probeCuda();
  if (!card.fluid) GTEST_SKIP() << "no CUDA device: " << card.reason;
  FakeGl gl;
  const StepsOnDevice s(card.fluid, true);
  mnsGlBufferId id{};
  const mnsGlBufferDef def = gl.def(5, 1 << 16);
  ASSERT_EQ(mnsRegisterGlBuffer(s.scene, &def, &id), MNS_OK) << mnsGetLastError();
  for (int k = 0; k < 2; ++k) {
    s.steps(1);
    ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_OK) << mnsGetLastError();
    const std::vector<char> host = s.host(MNS_PARTICLE_POSITION);
    EXPECT_EQ(std::memcmp(gl.buffers[5].bytes.data(), host.data(), host.size()), 0);
    EXPECT_TRUE(api::onDevice(s.scene));
  }
  mnsGlBufferInfo info{};
  info.structSize = sizeof info;
  ASSERT_EQ(mnsGlBuffer_GetInfo(s.scene, id, &info), MNS_OK);
  EXPECT_EQ(info.way, MNS_GL_UPLOAD);
  EXPECT_STRNE(info.reason, "");
}

}  // namespace
}  // namespace meniscus

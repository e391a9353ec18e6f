// Arrays on the device (meniscus_cuda.h), read back by the device's own copies: they are those of the host's views, bit by bit.
#include "tests/shared/cuda_views.h"

namespace meniscus {
namespace {

using testing::emptyView;
using testing::expectSameAsHost;
using testing::StepsOnDevice;

SceneDef awayFromTheOrigin() {
  SceneDef def = testing::damScene();
  def.domain.min = {-3.1, 0.7, 11.3};
  def.domain.max = def.domain.min + Vec3d{0.4, 0.2, 0.4};
  for (Transform& t : def.fluids[0].transforms) t.translate += def.domain.min;
  return def;
}

TEST(CudaView, ArraysAreThoseOfTheHost) {
  const StepsOnDevice s(&serialFluidCalls(), true, {}, awayFromTheOrigin());
  s.steps(4);
  ASSERT_TRUE(api::onDevice(s.scene));
  expectSameAsHost(s, "after steps");
  s.steps(3);
  expectSameAsHost(s, "after more");
}

TEST(CudaView, StartedSceneHasThemBeforeItsFirstStep) {
  const StepsOnDevice s(&serialFluidCalls(), true);
  mnsCudaView v = emptyView();
  EXPECT_EQ(mnsScene_GetCudaParticles(s.scene, MNS_PARTICLE_POSITION, &v), MNS_ERROR_NOT_STARTED);
  ASSERT_EQ(mnsScene_Start(s.scene), MNS_OK);
  expectSameAsHost(s, "after the start");
}

// Ids are not dense then, and the device's order is of cells.
TEST(CudaView, ChangesBetweenStepsAreSeen) {
  const StepsOnDevice s(&serialFluidCalls(), true);
  s.steps(2);
  expectSameAsHost(s, "after steps");
  std::vector<std::uint32_t> ids;
  for (std::uint32_t k = 0; k < 300; k += 3) ids.push_back(k);
  std::int32_t removed = 0;
  ASSERT_EQ(mnsScene_RemoveParticles(s.scene, ids.data(), std::int32_t(ids.size()), &removed), MNS_OK);
  ASSERT_EQ(removed, 100);
  expectSameAsHost(s, "after particles have gone");
  const float fast[] = {1, 2, 3};
  const std::uint32_t one = 400;
  const mnsView velocity = mnsHostView(fast, MNS_FORMAT_FLOAT3, 1);
  ASSERT_EQ(mnsScene_SetParticleVelocities(s.scene, &one, 1, &velocity), MNS_OK) << mnsGetLastError();
  expectSameAsHost(s, "after a new velocity");
  std::size_t size = 0;
  ASSERT_EQ(mnsScene_Snapshot(s.scene, nullptr, 0, &size), MNS_OK);
  std::vector<char> snapshot(size);
  ASSERT_EQ(mnsScene_Snapshot(s.scene, snapshot.data(), size, &size), MNS_OK);
  s.steps(2);
  ASSERT_EQ(mnsScene_Restore(s.scene, snapshot.data(), size), MNS_OK);
  expectSameAsHost(s, "after a restore");
  ASSERT_EQ(mnsScene_SetValue(s.scene, "gravity.x", 3), MNS_OK);
  expectSameAsHost(s, "after a parameter");
  s.steps(2);
  expectSameAsHost(s, "after steps from there");
}

// What is asked for costs no step its bits.
TEST(CudaView, AskingChangesNoStep) {
  const StepsOnDevice asked(&serialFluidCalls(), true), left(&serialFluidCalls(), true);
  for (int k = 0; k < 3; ++k) {
    asked.steps(1);
    left.steps(1);
    mnsCudaView v = emptyView();
    ASSERT_EQ(mnsScene_GetCudaParticles(asked.scene, MNS_PARTICLE_POSITION, &v), MNS_OK);
  }
  EXPECT_EQ(asked.hash(), left.hash());
}

TEST(CudaView, StreamIsTold) {
  const StepsOnDevice s(&serialFluidCalls(), true);
  std::int32_t device = -1;
  void* stream = &device;
  s.steps(1);
  ASSERT_EQ(mnsScene_GetCudaStream(s.scene, &device, &stream), MNS_OK) << mnsGetLastError();
  EXPECT_EQ(device, 0);
  EXPECT_EQ(stream, nullptr);
  EXPECT_EQ(mnsScene_GetCudaStream(s.scene, nullptr, nullptr), MNS_OK);
  int event = 0;
  EXPECT_EQ(mnsScene_WaitForCuda(s.scene, &event), MNS_OK);
  EXPECT_EQ(mnsScene_WaitForCuda(s.scene, nullptr), MNS_ERROR_INVALID_ARGUMENT);
}

TEST(CudaView, ScenesOnTheCpuSayWhy) {
  const auto why = [](const StepsOnDevice& s) {
    mnsCudaView v = emptyView();
    EXPECT_EQ(mnsScene_GetCudaParticles(s.scene, MNS_PARTICLE_POSITION, &v), MNS_ERROR_DEVICE_NOT_AVAILABLE);
    const std::string text = mnsGetLastError();
    EXPECT_EQ(mnsScene_GetCudaStream(s.scene, nullptr, nullptr), MNS_ERROR_DEVICE_NOT_AVAILABLE);
    EXPECT_EQ(mnsBody_GetCudaArray(s.scene, mnsBodyId{}, MNS_NODE_POSITION, &v), MNS_ERROR_DEVICE_NOT_AVAILABLE);
    EXPECT_EQ(mnsScene_WaitForCuda(s.scene, &v), MNS_ERROR_DEVICE_NOT_AVAILABLE);
    return text;
  };
  const StepsOnDevice cpu(nullptr);
  cpu.steps(1);
  EXPECT_EQ(why(cpu), "the scene runs on the CPU, because its context was made for the CPU (mnsContextDef::device)");
  SceneDef def = testing::damScene();
  def.solver.pressure = PressureMode::weaklyCompressible;
  const StepsOnDevice other(&serialFluidCalls(), false, {}, def);
  ASSERT_EQ(mnsScene_Start(other.scene), MNS_OK);
  EXPECT_EQ(why(other), "the scene runs on the CPU, because a device does not step this pressure mode (solver.pressure) yet");
  DeviceOptions small;
  small.memoryBytes = 1 << 16;
  const StepsOnDevice full(&serialFluidCalls(), false, small);
  ASSERT_EQ(mnsScene_Start(full.scene), MNS_OK);
  EXPECT_NE(why(full).find("the scene runs on the CPU, because serial device: "), std::string::npos) << mnsGetLastError();
}

TEST(CudaView, MisuseIsRefused) {
  const StepsOnDevice s(&serialFluidCalls(), true);
  s.steps(1);
  mnsCudaView v = emptyView();
  EXPECT_EQ(mnsScene_GetCudaParticles(nullptr, MNS_PARTICLE_POSITION, &v), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_GetCudaParticles(s.scene, mnsParticleField(99), &v), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetCudaParticles(s.scene, MNS_PARTICLE_POSITION, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsBody_GetCudaArray(s.scene, mnsBodyId{}, MNS_NODE_POSITION, &v), MNS_ERROR_INVALID_HANDLE);
  v.structSize = 0;
  EXPECT_EQ(mnsScene_GetCudaParticles(s.scene, MNS_PARTICLE_POSITION, &v), MNS_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace meniscus

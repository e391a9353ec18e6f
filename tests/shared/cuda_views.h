// Arrays on a device beside those of the host.
#pragma once

#include "meniscus/meniscus_cuda.h"
#include "tests/shared/steps_on_device.h"

namespace meniscus::testing {

inline mnsCudaView emptyView() {
  mnsCudaView v{};
  v.structSize = sizeof v;
  return v;
}

inline std::vector<char> onDevice(const StepsOnDevice& s, const mnsCudaView& v) {
  std::vector<char> bytes(std::size_t(v.view.count * v.view.stride));
  if (!bytes.empty()) api::readDeviceOf(s.scene, bytes.data(), v.view.data, std::int64_t(bytes.size()));
  return bytes;
}

inline void expectSameAsHost(const StepsOnDevice& s, const char* when) {
  for (int k = 0; k <= MNS_PARTICLE_VORTICITY; ++k) {
    const auto field = mnsParticleField(k);
    mnsCudaView v = emptyView();
    ASSERT_EQ(mnsScene_GetCudaParticles(s.scene, field, &v), MNS_OK) << when << ", field " << k << ": " << mnsGetLastError();
    EXPECT_EQ(v.view.memory, MNS_MEMORY_CUDA);
    mnsView host{};
    ASSERT_EQ(mnsScene_GetParticles(s.scene, field, &host), MNS_OK);
    EXPECT_NE(v.view.data, host.data);
    EXPECT_EQ(v.view.format, host.format) << k;
    EXPECT_EQ(v.view.stride, host.stride) << k;
    EXPECT_EQ(v.view.count, host.count) << k;
    EXPECT_EQ(v.device, 0);
    EXPECT_EQ(onDevice(s, v), s.host(field)) << when << ", field " << k;
  }
}

}  // namespace meniscus::testing

// A scene of the C interface that a device steps, here the serial one.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/api/inside.h"
#include "engine/particle/device_solver.h"
#include "tests/shared/water_scene.h"

namespace meniscus::testing {

inline SceneDef damScene() {
  SceneDef scene = emptyTank("dam", {0, 0, 0}, {0.4, 0.2, 0.4}, 0.002);
  addBoxOfWater(scene, 0.02, {0.2, 0.2, 0.24}, {0.1, 0.1, 0.12});
  return scene;
}

struct StepsOnDevice {
  // calls null: on the CPU.
  explicit StepsOnDevice(const DeviceFluidCalls* calls, bool needed = false, const DeviceOptions& options = {},
                         const SceneDef& def = damScene()) {
    mnsContextDef d = mnsDefaultContextDef();
    d.device = MNS_DEVICE_CPU;
    d.threads = 2;
    d.logUser = &log;
    d.log = [](void* user, mnsLogLevel, const char* topic, const char* message, const char*, std::int32_t) {
      *static_cast<std::string*>(user) += std::string(topic) + ": " + message + "\n";
    };
    EXPECT_EQ(mnsCreateContext(MNS_VERSION, &d, &context), MNS_OK);
    if (calls) api::useDevice(context, calls, needed, options);
    EXPECT_EQ(api::adoptScene(context, SceneDef(def), &scene), MNS_OK);
  }
  ~StepsOnDevice() { mnsDestroyContext(context); }
  StepsOnDevice(const StepsOnDevice&) = delete;
  void steps(int n) const {
    for (int k = 0; k < n; ++k) ASSERT_EQ(mnsScene_Step(scene, 0.002), MNS_OK) << mnsGetLastError();
  }
  std::uint64_t hash() const {
    std::uint64_t h = 0;
    EXPECT_EQ(mnsScene_GetHash(scene, &h), MNS_OK);
    return h;
  }
  Vec3d centre() const {
    const FluidState& f = api::worldOf(scene).fluid;
    Vec3d sum{};
    for (Index i = 0; i < f.n; ++i) sum += Vec3d(f.x[i].xyz()) / double(f.n);
    return sum;
  }
  // The bytes of the host's view.
  std::vector<char> host(mnsParticleField field) const {
    mnsView v{};
    EXPECT_EQ(mnsScene_GetParticles(scene, field, &v), MNS_OK) << mnsGetLastError();
    std::vector<char> bytes(std::size_t(v.count * v.stride));
    if (!bytes.empty()) std::memcpy(bytes.data(), v.data, bytes.size());
    return bytes;
  }
  std::string log;
  mnsContext* context = nullptr;
  mnsScene* scene = nullptr;
};

}  // namespace meniscus::testing

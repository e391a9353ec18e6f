// Scenes of the C interface stepped by a device, here the serial one: as on the CPU, with parameters and bodies that change between
// steps, and back to the CPU where the device fails or the scene has what it does not step.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "engine/base/error.h"
#include "tests/shared/steps_on_device.h"

namespace meniscus {
namespace {

// A device that refuses after so many steps, as one does that is lost or has no memory left.
int stepsLeft = 0;
DeviceFluidCalls failingCalls() {
  DeviceFluidCalls calls = serialFluidCalls();
  calls.step = [](void* fluid, double dt, const DeviceBodies* bodies, const DeviceOpenings* openings, DeviceStepReport* report,
                  char* reason, int n) {
    if (stepsLeft-- > 0) return serialFluidCalls().step(fluid, dt, bodies, openings, report, reason, n);
    std::snprintf(reason, std::size_t(n), "the device is lost");
    return int(ErrorKind::deviceNotAvailable);
  };
  return calls;
}

using Stage = testing::StepsOnDevice;

TEST(DeviceScene, StepsAsOnTheCpu) {
  Stage cpu(nullptr, false), device(&serialFluidCalls(), true);
  cpu.steps(6);
  device.steps(6);
  EXPECT_FALSE(api::onDevice(cpu.scene));
  EXPECT_TRUE(api::onDevice(device.scene));
  EXPECT_LE(norm(cpu.centre() - device.centre()), 1e-7);
  mnsStatistics a, b;
  std::memset(&a, 0, sizeof a);
  std::memset(&b, 0, sizeof b);
  a.structSize = b.structSize = sizeof a;
  ASSERT_EQ(mnsScene_GetStatistics(cpu.scene, &a), MNS_OK);
  ASSERT_EQ(mnsScene_GetStatistics(device.scene, &b), MNS_OK);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_NEAR(a.densityErrorMean, b.densityErrorMean, 1e-5 * a.densityErrorMean);
}

TEST(DeviceScene, NewGravityCounts) {
  Stage cpu(nullptr, false), device(&serialFluidCalls(), true);
  for (Stage* s : {&cpu, &device}) {
    s->steps(3);
    const Vec3d before = s->centre();
    ASSERT_EQ(mnsScene_SetValue(s->scene, "gravity.x", 9.0), MNS_OK) << mnsGetLastError();
    s->steps(6);
    EXPECT_GT(s->centre().x - before.x, 1e-4);
  }
  EXPECT_TRUE(api::onDevice(device.scene));
  EXPECT_LE(norm(cpu.centre() - device.centre()), 1e-7);
}

// A tap above and a drain below: statistics and the particles' ids are those of the CPU.
TEST(DeviceScene, ParticlesComeAndGoAsOnTheCpu) {
  SceneDef def = testing::damScene();
  def.duration = 1;
  EmitterDef tap;
  tap.name = "tap";
  tap.fluid = def.fluids[0].name;
  tap.radius = 0.05;
  tap.speed = 3;
  tap.transform.translate = {0.3, 0.1, 0.3};
  tap.transform.rotate = Quatd::axisAngle({0, 1, 0}, 3.1);
  def.emitters.push_back(tap);
  DrainDef plug;
  plug.name = "plug";
  plug.radius = 0.05;
  plug.depth = 0.02;
  plug.rate = 4e-3;
  plug.transform.translate = {0.1, 0.1, 0.02};
  def.drains.push_back(plug);
  Stage cpu(nullptr, false, {}, def), device(&serialFluidCalls(), true, {}, def);
  std::int64_t emitted = 0, drained = 0;
  for (int k = 0; k < 12; ++k) {
    mnsStatistics found[2];
    for (const bool onDevice : {false, true}) {
      const Stage& s = onDevice ? device : cpu;
      s.steps(1);
      std::memset(&found[onDevice], 0, sizeof found[0]);
      found[onDevice].structSize = sizeof found[0];
      ASSERT_EQ(mnsScene_GetStatistics(s.scene, &found[onDevice]), MNS_OK);
    }
    EXPECT_EQ(found[1].particles, found[0].particles) << k;
    EXPECT_EQ(found[1].emitted, found[0].emitted) << k;
    EXPECT_EQ(found[1].drained, found[0].drained) << k;
    emitted += found[1].emitted;
    drained += found[1].drained;
  }
  EXPECT_TRUE(api::onDevice(device.scene));
  EXPECT_GT(emitted, 20);
  EXPECT_GT(drained, 5);
  EXPECT_EQ(device.host(MNS_PARTICLE_ID), cpu.host(MNS_PARTICLE_ID));
  EXPECT_LE(norm(cpu.centre() - device.centre()), 1e-7);
}

TEST(DeviceScene, LostDeviceLosesNothing) {
  const DeviceFluidCalls calls = failingCalls();
  stepsLeft = 3;
  Stage cpu(nullptr, false), device(&calls, false);
  cpu.steps(6);
  device.steps(6);  // the fourth on the CPU
  EXPECT_FALSE(api::onDevice(device.scene));
  EXPECT_NE(device.log.find("CPU, because the device is lost"), std::string::npos) << device.log;
  EXPECT_LE(norm(cpu.centre() - device.centre()), 1e-7);
}

TEST(DeviceScene, LostDeviceThatIsNeededIsAStatus) {
  const DeviceFluidCalls calls = failingCalls();
  stepsLeft = 2;
  Stage s(&calls, true);
  s.steps(2);
  const std::uint64_t before = s.hash();
  EXPECT_EQ(mnsScene_Step(s.scene, 0.002), MNS_ERROR_DEVICE_NOT_AVAILABLE);
  EXPECT_STREQ(mnsGetLastError(), "the device is lost");
  EXPECT_EQ(s.hash(), before);
  stepsLeft = 100;
  s.steps(1);  // it is back
}

TEST(DeviceScene, WhatADeviceHasNotGoesToTheCpuOrIsRefused) {
  SceneDef def = testing::damScene();
  def.solver.pressure = PressureMode::weaklyCompressible;
  Stage free(&serialFluidCalls(), false, {}, def), needed(&serialFluidCalls(), true, {}, def);
  free.steps(1);
  EXPECT_FALSE(api::onDevice(free.scene));
  EXPECT_NE(free.log.find("CPU, because a device does not step this pressure mode"), std::string::npos) << free.log;
  EXPECT_EQ(mnsScene_Step(needed.scene, 0.002), MNS_ERROR_DEVICE_NOT_AVAILABLE);
  EXPECT_NE(std::string(mnsGetLastError()).find("this pressure mode"), std::string::npos) << mnsGetLastError();
}

}  // namespace
}  // namespace meniscus

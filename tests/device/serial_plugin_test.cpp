// The plug-in's border, with a plug-in that has the serial device in the place of a card, built without fused products as nvcc
// builds the real one: so far apart are a card and the CPU by arithmetic.
#include "engine/base/error.h"
#include "engine/exec/cuda/probe.h"
#include "tests/shared/device_step.h"

namespace meniscus {
namespace {

using namespace testing;

const CudaProbe& probe() {
  static const CudaProbe found = probeCuda(MENISCUS_SERIAL_PLUGIN);
  return found;
}

TEST(PluginBorder, DeviceIsFoundAndTried) {
  ASSERT_EQ(probe().devices.size(), 1u) << probe().reason;
  EXPECT_EQ(probe().name, "serial device");
  EXPECT_NE(probe().fluid, &serialFluidCalls());  // its own copy of the code
}

TEST(PluginBorder, OtherVersionsAndMissingFilesAreRefused) {
  const CudaProbe other = probeCuda(MENISCUS_OTHER_PLUGIN);
  EXPECT_TRUE(other.devices.empty());
  EXPECT_EQ(other.fluid, nullptr);
  EXPECT_NE(other.reason.find("version"), std::string::npos) << other.reason;
  const CudaProbe none = probeCuda("/no/such/plugin.so");
  EXPECT_EQ(none.fluid, nullptr);
  EXPECT_NE(none.reason.find("no CUDA plug-in"), std::string::npos) << none.reason;
}

TEST(PluginBorder, ColumnFallsAsOnTheCpu) {
  ASSERT_NE(probe().fluid, nullptr) << probe().reason;
  expectStepsOfCpu(*probe().fluid, kCard, [](SceneDef&) {});
}

TEST(PluginBorder, ThrownWaterHitsWallsAsOnTheCpu) {
  ASSERT_NE(probe().fluid, nullptr) << probe().reason;
  expectStepsOfCpu(*probe().fluid, kCardImpact, [](SceneDef& s) {
    s.domain.max = {0.3, 0.2, 0.4};
    s.domain.friction = 0.3;
    s.fluids[0].velocity = {3, 0.5, 4};
  });
}

TEST(PluginBorder, ViscousWaterSticksAsOnTheCpu) {
  ASSERT_NE(probe().fluid, nullptr) << probe().reason;
  expectStepsOfCpu(*probe().fluid, kCard, [](SceneDef& s) {
    s.domain.noSlip = true;
    s.fluids[0].viscosity = 1e-2;
    s.fluids[0].velocity = {1, 0, 0};
  });
}

TEST(PluginBorder, ErrorsComeAcrossAsStatus) {
  ASSERT_NE(probe().fluid, nullptr) << probe().reason;
  Exec exec;
  World w = dam(exec);
  DeviceOptions options;
  options.memoryBytes = 1 << 20;
  try {
    DeviceSolver solver(*probe().fluid, options, w);
    solver.step(w, w.scene.solver.dt);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::deviceNotAvailable);
    EXPECT_NE(std::string(e.what()).find("out of memory"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace meniscus

// The fluid's step on the serial device against the CPU's: the same launches as on a graphics card.
#include "tests/shared/device_step.h"
#include <chrono>
#include <limits>
#include <string>
#include "tests/shared/device_orders.h"

#include "engine/base/error.h"

namespace meniscus {
namespace {

using namespace testing;

TEST(DeviceStep, ColumnFallsAsOnTheCpu) {
  expectStepsOfCpu(serialFluidCalls(), kSerial, [](SceneDef&) {});
}

// So many that coefficients are rounded (kernels/fluid/coefficient_grid.h): on both sides, or they part.
TEST(DeviceStep, RoundsCoefficientsAsTheCpuDoes) {
  expectStepsOfCpu(serialFluidCalls(), kSerial, [](SceneDef& s) {
    s.fluids[0].spacing = 0.0073;
    s.solver.dt = 0.001;
  });
}

// The column is thrown at the wall opposite and to the ceiling: contacts, friction, corners, sub-steps.
TEST(DeviceStep, ThrownWaterHitsWallsAsOnTheCpu) {
  expectStepsOfCpu(serialFluidCalls(), kSerial, [](SceneDef& s) {
    s.domain.max = {0.3, 0.2, 0.4};
    s.domain.friction = 0.3;
    s.fluids[0].velocity = {3, 0.5, 4};
  });
}

TEST(DeviceStep, ViscousWaterSticksAsOnTheCpu) {
  expectStepsOfCpu(serialFluidCalls(), kSerial, [](SceneDef& s) {
    s.domain.noSlip = true;
    s.fluids[0].viscosity = 1e-2;
    s.fluids[0].velocity = {1, 0, 0};
  });
}

TEST(DeviceStep, ViscousWaterSlipsAsOnTheCpu) {
  expectStepsOfCpu(serialFluidCalls(), kSerial, [](SceneDef& s) { s.fluids[0].viscosity = 1e-3; });
}

TEST(DeviceStep, TwoFluidsMoveAsOnTheCpu) {
  expectStepsOfCpu(serialFluidCalls(), kSerial, [](SceneDef& s) {
    addBoxOfWater(s, 0.02, {0.12, 0.2, 0.28}, {0.3, 0.1, 0.14}).density = 800;
    s.fluids[1].name = "oil";
    s.fluids[1].viscosity = 1e-4;
  });
}

// Through two open sides, one of them at a corner of what the particles occupy.
TEST(DeviceStep, WaterLeavesThroughOpenSidesAsOnTheCpu) {
  expectStepsOfCpu(serialFluidCalls(), kSerial, [](SceneDef& s) {
    s.domain.walls[0] = s.domain.walls[4] = false;
    s.fluids[0].velocity = {-2, 0, 0};
  });
}

TEST(DeviceStep, WiderSupportAsOnTheCpu) {
  expectStepsOfCpu(serialFluidCalls(), kSerial, [](SceneDef& s) { s.solver.support = 2.4; });
}

TEST(DeviceStep, OrderOfThreadsDoesNotMatter) {
  Exec exec;
  expectSameInEveryOrder(dam(exec, [](SceneDef& s) { s.fluids[0].viscosity = 1e-3; }), 3);
}

TEST(DeviceStep, AwkwardNumbersOfParticles) {
  Exec exec;
  const World all = dam(exec);
  for (const Index n : {1, 2, 33, 255, 256, 257, 597, 1025}) {
    World cpu = all;
    cpu.fluid.n = n;
    for (auto* b : {&cpu.fluid.x, &cpu.fluid.u}) b->resize(std::size_t(n));
    cpu.fluid.p.resize(std::size_t(n));
    cpu.fluid.id.resize(std::size_t(n));
    for (auto* b : {&cpu.fluid.kind, &cpu.fluid.leaked}) b->resize(std::size_t(n));
    World device = cpu;
    ParticleSolver onCpu(exec, cpu);
    DeviceSolver onDevice(serialFluidCalls(), {}, device);
    for (int k = 0; k < 3; ++k) {
      onCpu.step(cpu, cpu.scene.solver.dt);
      onDevice.step(device, device.scene.solver.dt);
    }
    EXPECT_LE(farthest(cpu, device), kSerial.positions) << n;
  }
}

TEST(DeviceStep, LastParticleMayLeave) {
  Exec exec;
  World w = dam(exec, [](SceneDef& s) {
    s.domain.walls[0] = false;
    s.fluids[0].velocity = {-10, 0, 0};
  });
  const Index n = w.fluid.n;
  DeviceSolver solver(serialFluidCalls(), {}, w);
  for (int k = 0; k < 20; ++k) solver.step(w, w.scene.solver.dt);
  EXPECT_EQ(w.fluid.n, 0);
  EXPECT_EQ(w.escapedTotal, std::uint64_t(n));
}

// Buffers without slack, each before a page that nothing may touch: no kernel reads or writes behind the end of one.
TEST(DeviceStep, KernelsStayInTheirBuffers) {
  Exec exec;
  World guarded = dam(exec,
                      [](SceneDef&s) {
                        s.domain.max.x = 0.3;
                        s.domain.walls[4] = false;
                        s.fluids[0].viscosity = 1e-3;
                        s.fluids[0].velocity = {2, 0.5, 1};
                      }),
        plain = guarded;
  DeviceOptions options;
  options.guarded = true;
  DeviceSolver a(serialFluidCalls(), options, guarded), b(serialFluidCalls(), {}, plain);
  for (int k = 0; k < 6; ++k) {
    a.step(guarded, guarded.scene.solver.dt);
    b.step(plain, plain.scene.solver.dt);
  }
  EXPECT_TRUE(sameBits(guarded, plain));
}

TEST(DeviceStep, MomentumIsWhatTheWallsGive) {
  Exec exec;
  World w = dam(exec);
  DeviceSolver solver(serialFluidCalls(), {}, w);
  const double mass = 1000 * w.particleVolume;
  const auto momentum = [&] {
    Vec3d sum{};
    for (Index i = 0; i < w.fluid.n; ++i) sum += Vec3d(w.fluid.u[i].xyz()) * mass;
    return sum;
  };
  const Vec3d before = momentum();
  for (int k = 0; k < 10; ++k) solver.step(w, w.scene.solver.dt);
  const Vec3d gravity = w.scene.gravity * (w.time * mass * w.fluid.n);
  const Vec3d left = momentum() - before - gravity - w.impulseOnFluidFromStatic;
  EXPECT_LE(norm(left), 1e-5 * (norm(gravity) + w.impulseExchanged));
}

TEST(DeviceStep, WarmStepsAllocateNothing) {
  Exec exec;
  World w = dam(exec);
  DeviceSolver solver(serialFluidCalls(), {}, w);
  for (int k = 0; k < 3; ++k) solver.step(w, w.scene.solver.dt);
  const DeviceCounters warm = solver.counters();
  for (int k = 0; k < 5; ++k) solver.step(w, w.scene.solver.dt);
  const DeviceCounters end = solver.counters();
  EXPECT_EQ(end.allocations, warm.allocations);
  EXPECT_EQ(end.bytes, warm.bytes);
  std::printf("%.0f launches and %.0f waits a step, %.1f KiB a particle\n", double(end.launches - warm.launches) / 5,
              double(end.waits - warm.waits) / 5, double(end.peakBytes) / w.fluid.n / 1024);
}

TEST(DeviceStep, StagesAreTimed) {
  Exec exec;
  World w = dam(exec);
  DeviceOptions options;
  options.timed = true;
  DeviceSolver solver(serialFluidCalls(), options, w);
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < 2; ++k) solver.step(w, w.scene.solver.dt);
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  double sum = 0;
  std::vector<std::string> names;
  for (const DeviceStage& s : solver.stages()) {
    sum += s.seconds;
    names.push_back(s.name);
  }
  const std::vector<std::string> expected = {"sub-step length", "sort",       "neighbours", "assemble", "predict fluid",
                                             "solve pressure",  "move fluid", "contacts",   "measure"};
  EXPECT_EQ(names, expected);
  EXPECT_LE(sum, all);
  EXPECT_GE(sum, 0.5 * all);  // the rest: copies to the device and back
}

TEST(DeviceStep, OutOfMemoryLeavesTheWorld) {
  Exec exec;
  World w = dam(exec);
  const World before = w;
  DeviceOptions options;
  options.memoryBytes = std::size_t(1) << 20;
  try {
    DeviceSolver solver(serialFluidCalls(), options, w);
    solver.step(w, w.scene.solver.dt);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::deviceNotAvailable);
    EXPECT_NE(std::string(e.what()).find("out of memory"), std::string::npos) << e.what();
  }
  EXPECT_EQ(w.time, before.time);
  EXPECT_TRUE(sameBits(before, w));
}

TEST(DeviceStep, WhatIsNotFiniteIsNamed) {
  Exec exec;
  World w = dam(exec);
  w.fluid.u[7].y = std::numeric_limits<float>::quiet_NaN();
  DeviceSolver solver(serialFluidCalls(), {}, w);
  try {
    solver.step(w, w.scene.solver.dt);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::simulation);
    EXPECT_NE(std::string(e.what()).find("no longer finite"), std::string::npos) << e.what();
  }
}

TEST(DeviceStep, FullTanksAreRefused) {
  Exec exec;
  World w = dam(exec, [](SceneDef& s) { s.domain.max = {0.24, 0.2, 0.28}; });
  DeviceSolver solver(serialFluidCalls(), {}, w);
  try {
    solver.step(w, w.scene.solver.dt);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::simulation);
    EXPECT_NE(std::string(e.what()).find("closed space"), std::string::npos) << e.what();
  }
}

TEST(DeviceStep, WhatIsNotThereYetIsNamed) {
  World w;
  w.scene.fluids.resize(1);
  EXPECT_EQ(notOnDevice(w), "");
  w.scene.fluids[0].name = "water";
  w.scene.fluids[0].surfaceTension = 0.07;
  EXPECT_NE(notOnDevice(w).find("surface tension (of \"water\")"), std::string::npos);
  w.scene.fluids[0].surfaceTension = 0;
  w.scene.solver.pressure = PressureMode::weaklyCompressible;
  EXPECT_NE(notOnDevice(w).find("solver.pressure"), std::string::npos);
  EXPECT_THROW(DeviceSolver(serialFluidCalls(), {}, w), Error);
  w.scene.solver.pressure = PressureMode::kernelDiagonal;
  EXPECT_EQ(notOnDevice(w), "");
  w.scene.solver.krylov = KrylovMethod::bicgstab;
  EXPECT_NE(notOnDevice(w).find("solver.krylov"), std::string::npos);
  w.scene.solver.pressure = PressureMode::compatible;
  w.scene.drains.resize(1);
  w.scene.drains[0].name = "plug";
  EXPECT_EQ(notOnDevice(w), "");
  w.nextId = 1u << 31;  // keys of a device's sorts have 31 bits
  EXPECT_NE(notOnDevice(w).find("plug"), std::string::npos);
}

}  // namespace
}  // namespace meniscus

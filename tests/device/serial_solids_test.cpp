// Fluid among solids on the serial device against the CPU.
#include "tests/shared/device_solids.h"

#include <string>

namespace meniscus {
namespace {

using namespace testing;

TEST(DeviceSolids, WaterFlowsOverPrimitivesAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, overPrimitives); }
TEST(DeviceSolids, WaterFlowsOverMeshesAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, overMeshes); }
TEST(DeviceSolids, WaterMeetsSheetsAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, atSheets); }
TEST(DeviceSolids, MovedBodiesPushWaterAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, movedBodies); }
TEST(DeviceSolids, ViscousWaterSticksToAContainerAsOnTheCpu) { expectStepsOfCpu(serialFluidCalls(), kSerial, inContainer); }

// The continuous test has work to do: without it the water would be behind the sheets.
TEST(DeviceSolids, PathsAreCutAtSheetsAsOnTheCpu) {
  expectStepsOfCpu(serialFluidCalls(), kSerial, throughSheets);
  Exec exec;
  World w = dam(exec, throughSheets);
  DeviceSolver solver(serialFluidCalls(), {}, w);
  Index cut = 0;
  for (int k = 0; k < 5; ++k) {
    solver.step(w, w.scene.solver.dt);
    cut += w.report.contacts;
  }
  EXPECT_GT(cut, 10);
  EXPECT_EQ(w.report.leaked, 0);
}

TEST(DeviceSolids, OrderOfThreadsDoesNotMatter) {
  Exec exec;
  const World start = dam(exec, atSheets);
  std::vector<World> ends;
  for (const ThreadOrder order : {ThreadOrder::forward, ThreadOrder::backward, ThreadOrder::shuffled}) {
    World w = start;
    DeviceOptions options;
    options.order = order;
    DeviceSolver solver(serialFluidCalls(), options, w);
    for (int k = 0; k < 4; ++k) solver.step(w, w.scene.solver.dt);
    ends.push_back(w);
  }
  for (std::size_t k = 1; k < ends.size(); ++k) EXPECT_TRUE(sameBits(ends[0], ends[k])) << "order " << k;
}

// Buffers without slack, each before a page that nothing may touch.
TEST(DeviceSolids, KernelsStayInTheirBuffers) {
  Exec exec;
  World guarded = dam(exec, overMeshes), plain = guarded;
  DeviceOptions options;
  options.guarded = true;
  DeviceSolver a(serialFluidCalls(), options, guarded), b(serialFluidCalls(), {}, plain);
  for (int k = 0; k < 3; ++k) {
    a.step(guarded, guarded.scene.solver.dt);
    b.step(plain, plain.scene.solver.dt);
  }
  EXPECT_TRUE(sameBits(guarded, plain));
}

TEST(DeviceSolids, WarmStepsAllocateNothing) {
  Exec exec;
  World w = dam(exec, overMeshes);
  DeviceSolver solver(serialFluidCalls(), {}, w);
  for (int k = 0; k < 3; ++k) solver.step(w, w.scene.solver.dt);
  const DeviceCounters warm = solver.counters();
  for (int k = 0; k < 5; ++k) solver.step(w, w.scene.solver.dt);
  EXPECT_EQ(solver.counters().allocations, warm.allocations);
}

// What a program changes of the solids between steps counts.
TEST(DeviceSolids, NewFrictionCounts) {
  Exec exec;
  World cpu = dam(exec, overMeshes), device = cpu;
  ParticleSolver onCpu(exec, cpu);
  DeviceSolver onDevice(serialFluidCalls(), {}, device);
  onDevice.step(device, device.scene.solver.dt);
  onCpu.step(cpu, cpu.scene.solver.dt);
  const auto change = [](World& w) {
    w.scene.domain.friction = 0.5;
    for (Body& b : w.solid.bodies) b.material.friction = 0.5;
  };
  change(cpu);
  change(device);
  ParticleSolver again(exec, cpu);
  for (int k = 0; k < 6; ++k) {
    onDevice.step(device, device.scene.solver.dt);
    again.step(cpu, cpu.scene.solver.dt);
  }
  EXPECT_LE(farthest(cpu, device), kSerial.positions);
}

TEST(DeviceSolids, WhatCanMoveIsNamed) {
  World w;
  w.scene.fluids.resize(1);
  w.scene.solids.resize(1);
  w.scene.solids[0].name = "rock";
  EXPECT_EQ(notOnDevice(w), "");
  w.scene.solids[0].kind = SolidKind::cloth;
  w.scene.solids[0].name = "sail";
  EXPECT_NE(notOnDevice(w).find("sail"), std::string::npos);
}

}  // namespace
}  // namespace meniscus

// Scenes in which particles come and go for the step on a device, and their comparison with the CPU.
#pragma once

#include <string>

#include "tests/shared/device_nodes.h"

namespace meniscus::testing {

inline EmitterDef& addJet(SceneDef& s, OpeningKind kind, const Vec3d& at, double speed) {
  EmitterDef e;
  e.name = "tap" + std::to_string(s.emitters.size());
  e.fluid = s.fluids[0].name;
  e.kind = kind;
  e.radius = 0.04;
  e.size = {0.08, 0.05, 0};
  e.speed = speed;
  e.transform.translate = at;
  e.transform.rotate = Quatd::axisAngle({0, 1, 0}, 2.6);  // downwards, aslant
  s.emitters.push_back(e);
  return s.emitters.back();
}

inline DrainDef& addPlug(SceneDef& s, const Vec3d& at, double rate) {
  DrainDef d;
  d.name = "plug" + std::to_string(s.drains.size());
  d.radius = 0.04;
  d.depth = 0.01;
  d.rate = rate;
  d.transform.translate = at;
  s.drains.push_back(d);
  return s.drains.back();
}

// Two jets, one of them for a while, above the column; two drains below it, one of them throttled.
inline void comeAndGo(SceneDef& s) {
  s.duration = 1;
  addJet(s, OpeningKind::disc, {0.45, 0.1, 0.3}, 2.5);
  EmitterDef& pulse = addJet(s, OpeningKind::rectangle, {0.3, 0.1, 0.35}, 1.5);
  pulse.schedule = {{0.004, 0.011}, {0.02, 1}};
  addPlug(s, {0.06, 0.06, 0.005}, 0);
  addPlug(s, {0.08, 0.14, 0.01}, 3e-3);
}

// Both, step by step: the same particles come and go.
inline void expectFlowOfCpu(const DeviceFluidCalls& calls, const World& start, int steps, double within) {
  Exec exec;
  World cpu = start, device = start;
  ParticleSolver onCpu(exec, cpu);
  DeviceSolver onDevice(calls, {}, device);
  for (int k = 0; k < steps; ++k) {
    onCpu.step(cpu, cpu.scene.solver.dt);
    onDevice.step(device, device.scene.solver.dt);
    const StepReport &c = cpu.report, &d = device.report;
    ASSERT_EQ(d.emitted, c.emitted) << k;
    ASSERT_EQ(d.drained, c.drained) << k;
    ASSERT_EQ(d.blocked, c.blocked) << k;
    ASSERT_EQ(d.escaped, c.escaped) << k;
    ASSERT_EQ(d.overflow, c.overflow) << k;
    ASSERT_EQ(device.fluid.n, cpu.fluid.n) << k;
  }
  EXPECT_EQ(device.emittedTotal, cpu.emittedTotal);
  EXPECT_EQ(device.drainedTotal, cpu.drainedTotal);
  EXPECT_EQ(device.nextId, cpu.nextId);
  for (std::size_t k = 0; k < cpu.emitters.size(); ++k) {
    EXPECT_EQ(device.emitters[k].volume, cpu.emitters[k].volume);
    EXPECT_NEAR(device.emitters[k].carry, cpu.emitters[k].carry, 1e-12);
  }
  for (std::size_t k = 0; k < cpu.drains.size(); ++k) EXPECT_EQ(device.drains[k].removed, cpu.drains[k].removed);
  for (std::size_t k = 0; k < cpu.solid.rigid.size(); ++k)
    EXPECT_LE(norm(device.solid.rigid[k].x - cpu.solid.rigid[k].x), within * cpu.dx) << cpu.solid.rigid[k].name;
  EXPECT_LE(farthestNode(cpu, device), within);
  const double off = farthest(cpu, device);
  std::printf("%d particles, %llu emitted, %llu drained, %llu escaped, apart by %.2e spacings\n", cpu.fluid.n,
              (unsigned long long)cpu.emittedTotal, (unsigned long long)cpu.drainedTotal, (unsigned long long)cpu.escapedTotal,
              off);
  EXPECT_LE(off, within);
}

}  // namespace meniscus::testing

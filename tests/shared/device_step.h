// The fluid's step on a device against the CPU's, for the serial device and for a graphics card alike: worlds to start from, and
// what has to agree.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "engine/particle/device_solver.h"
#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus::testing {

// How near the two have to be after ten steps.
struct Agreement {
  double positions;  // spacings
  double report;     // relative, of the step's report
};
// The serial device does what the CPU does but for the order of the sums over all particles, which are in double.
constexpr Agreement kSerial{1e-6, 1e-5};
// Sums of the shear on bodies are in another order as well, and the solve ends at its tolerance.
constexpr Agreement kSerialViscous{1e-5, 1e-4};
// A card fuses no products, the CPU some: single bits differ, and a free fluid of particles makes that grow. Measured on the serial
// device, built without fused products: 2e-6 spacings in calm water, 2e-5 where it sticks, 3e-4 after an impact; with positions
// moved by one unit in the last place 2e-5, 2e-4 and 7e-2.
constexpr Agreement kCard{5e-3, 5e-2}, kCardImpact{0.5, 0.3};

// A column of water in the corner of a tank, from a packing with jitter; `change` sees the scene before it is built.
template <class Change>
World dam(Exec& exec, const Change& change) {
  SceneDef scene = emptyTank("dam", {0, 0, 0}, {0.6, 0.2, 0.4}, 0.002);
  addBoxOfWater(scene, 0.02, {0.24, 0.2, 0.28}, {0.12, 0.1, 0.14}).jitter = 0.1;
  change(scene);
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver(exec, w).settle(w);
  return w;
}
inline World dam(Exec& exec) {
  return dam(exec, [](SceneDef&) {});
}

inline std::vector<std::size_t> byId(const FluidState& f) {
  std::vector<std::size_t> order;
  for (Index i = 0; i < f.n; ++i) order.push_back(std::size_t(i));
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return f.id[a] < f.id[b]; });
  return order;
}

// Greatest distance of a particle from itself in the other world [spacings].
inline double farthest(const World& a, const World& b) {
  const auto ia = byId(a.fluid), ib = byId(b.fluid);
  EXPECT_EQ(ia.size(), ib.size());
  double most = 0;
  for (std::size_t k = 0; k < std::min(ia.size(), ib.size()); ++k) {
    EXPECT_EQ(a.fluid.id[ia[k]], b.fluid.id[ib[k]]);
    const double d = double(norm((a.fluid.x[ia[k]] - b.fluid.x[ib[k]]).xyz()));
    if (!(d <= most)) most = d;
  }
  return most / a.dx;
}

inline bool sameBits(const World& a, const World& b) {
  const FluidState &f = a.fluid, &g = b.fluid;
  const auto same = [&](const auto& p, const auto& q) {
    return std::memcmp(p.data(), q.data(), std::size_t(f.n) * sizeof p[0]) == 0;
  };
  return f.n == g.n && same(f.x, g.x) && same(f.u, g.u) && same(f.p, g.p) && same(f.id, g.id) && same(f.e, g.e);
}

// Ten steps of both, in which the column falls, spreads and (for walls near enough) arrives.
template <class Change>
void expectStepsOfCpu(const DeviceFluidCalls& calls, const Agreement& within, const Change& change) {
  Exec exec;
  World cpu = dam(exec, change), device = cpu;
  device.solid.work = {};  // as where no solver of the CPU's has seen the world
  ParticleSolver onCpu(exec, cpu);
  DeviceSolver onDevice(calls, {}, device);
  for (int k = 0; k < 10; ++k) {
    onCpu.step(cpu, cpu.scene.solver.dt);
    onDevice.step(device, device.scene.solver.dt);
  }
  const StepReport &c = cpu.report, &d = device.report;
  const double off = farthest(cpu, device);
  std::printf("%d particles, apart by %.2e spacings; density error %.3e and %.3e, iterations %d and %d\n", cpu.fluid.n, off,
              c.densityErrorMean, d.densityErrorMean, c.pressureIterations, d.pressureIterations);
  EXPECT_LE(off, within.positions);
  const auto near = [&](double a, double b) { EXPECT_NEAR(a, b, within.report * std::fabs(b)); };
  near(d.densityErrorMean, c.densityErrorMean);
  near(d.densityErrorMax, c.densityErrorMax);
  near(d.divergenceError, c.divergenceError);
  near(d.volumeChange, c.volumeChange);
  near(d.maxSpeed, c.maxSpeed);
  EXPECT_EQ(d.substeps, c.substeps);
  EXPECT_NEAR(d.pressureIterations, c.pressureIterations, 1 + c.substeps);
  EXPECT_EQ(d.leaked, c.leaked);
  EXPECT_EQ(d.contacts, c.contacts);
  EXPECT_EQ(d.converged, c.converged) << d.reason << c.reason;
  EXPECT_EQ(device.escapedTotal, cpu.escapedTotal);
  EXPECT_NEAR(device.time, cpu.time, 1e-15);
  for (std::size_t i = 0; i < cpu.solid.rigid.size(); ++i) {
    const RigidBody &a = device.solid.rigid[i], &b = cpu.solid.rigid[i];
    EXPECT_LE(norm(a.x - b.x), within.positions * cpu.dx) << b.name;
    EXPECT_LE(norm(a.fluidForce - b.fluidForce), 1e-9 + 10 * within.report * norm(b.fluidForce)) << b.name;
  }
  near(device.impulseExchanged, cpu.impulseExchanged);
  EXPECT_LE(norm(device.impulseOnFluidFromStatic - cpu.impulseOnFluidFromStatic), within.report * cpu.impulseExchanged);
}

}  // namespace meniscus::testing

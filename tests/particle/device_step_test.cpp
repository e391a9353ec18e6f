// The fluid's step on the serial device against the CPU's: the same launches as on a graphics card.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "engine/base/error.h"
#include "engine/particle/device_solver.h"
#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

// A column of water in the corner of a tank, from a packing with jitter; `change` sees the scene before it is built.
template <class Change>
World dam(Exec& exec, const Change& change) {
  SceneDef scene = testing::emptyTank("dam", {0, 0, 0}, {0.6, 0.2, 0.4}, 0.002);
  testing::addBoxOfWater(scene, 0.02, {0.24, 0.2, 0.28}, {0.12, 0.1, 0.14}).jitter = 0.1;
  change(scene);
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver(exec, w).settle(w);
  return w;
}
World dam(Exec& exec) {
  return dam(exec, [](SceneDef&) {});
}

std::vector<std::uint32_t> byId(const FluidState& f) {
  std::vector<std::uint32_t> order;
  for (Index i = 0; i < f.n; ++i) order.push_back(std::uint32_t(i));
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return f.id[a] < f.id[b]; });
  return order;
}

// Greatest distance of a particle from itself in the other world [spacings].
double farthest(const World& a, const World& b) {
  const auto ia = byId(a.fluid), ib = byId(b.fluid);
  EXPECT_EQ(ia.size(), ib.size());
  double most = 0;
  for (std::size_t k = 0; k < std::min(ia.size(), ib.size()); ++k) {
    EXPECT_EQ(a.fluid.id[ia[k]], b.fluid.id[ib[k]]);
    most = std::max(most, double(norm((a.fluid.x[ia[k]] - b.fluid.x[ib[k]]).xyz())));
  }
  return most / a.dx;
}

bool sameBits(const World& a, const World& b) {
  const FluidState &f = a.fluid, &g = b.fluid;
  const auto same = [&](const auto& p, const auto& q) {
    return std::memcmp(p.data(), q.data(), std::size_t(f.n) * sizeof p[0]) == 0;
  };
  return f.n == g.n && same(f.x, g.x) && same(f.u, g.u) && same(f.p, g.p) && same(f.id, g.id) && same(f.e, g.e);
}

void stepBoth(World& cpu, World& device, Exec& exec, int steps) {
  ParticleSolver onCpu(exec, cpu);
  DeviceSolver onDevice(serialFluidCalls(), {}, device);
  for (int k = 0; k < steps; ++k) {
    onCpu.step(cpu, cpu.scene.solver.dt);
    onDevice.step(device, device.scene.solver.dt);
  }
}

// Sums in another order change the iterates of a solve by round-off, which a free fluid of particles makes grow: named limits.
constexpr double kPositions = 1e-3;  // spacings, after ten steps

TEST(DeviceStep, PositionsAreThoseOfTheCpu) {
  Exec exec;
  World cpu = dam(exec), device = cpu;
  stepBoth(cpu, device, exec, 10);
  const StepReport &c = cpu.report, &d = device.report;
  const double off = farthest(cpu, device);
  std::printf("%d particles, apart by %.2e spacings; density error %.3e and %.3e, iterations %d and %d\n", cpu.fluid.n, off,
              c.densityErrorMean, d.densityErrorMean, c.pressureIterations, d.pressureIterations);
  EXPECT_LE(off, kPositions);
  EXPECT_NEAR(d.densityErrorMean, c.densityErrorMean, 1e-3 * c.densityErrorMean);
  EXPECT_NEAR(d.densityErrorMax, c.densityErrorMax, 1e-2 * c.densityErrorMax);
  EXPECT_NEAR(d.divergenceError, c.divergenceError, 1e-2 * c.divergenceError);
  EXPECT_NEAR(d.volumeChange, c.volumeChange, 1e-2 * std::fabs(c.volumeChange));
  EXPECT_EQ(d.substeps, c.substeps);
  EXPECT_NEAR(d.pressureIterations, c.pressureIterations, 1);
  EXPECT_EQ(d.leaked, 0);
  EXPECT_TRUE(d.converged);
  EXPECT_NEAR(device.time, cpu.time, 1e-15);
  const double exchanged = cpu.impulseExchanged;
  EXPECT_LE(norm(device.impulseOnFluidFromStatic - cpu.impulseOnFluidFromStatic), 1e-3 * exchanged);
  EXPECT_NEAR(device.impulseExchanged, exchanged, 1e-3 * exchanged);
}

TEST(DeviceStep, OrderOfThreadsDoesNotMatter) {
  Exec exec;
  const World start = dam(exec);
  std::vector<World> ends;
  for (const ThreadOrder order : {ThreadOrder::forward, ThreadOrder::forward, ThreadOrder::backward, ThreadOrder::shuffled}) {
    World w = start;
    DeviceOptions options;
    options.order = order;
    DeviceSolver solver(serialFluidCalls(), options, w);
    for (int k = 0; k < 3; ++k) solver.step(w, w.scene.solver.dt);
    ends.push_back(w);
  }
  for (std::size_t k = 1; k < ends.size(); ++k) EXPECT_TRUE(sameBits(ends[0], ends[k])) << "order " << k;
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
  EXPECT_EQ(farthest(before, w), 0);
}

}  // namespace
}  // namespace meniscus

// Solids that deform on the serial device against the CPU.
#include <string>

#include <utility>

#include "engine/base/error.h"
#include "tests/shared/device_nodes.h"

namespace meniscus {
namespace {

using namespace testing;

TEST(DeviceNodes, SolidsAloneMoveAsOnTheCpu) {
  Exec exec;
  const World start = settled(exec, solidsAlone());
  expectNodesOfCpu(serialFluidCalls(), kSerialCloth, start, 10);
}

TEST(DeviceNodes, BalloonHitsTheGroundAsOnTheCpu) {
  Exec exec;
  const World start = settled(exec, thrownBalloon());
  expectNodesOfCpu(serialFluidCalls(), kSerialBalloon, start, 12);
}

TEST(DeviceNodes, ClothCatchesWaterAsOnTheCpu) {
  Exec exec;
  expectNodesOfCpu(serialFluidCalls(), kSerialCloth, dam(exec, thrownAtCloth), 10);
}

TEST(DeviceNodes, OrderOfThreadsDoesNotMatter) {
  Exec exec;
  const World start = settled(exec, thrownBalloon());
  std::vector<World> ends;
  for (const ThreadOrder order : {ThreadOrder::forward, ThreadOrder::backward, ThreadOrder::shuffled}) {
    World w = start;
    DeviceOptions options;
    options.order = order;
    DeviceSolver solver(serialFluidCalls(), options, w);
    for (int k = 0; k < 4; ++k) solver.step(w, w.scene.solver.dt);
    ends.push_back(w);
  }
  for (std::size_t k = 1; k < ends.size(); ++k) {
    EXPECT_TRUE(sameBits(ends[0], ends[k])) << "order " << k;
    EXPECT_EQ(farthestNode(ends[0], ends[k]), 0) << "order " << k;
  }
}

// Buffers without slack, each before a page that nothing may touch.
TEST(DeviceNodes, KernelsStayInTheirBuffers) {
  Exec exec;
  World guarded = settled(exec, thrownBalloon()), plain = guarded;
  DeviceOptions options;
  options.guarded = true;
  DeviceSolver a(serialFluidCalls(), options, guarded), b(serialFluidCalls(), {}, plain);
  for (int k = 0; k < 1; ++k) {
    a.step(guarded, guarded.scene.solver.dt);
    b.step(plain, plain.scene.solver.dt);
  }
  EXPECT_TRUE(sameBits(guarded, plain));
  EXPECT_EQ(farthestNode(guarded, plain), 0);
}

// Between an upload and a download of the particles, fluid alone copies some numbers to the host and nothing to the device; beside
// solids that deform, only what belongs to nodes, their constraints and particles that touch them.
TEST(DeviceNodes, ParticlesStayOnTheDevice) {
  Exec exec;
  World water = dam(exec), balloon = settled(exec, thrownBalloon());
  const auto copied = [](World& w) {
    DeviceSolver solver(serialFluidCalls(), {}, w);
    DeviceStepReport report;
    solver.upload(w);
    solver.advance(w, w.scene.solver.dt, report);
    const DeviceCounters before = solver.counters();
    solver.advance(w, w.scene.solver.dt, report);
    const DeviceCounters after = solver.counters();
    const std::uint64_t down = after.toHost - before.toHost, up = after.toDevice - before.toDevice;
    std::printf("%d particles: %llu bytes to the device and %llu to the host in %d sub-steps, %llu launches\n", w.fluid.n,
                (unsigned long long)up, (unsigned long long)down, report.substeps,
                (unsigned long long)(after.launches - before.launches));
    return std::pair{up / std::uint64_t(report.substeps), down / std::uint64_t(report.substeps)};
  };
  const auto alone = copied(water);
  EXPECT_EQ(alone.first, 0u);
  EXPECT_LE(alone.second, 4096u);
  const auto beside = copied(balloon);
  EXPECT_GT(beside.second, 0u);
  // a copy of nodes, edges and rows for each of at most ten solves and as many projections
  const std::size_t nodes = balloon.solid.x.size(), constraints = balloon.solid.constraints.items.size();
  EXPECT_LE(beside.first, 10 * (nodes * 400 + constraints * 400));
}

// A solver may be given another copy of its world.
TEST(DeviceNodes, AnotherWorldGoesOnFromWhereItIs) {
  Exec exec;
  World a = settled(exec, thrownBalloon());
  DeviceSolver solver(serialFluidCalls(), {}, a);
  solver.step(a, a.scene.solver.dt);
  World b = a;
  solver.step(a, a.scene.solver.dt);
  solver.step(b, b.scene.solver.dt);
  EXPECT_TRUE(sameBits(a, b));
  EXPECT_EQ(farthestNode(a, b), 0);
}

TEST(DeviceNodes, WhatAViscousFluidDeformsIsNamed) {
  Exec exec;
  SceneDef scene = thrownBalloon();
  EXPECT_EQ(notOnDevice(buildWorld(scene, exec, nullptr)), "");
  scene.fluids[0].viscosity = 1e-3;
  World w = buildWorld(scene, exec, nullptr);
  EXPECT_NE(notOnDevice(w).find("balloon"), std::string::npos);
  EXPECT_THROW(DeviceSolver(serialFluidCalls(), {}, w), Error);
}

}  // namespace
}  // namespace meniscus

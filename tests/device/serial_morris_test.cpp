// Steps in pressure mode "kernel-diagonal" on the serial device against the CPU, and the matrix that libraries get.
#include <cstring>

#include "engine/particle/device/device_morris.h"
#include "engine/particle/device_def.h"
#include "engine/world/snapshot.h"
#include "tests/shared/device_morris.h"
#include "tests/shared/device_orders.h"
#include "tests/shared/steps_on_device.h"

namespace meniscus {
namespace {

using namespace testing;

class DeviceMorrisStep : public ::testing::TestWithParam<MorrisScene> {};

TEST_P(DeviceMorrisStep, AsOnTheCpu) {
  expectStepsOfCpu(serialFluidCalls(), GetParam().serial, [](SceneDef& s) {
    inMorrisMode(s);
    GetParam().change(s);
  });
}
INSTANTIATE_TEST_SUITE_P(Scenes, DeviceMorrisStep, ::testing::ValuesIn(morrisScenes()), nameOfMorris);

TEST(DeviceMorrisNodes, BalloonHitsTheGroundAsOnTheCpu) {
  Exec exec;
  expectNodesOfCpu(serialFluidCalls(), kSerialCloth, settled(exec, morrisBalloon()), 12, false);
}

TEST(DeviceMorrisNodes, ClothCatchesWaterAsOnTheCpu) {
  Exec exec;
  expectNodesOfCpu(serialFluidCalls(), kSerialCloth,
                   dam(exec,
                       [](SceneDef& s) {
                         thrownAtCloth(s);
                         inMorrisMode(s);
                       }),
                   10, false);
}

// Columns ascend, each is there once, the diagonal among them, and the matrix is symmetric, as the formula is.
TEST(DeviceMorrisMatrix, HasTheRowsThatLibrariesAskFor) {
  Exec exec;
  World w = dam(exec, [](SceneDef& s) {
    inMorrisMode(s);
    atSheets(s);
  });
  ParticleSolver onCpu(exec, w);
  for (int k = 0; k < 6; ++k) onCpu.step(w, w.scene.solver.dt);
  const DeviceDef def(w, nullptr);
  const DeviceFluidDef view = def.view();
  Device device;
  DeviceLists lists(device, view);
  DeviceMorris morris(device, view);
  DeviceParticleState state(device);
  const std::size_t n = std::size_t(w.fluid.n);
  state.resize(n);
  state.n = w.fluid.n;
  state.x.now.upload(w.fluid.x.data(), n);
  state.u.now.upload(w.fluid.u.data(), n);
  state.p.now.upload(w.fluid.p.data(), n);
  state.id.now.upload(w.fluid.id.data(), n);
  state.kind.now.upload(w.fluid.kind.data(), n);
  state.leaked.now.upload(w.fluid.leaked.data(), n);
  lists.sort(state, 0, nullptr);
  lists.build(state);
  DeviceBuffer<float> invRho(device, "inverse densities"), diag(device, "diagonal"), x(device, "vector");
  std::vector<float> one(n, 1e-3f);
  invRho.upload(one.data(), n);
  x.resize(n);
  diag.resize(n);
  morris.assemble(lists, w.fluid.n, invRho.data(), x.data(), diag.data());
  const SparseRowsView A = morris.matrix();
  ASSERT_EQ(std::size_t(A.rows), n);
  std::vector<Index> begin(n + 1), column(std::size_t(A.entries));
  std::vector<float> value(column.size()), diagonal(n);
  device.toHost(begin.data(), A.begin, begin.size() * sizeof(Index), "rows");
  device.toHost(column.data(), A.column, column.size() * sizeof(Index), "columns");
  device.toHost(value.data(), A.value, value.size() * sizeof(float), "values");
  diag.download(diagonal.data());
  ASSERT_EQ(begin[0], 0);
  ASSERT_EQ(begin[n], A.entries);
  const auto entry = [&](Index i, Index j) -> float {
    const auto first = column.begin() + begin[std::size_t(i)], last = column.begin() + begin[std::size_t(i) + 1];
    const auto at = std::lower_bound(first, last, j);
    return at != last && *at == j ? value[std::size_t(at - column.begin())] : 0.f;
  };
  for (Index i = 0; i < A.rows; ++i) {
    ASSERT_EQ(entry(i, i), diagonal[std::size_t(i)]) << i;
    double sum = 0;
    for (Index e = begin[std::size_t(i)]; e < begin[std::size_t(i) + 1]; ++e) {
      const Index j = column[std::size_t(e)];
      ASSERT_LT(e > begin[std::size_t(i)] ? column[std::size_t(e) - 1] : -1, j) << i;
      ASSERT_LT(j, A.rows);
      ASSERT_EQ(value[std::size_t(e)], entry(j, i)) << i << ' ' << j;
      sum += double(value[std::size_t(e)]);
    }
    // a constant pressure is felt only where part of the kernel is missing, and by the floor
    ASSERT_GE(sum, 0.5e-9 * diagonal[std::size_t(i)] - 1e-5 * diagonal[std::size_t(i)]) << i;
  }
}

// Ten steps on a device, ten on the CPU, by a snapshot between them, and the other way round; and a device goes on from its own
// snapshot as if nothing had been.
TEST(DeviceMorrisRuns, GoOnFromSnapshotsOnEitherSide) {
  Exec exec;
  const World start = dam(exec, [](SceneDef& s) {
    inMorrisMode(s);
    freeBodies(s);
  });
  const auto steps = [&](World& w, bool device, int count) {
    if (device) {
      DeviceSolver solver(serialFluidCalls(), {}, w);
      for (int k = 0; k < count; ++k) solver.step(w, w.scene.solver.dt);
    } else {
      ParticleSolver solver(exec, w);
      for (int k = 0; k < count; ++k) solver.step(w, w.scene.solver.dt);
    }
  };
  World whole[2] = {start, start};
  for (const bool device : {false, true}) steps(whole[device], device, 8);
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      World a = start, b = start;
      steps(a, first, 4);
      unpackSnapshot(b, packSnapshot(a), "the first four steps");
      steps(b, second, 4);
      EXPECT_TRUE(first != second || sameBits(b, whole[first])) << first;
      EXPECT_LE(farthest(b, whole[0]), kSerialMorris.positions) << first << second;
      EXPECT_EQ(b.steps, start.steps + 8);
    }
}

TEST(DeviceMorrisRuns, OrderOfThreadsDoesNotMatter) {
  Exec exec;
  expectSameInEveryOrder(settled(exec, morrisBalloon()), 2);
  expectSameInEveryOrder(dam(exec, inMorrisMode), 3);
}

TEST(DeviceMorrisRuns, KernelsStayInTheirBuffers) {
  Exec exec;
  expectKernelsStayInTheirBuffers(settled(exec, morrisBalloon()), 2);
  expectKernelsStayInTheirBuffers(dam(exec, inMorrisMode), 4);
}

TEST(DeviceMorrisRuns, WarmStepsAllocateNothingAndAreRecorded) {
  Exec exec;
  World w = dam(exec, inMorrisMode);
  DeviceSolver solver(serialFluidCalls(), {}, w);
  EXPECT_EQ(solver.note(), "");
  for (int k = 0; k < 3; ++k) solver.step(w, w.scene.solver.dt);
  const DeviceCounters warm = solver.counters();
  for (int k = 0; k < 5; ++k) solver.step(w, w.scene.solver.dt);
  const DeviceCounters end = solver.counters();
  EXPECT_EQ(end.allocations, warm.allocations);
  EXPECT_EQ(end.bytes, warm.bytes);
  std::printf("%.0f launches, %.0f in recordings and %.0f waits a step\n", double(end.launches - warm.launches) / 5,
              double(end.replayed - warm.replayed) / 5, double(end.waits - warm.waits) / 5);
  // eight arrays come back; a sub-step begins, has two counts of its lists and an outcome, and a solve looks a few times
  EXPECT_LE(end.waits - warm.waits, 5 * 14u);
}

TEST(DeviceMorrisRuns, AwkwardNumbersOfParticles) {
  Exec exec;
  const World all = dam(exec, inMorrisMode);
  for (const Index n : {1, 2, 33, 255, 256, 257, 597}) {
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
    EXPECT_LE(farthest(cpu, device), kSerialMorris.positions) << n;
  }
}

// Whoever steps such a scene hears once that products are not the library's.
TEST(DeviceMorrisRuns, NoteIsSaidOnce) {
  DeviceFluidCalls calls = serialFluidCalls();
  calls.note = [](void*, char* text, int n) { std::snprintf(text, std::size_t(n), "products by hand"); };
  SceneDef def = damScene();
  inMorrisMode(def);
  StepsOnDevice s(&calls, true, {}, def);
  s.steps(3);
  const std::size_t at = s.log.find("products by hand");
  ASSERT_NE(at, std::string::npos) << s.log;
  EXPECT_EQ(s.log.find("products by hand", at + 1), std::string::npos) << s.log;
}

}  // namespace
}  // namespace meniscus

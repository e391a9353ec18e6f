// The fluid's step on a graphics card, by the plug-in, against the CPU's; skipped where there is none.
#include "engine/exec/cuda/probe.h"
#include "tests/shared/device_solids.h"

#define MNS_NEED_CARD(card)                  \
  static const CudaProbe card = probeCuda(); \
  if (!card.fluid) GTEST_SKIP() << "no CUDA device: " << card.reason

namespace meniscus {
namespace {

using namespace testing;

TEST(CardStep, ColumnFallsAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCard, [](SceneDef&) {});
}

// The column is thrown at the wall opposite and to the ceiling: contacts, friction, corners, sub-steps.
TEST(CardStep, ThrownWaterHitsWallsAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCardImpact, [](SceneDef& s) {
    s.domain.max = {0.3, 0.2, 0.4};
    s.domain.friction = 0.3;
    s.fluids[0].velocity = {3, 0.5, 4};
  });
}

TEST(CardStep, ViscousWaterSticksAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCard, [](SceneDef& s) {
    s.domain.noSlip = true;
    s.fluids[0].viscosity = 1e-2;
    s.fluids[0].velocity = {1, 0, 0};
  });
}

TEST(CardStep, ViscousWaterSlipsAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCard, [](SceneDef& s) { s.fluids[0].viscosity = 1e-3; });
}

TEST(CardStep, TwoFluidsMoveAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCard, [](SceneDef& s) {
    addBoxOfWater(s, 0.02, {0.12, 0.2, 0.28}, {0.3, 0.1, 0.14}).density = 800;
    s.fluids[1].name = "oil";
    s.fluids[1].viscosity = 1e-4;
  });
}

// Through two open sides, one of them at a corner of what the particles occupy.
TEST(CardStep, WaterLeavesThroughOpenSidesAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCard, [](SceneDef& s) {
    s.domain.walls[0] = s.domain.walls[4] = false;
    s.fluids[0].velocity = {-2, 0, 0};
  });
}

TEST(CardStep, WiderSupportAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCard, [](SceneDef& s) { s.solver.support = 2.4; });
}

TEST(CardStep, WaterFlowsOverPrimitivesAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCardImpact, overPrimitives);
}
TEST(CardStep, WaterFlowsOverMeshesAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCardImpact, overMeshes);
}
TEST(CardStep, WaterMeetsSheetsAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCardImpact, atSheets);
}
TEST(CardStep, MovedBodiesPushWaterAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCardImpact, movedBodies);
}
TEST(CardStep, FreeBodiesMoveAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCardImpact, freeBodies);
}
TEST(CardStep, ViscousWaterSticksToAContainerAsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, kCard, inContainer);
}

TEST(CardStep, TwoRunsHaveTheSameBits) {
  MNS_NEED_CARD(card);
  Exec exec;
  const World start = dam(exec);
  World ends[2] = {start, start};
  for (World& w : ends) {
    DeviceSolver solver(*card.fluid, {}, w);
    for (int k = 0; k < 20; ++k) solver.step(w, w.scene.solver.dt);
  }
  EXPECT_TRUE(sameBits(ends[0], ends[1]));
}

TEST(CardStep, WarmStepsAllocateNothingAndMemoryComesBack) {
  MNS_NEED_CARD(card);
  Exec exec;
  World w = dam(exec);
  DeviceCounters first;
  {
    DeviceSolver solver(*card.fluid, {}, w);
    for (int k = 0; k < 3; ++k) solver.step(w, w.scene.solver.dt);
    const DeviceCounters warm = solver.counters();
    for (int k = 0; k < 5; ++k) solver.step(w, w.scene.solver.dt);
    EXPECT_EQ(solver.counters().allocations, warm.allocations);
    first = solver.counters();
  }
  // what is in use when the next one has the same: nothing of the first is left
  DeviceSolver again(*card.fluid, {}, w);
  for (int k = 0; k < 8; ++k) again.step(w, w.scene.solver.dt);
  EXPECT_LE(again.counters().bytes, first.bytes + first.bytes / 8);
}

}  // namespace
}  // namespace meniscus

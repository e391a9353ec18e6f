// Steps in pressure mode "kernel-diagonal" on a graphics card, by the plug-in, against the CPU's; skipped where there is none.
#include "engine/exec/cuda/probe.h"
#include "tests/shared/device_morris.h"

#define MNS_NEED_CARD(card)                  \
  static const CudaProbe card = probeCuda(); \
  if (!card.fluid) GTEST_SKIP() << "no CUDA device: " << card.reason

namespace meniscus {
namespace {

using namespace testing;

class CardMorrisStep : public ::testing::TestWithParam<MorrisScene> {};

TEST_P(CardMorrisStep, AsOnTheCpu) {
  MNS_NEED_CARD(card);
  expectStepsOfCpu(*card.fluid, GetParam().card, [](SceneDef& s) {
    inMorrisMode(s);
    GetParam().change(s);
  });
}
INSTANTIATE_TEST_SUITE_P(Scenes, CardMorrisStep, ::testing::ValuesIn(morrisScenes()), nameOfMorris);

TEST(CardMorrisNodes, BalloonHitsTheGroundAsOnTheCpu) {
  MNS_NEED_CARD(card);
  Exec exec;
  expectNodesOfCpu(*card.fluid, kCardImpact, settled(exec, morrisBalloon()), 12, false);
}

// By cuSPARSE and by the plug-in's own kernel, each with the same bits in two runs.
TEST(CardMorrisRuns, HaveTheSameBitsAndNoAllocations) {
  MNS_NEED_CARD(card);
  Exec exec;
  const World start = dam(exec, inMorrisMode);
  World ends[2][2] = {{start, start}, {start, start}};
  for (const bool own : {false, true})
    for (World& w : ends[own]) {
      DeviceOptions options;
      options.ownProducts = own;
      DeviceSolver solver(*card.fluid, options, w);
      std::printf("%s\n", solver.note().c_str());
      for (int k = 0; k < 5; ++k) solver.step(w, w.scene.solver.dt);
      const DeviceCounters warm = solver.counters();
      for (int k = 0; k < 5; ++k) solver.step(w, w.scene.solver.dt);
      EXPECT_EQ(solver.counters().allocations, warm.allocations);
    }
  for (const bool own : {false, true}) EXPECT_TRUE(sameBits(ends[own][0], ends[own][1])) << own;
  EXPECT_LE(farthest(ends[0][0], ends[1][0]), kCard.positions);
}

}  // namespace
}  // namespace meniscus

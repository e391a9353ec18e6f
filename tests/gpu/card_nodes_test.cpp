// Solids that deform on a graphics card, by the plug-in, against the CPU's step; skipped where there is none.
#include "engine/exec/cuda/probe.h"
#include "tests/shared/device_nodes.h"

#define MNS_NEED_CARD(card)                  \
  static const CudaProbe card = probeCuda(); \
  if (!card.fluid) GTEST_SKIP() << "no CUDA device: " << card.reason

namespace meniscus {
namespace {

using namespace testing;

TEST(CardNodes, SolidsAloneMoveAsOnTheCpu) {
  MNS_NEED_CARD(card);
  Exec exec;
  expectNodesOfCpu(*card.fluid, kCard, settled(exec, solidsAlone()), 10);
}

TEST(CardNodes, BalloonHitsTheGroundAsOnTheCpu) {
  MNS_NEED_CARD(card);
  Exec exec;
  expectNodesOfCpu(*card.fluid, kCard, settled(exec, thrownBalloon()), 12);
}

TEST(CardNodes, ClothCatchesWaterAsOnTheCpu) {
  MNS_NEED_CARD(card);
  Exec exec;
  expectNodesOfCpu(*card.fluid, kCardImpact, dam(exec, thrownAtCloth), 10);
}

TEST(CardNodes, TwoRunsHaveTheSameBits) {
  MNS_NEED_CARD(card);
  Exec exec;
  const World start = settled(exec, thrownBalloon());
  World ends[2] = {start, start};
  for (World& w : ends) {
    DeviceSolver solver(*card.fluid, {}, w);
    for (int k = 0; k < 10; ++k) solver.step(w, w.scene.solver.dt);
  }
  EXPECT_TRUE(sameBits(ends[0], ends[1]));
  EXPECT_EQ(farthestNode(ends[0], ends[1]), 0);
}

}  // namespace
}  // namespace meniscus

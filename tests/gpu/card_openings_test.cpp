// Emitters, drains and open sides on a graphics card, by the plug-in, against the CPU; skipped where there is none.
#include "engine/exec/cuda/probe.h"
#include "tests/shared/device_openings.h"

namespace meniscus {
namespace {

using namespace testing;

#define MNS_NEED_CARD(card)                  \
  static const CudaProbe card = probeCuda(); \
  if (!card.fluid) GTEST_SKIP() << "no CUDA device: " << card.reason

TEST(CardOpenings, ParticlesComeAndGoAsOnTheCpu) {
  MNS_NEED_CARD(card);
  Exec exec;
  expectFlowOfCpu(*card.fluid, dam(exec, comeAndGo), 8, kCardImpact.positions);
}

TEST(CardOpenings, TwoRunsHaveTheSameBits) {
  MNS_NEED_CARD(card);
  Exec exec;
  const World start = dam(exec, comeAndGo);
  std::vector<World> ends;
  for (const bool recorded : {true, true, false}) {  // recorded launches or given one by one
    World w = start;
    DeviceOptions options;
    options.recorded = recorded;
    DeviceSolver solver(*card.fluid, options, w);
    for (int k = 0; k < 6; ++k) solver.step(w, w.scene.solver.dt);
    ends.push_back(w);
  }
  for (std::size_t k = 1; k < ends.size(); ++k) EXPECT_TRUE(sameBits(ends[0], ends[k])) << "run " << k;
}

}  // namespace
}  // namespace meniscus

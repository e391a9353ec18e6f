// Smoke beside what moves hardly at all, and then not.
#include "tests/offline/scenes.h"

namespace meniscus {
namespace {

// The velocities of a paddle that turns by round-off are as small; where it has come to rest the pressures of the step before are
// nothing to start from.
TEST(StoppedPaddle, LeavesSmokeFinite) {
  Exec exec(1);
  const std::string paddle = R"([{"name": "paddle", "kind": "kinematic", "shape": {"box": {"size": [0.3, 1, 0.08]}},
    "position": [0.5, 0, 0.5], "motion": [{"time": 0}, {"time": 0.5, "rotation": {"axis": [0, 1, 0], "degrees": 1e-14}}]}])";
  std::string text = testing::planeRoom(paddle);
  const std::size_t from = text.find(",\n              \"inflows\""), to = text.find("}],\n  \"solids\"");
  const auto run = testing::started(testing::offlineScene(text.erase(from, to - from)), exec);
  for (int k = 0; k < 30; ++k) {
    const offline::StepReport step = run->step(0.02);
    EXPECT_TRUE(step.coupling.converged()) << k << ": " << step.coupling.text();
  }
}

}  // namespace
}  // namespace meniscus

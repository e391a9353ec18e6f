// What turns by key frames beside a grid turns as far as the angles say.
#include <cmath>

#include "tests/offline/scenes.h"

namespace meniscus {
namespace {

TEST(GivenTurn, SolidsAndPinsTurnByTheirAngles) {
  Exec exec(1);
  const std::string solids = R"([
    {"name": "paddle", "kind": "kinematic", "shape": {"box": {"size": [0.2, 1, 0.05]}}, "position": [0.3, 0, 0.5],
     "motion": [{"time": 0}, {"time": 0.5, "rotation": {"axis": [0, 1, 0], "degrees": 450}}]},
    {"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.2, 1], "resolution": 0.05}}, "position": [0.7, 0, 0.5],
     "pins": [{"rim": true, "motion": [{"time": 0}, {"time": 0.5, "rotation": {"axis": [0, 1, 0], "degrees": -270}}]}],
     "material": {"areal_density": 1, "youngs_modulus": 3000, "thickness": 0.01, "damping": 0.01}}])";
  std::string text = testing::planeRoom(solids);
  const std::size_t from = text.find(",\n              \"inflows\""), to = text.find("}],\n  \"solids\"");
  const auto run = testing::started(testing::offlineScene(text.erase(from, to - from)), exec);
  const offline::SolidFields before = run->solidFields();
  for (int k = 1; k <= 25; ++k) {
    run->step(0.02);
    const offline::SolidFields now = run->solidFields();
    for (std::size_t i = 0; i < before.x.size(); ++i) {
      const bool paddle = before.body[i] == 0;
      const Vec3d x(before.x[i]), origin{paddle ? 0.3 : 0.7, 0, 0.5};
      if (!paddle && std::abs(x.x - 0.7) < 0.099) continue;  // not held
      const double degrees = (paddle ? 450. : -270.) * k / 25;
      const Quatd turn = Quatd::axisAngle({0, 1, 0}, degrees * M_PI / 180);
      EXPECT_LT(norm(Vec3d(now.x[i]) - origin - turn.rotate(x - origin)), 1e-5)
          << now.names[std::size_t(before.body[i])] << ' ' << k;
    }
  }
}

}  // namespace
}  // namespace meniscus

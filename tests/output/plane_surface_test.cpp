// Solids of a plane as they are drawn: bodies of their very size, lines as bars.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/output/plane_surface.h"

namespace meniscus {
namespace {

// A plate of 4 cm by 30 cm on the ground.
const std::vector<Vec3d> kPlate = {{0.5, 0.2, 0}, {0.54, 0.2, 0}, {0.54, 0.2, 0.3}, {0.5, 0.2, 0.3}};
const std::vector<std::int32_t> kRound = {0, 1, 1, 2, 2, 3, 3, 0};

Vec3d areaOf(const PlaneSurface& s, std::size_t t) {
  const auto at = [&](std::size_t k) { return s.x[std::size_t(s.tri[t + k])]; };
  return cross(at(1) - at(0), at(2) - at(0)) * 0.5;
}

TEST(PlaneSurface, BodiesHaveTheirSize) {
  const PlaneSurface s = planeSurface(kPlate, kRound, 0.06, true);
  for (const Vec3d& x : s.x) EXPECT_TRUE(x.x >= 0.5 && x.x <= 0.54 && x.z >= 0 && x.z <= 0.3 && std::abs(x.y - 0.2) < 0.0301);
  double front = 0, back = 0, sides = 0;
  for (std::size_t t = 0; t < s.tri.size(); t += 3) {
    const Vec3d a = areaOf(s, t), n = s.n[std::size_t(s.tri[t])];
    EXPECT_NEAR(dot(a, n), norm(a), 1e-12) << "it is wound as its normals point";
    (n.y < -0.5 ? front : n.y > 0.5 ? back : sides) += norm(a);
    const Vec3d middle = (s.x[std::size_t(s.tri[t])] + s.x[std::size_t(s.tri[t + 1])] + s.x[std::size_t(s.tri[t + 2])]) * (1. / 3);
    EXPECT_GT(dot(n, middle - Vec3d{0.52, 0.2, 0.15}), 0) << "outward";
  }
  EXPECT_NEAR(front, 0.04 * 0.3, 1e-12);
  EXPECT_NEAR(back, 0.04 * 0.3, 1e-12);
  EXPECT_NEAR(sides, 2 * (0.04 + 0.3) * 0.06, 1e-12);
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    if (s.of[k] < 0) continue;
    const Vec3d away = s.x[k] - kPlate[std::size_t(s.of[k])];
    EXPECT_EQ((Vec3d{away.x, 0, away.z}), Vec3d{});
  }
}

// A skin, or what is open, has no size in the plane: it is drawn as thick as is asked for.
TEST(PlaneSurface, LinesAreBars) {
  const std::vector<std::int32_t> open(kRound.begin(), kRound.end() - 2);
  for (const auto& [line, solid] : {std::pair(kRound, false), std::pair(open, true), std::pair(open, false)}) {
    double least = 1;
    for (const Vec3d& x : planeSurface(kPlate, line, 0.06, solid).x) least = std::min({least, x.x - 0.5, x.z});
    EXPECT_LT(least, -0.02) << "beyond the plate";
  }
}

}  // namespace
}  // namespace meniscus

// Nearest points of triangles and edges, and the parts that they lie on beside round-off.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/scene/surface_tree.h"
#include "engine/solid/implicit/closest_feature.h"

namespace meniscus {
namespace {

using implicit::nearestWeights;
using implicit::NearParts;
using implicit::nearParts;

constexpr Vec3d kTriangle[3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}};

TEST(ClosestFeature, NearestPointIsThatOfAnotherRoutine) {
  std::uint32_t state = 3;
  const auto number = [&state] { return double((state = state * 1664525u + 1013904223u) >> 8) / double(1 << 24) * 4 - 2; };
  for (int k = 0; k < 500; ++k) {
    const Vec3d v[3] = {{number(), number(), number()}, {number(), number(), number()}, {number(), number(), number()}};
    const Vec3d x{number(), number(), number()};
    const std::array<double, 3> w = nearestWeights(v, 3, x);
    EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-14);
    for (const double one : w) EXPECT_GE(one, 0);
    const Vec3d p = v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
    EXPECT_LT(norm(p - nearestOnTriangle(x, v[0], v[1], v[2])), 1e-12) << k;
  }
}

std::vector<int> partsOver(const Vec3d& x, double near) {
  const NearParts p = nearParts(kTriangle, 3, nearestWeights(kTriangle, 3, x), near);
  return {p.corners.begin(), p.corners.begin() + p.count};
}

// By bits: 1, 2 and 4 are the corners, 3, 6 and 5 the edges, 7 the face.
TEST(ClosestFeature, PartsFromTheSmallestOn) {
  EXPECT_EQ(partsOver({0.3, 0.3, 1}, 1e-6), std::vector<int>({7}));
  EXPECT_EQ(partsOver({0.5, -1, 1}, 1e-6), std::vector<int>({3}));
  EXPECT_EQ(partsOver({-1, -1, 1}, 1e-6), std::vector<int>({1}));
  EXPECT_EQ(partsOver({0.5, 1e-7, 1}, 1e-6), std::vector<int>({3, 7}));
  EXPECT_EQ(partsOver({0.5, 1e-5, 1}, 1e-6), std::vector<int>({7}));
  EXPECT_EQ(partsOver({2 - 1e-7, -1, 1}, 1e-6), std::vector<int>({2, 3}));
  EXPECT_EQ(partsOver({1e-8, 1e-7, 1}, 1e-6), std::vector<int>({1, 5, 7}));
}

TEST(ClosestFeature, PartsOfAnEdge) {
  const auto over = [](double t) {
    const NearParts p = nearParts(kTriangle, 2, nearestWeights(kTriangle, 2, {t, 1, 0}), 1e-6);
    return std::vector<int>(p.corners.begin(), p.corners.begin() + p.count);
  };
  EXPECT_EQ(over(1), std::vector<int>({3}));
  EXPECT_EQ(over(-1), std::vector<int>({1}));
  EXPECT_EQ(over(2 - 1e-7), std::vector<int>({2, 3}));
}

}  // namespace
}  // namespace meniscus

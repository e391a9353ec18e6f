// The closest point of a triangle against brute force, and segments against triangles.
#include "kernels/contact/triangle.h"

#include <gtest/gtest.h>

#include "kernels/contact/segment.h"
#include "tests/contact/contact_scene.h"

namespace meniscus {
namespace {

using test::Random;

// Distance by dense sampling of the triangle: an upper bound, too large by at most half the sample spacing.
double sampledDistance(const Vec3d& p, const Vec3d (&v)[3], int n) {
  double best = 1e300;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; i + j <= n; ++j)
      best = std::min(best, norm(p - (v[0] + (v[1] - v[0]) * (double(i) / n) + (v[2] - v[0]) * (double(j) / n))));
  return best;
}

TEST(ClosestPoint, MatchesSampledTriangleInEveryRegion) {
  Random random(1);
  int seen[7] = {};
  for (int trial = 0; trial < 400; ++trial) {
    const Vec3d v[3] = {random.vector(-1, 1), random.vector(-1, 1), random.vector(-1, 1)};
    const Vec3d p = random.vector(-2, 2);
    const PackedTriangle t = PackedTriangle::make(Vec3f(v[0]), Vec3f(v[1]), Vec3f(v[2]), 0.f);
    const TrianglePoint c = closestOnTriangle(t, Vec3f(p - v[0]));
    ++seen[int(c.region)];
    EXPECT_GE(c.b1, 0.f);
    EXPECT_GE(c.b2, 0.f);
    EXPECT_LE(c.b1 + c.b2, 1.f + 1e-6f);
    const double d = norm(p - (v[0] + (v[1] - v[0]) * double(c.b1) + (v[2] - v[0]) * double(c.b2)));
    const int n = 150;
    const double sampled = sampledDistance(p, v, n);
    EXPECT_LE(d, sampled + 1e-5);
    EXPECT_GE(d, sampled - 3.5 / n);  // longest edge 2 sqrt(3), halved twice
  }
  for (int r = 0; r < 7; ++r) EXPECT_GT(seen[r], 5) << "region " << r << " was not tried";
}

TEST(ClosestPoint, DegenerateTriangleIsFinite) {
  const PackedTriangle t = PackedTriangle::make({0, 0, 0}, {1, 0, 0}, {2, 0, 0}, 0.f);
  const TrianglePoint c = closestOnTriangle(t, {0.5f, 1.f, 0.f});
  const Vec3f q = t.e1.xyz() * c.b1 + t.e2.xyz() * c.b2;
  EXPECT_NEAR(norm(Vec3f{0.5f, 1.f, 0.f} - q), 1.f, 1e-6f);  // the point (0.5, 0, 0) of the collapsed triangle
  const PackedTriangle dot0 = PackedTriangle::make({1, 1, 1}, {1, 1, 1}, {1, 1, 1}, 0.f);
  const TrianglePoint c0 = closestOnTriangle(dot0, {3.f, 0.f, 0.f});
  EXPECT_EQ(c0.b1 + c0.b2, c0.b1 + c0.b2);
}

TEST(SegmentTriangle, BorderCountsAndMissesMiss) {
  const PackedTriangle t = PackedTriangle::make({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 0.f);
  const auto meets = [&](Vec3f p, Vec3f q) { return segmentMeetsTriangle(t, p, q); };
  EXPECT_TRUE(meets({0.2f, 0.2f, 1}, {0.2f, 0.2f, -1}));
  EXPECT_TRUE(meets({0.5f, 0.5f, 1}, {0.5f, 0.5f, -1}));  // through the longest edge
  EXPECT_TRUE(meets({0, 0, 1}, {0, 0, -1}));              // through a vertex
  EXPECT_FALSE(meets({0.51f, 0.51f, 1}, {0.51f, 0.51f, -1}));
  EXPECT_FALSE(meets({0.2f, 0.2f, 1}, {0.2f, 0.2f, 0.1f}));  // ends before
  EXPECT_FALSE(meets({0.2f, 0.2f, 1}, {0.3f, 0.2f, 1}));     // parallel
}

TEST(SegmentTriangle, NoGapAlongSharedEdges) {
  // a fan of triangles about a vertex: every segment across the fan's plane inside its outline meets at least one
  Random random(5);
  const int spokes = 7;
  std::vector<PackedTriangle> fan;
  for (int k = 0; k < spokes; ++k) {
    const float a = 6.2831853f * float(k) / spokes, b = 6.2831853f * float(k + 1) / spokes;
    fan.push_back(PackedTriangle::make({0, 0, 0}, {std::cos(a), std::sin(a), 0}, {std::cos(b), std::sin(b), 0}, 0.f));
  }
  for (int trial = 0; trial < 2000; ++trial) {
    const int k = trial % spokes;
    // points on the shared edges and on the vertex itself
    const float a = 6.2831853f * float(k) / spokes, r = trial % 10 == 0 ? 0.f : float(random.uniform(0, 0.99));
    const Vec3f c{r * std::cos(a), r * std::sin(a), 0}, dir = Vec3f(random.vector(-0.5, 0.5)) + Vec3f{0, 0, 1};
    bool met = false;
    for (const PackedTriangle& t : fan) met |= segmentMeetsTriangle(t, c + dir * 0.3f, c - dir * 0.7f);
    EXPECT_TRUE(met) << "spoke " << k << " radius " << r;
  }
}

}  // namespace
}  // namespace meniscus

// The filters in front of triangle queries: eight lanes against one, and against the exact tests they stand before.
#include "kernels/contact/triangle_lanes.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

#include "engine/particle/boundary_lanes.h"
#include "kernels/contact/segment.h"

namespace meniscus {
namespace {

// Triangles of about unit size in a cube of edge 3, some of them sharp, some separating.
struct Soup {
  std::vector<PackedTriangle> tri;
  std::vector<TriangleFilter> filter;
  std::mt19937 rng{11};

  Vec3f point() {
    std::uniform_real_distribution<float> u(-1.5f, 1.5f);
    const float x = u(rng), y = u(rng), z = u(rng);
    return {x, y, z};
  }
  explicit Soup(int n) {
    for (int i = 0; i < n; ++i) {
      const Vec3f a = point(), b = a + point() * 0.4f, c = a + point() * 0.4f, m = (a + b + c) * (1.f / 3.f);
      tri.push_back(PackedTriangle::make(a, b, c, 0.f));
      const float r = std::sqrt(std::max({norm2(a - m), norm2(b - m), norm2(c - m)})) * 1.00001f;
      const float slope = i % 5 == 0 ? kSharp : 0.1f * float(i % 7);
      filter.push_back({Vec4f(m, r), Vec4f(tri.back().n.xyz(), i % 3 == 0 ? slope : -slope - 0.01f)});
    }
  }
};

std::vector<Index> all(const Soup& s) {
  std::vector<Index> list(s.tri.size());
  std::iota(list.begin(), list.end(), 0);
  return list;
}

void expectSame(const TriangleLanes& a, const TriangleLanes& b) {
  ASSERT_EQ(std::vector<Index>(a.tri, a.tri + a.n), std::vector<Index>(b.tri, b.tri + b.n));
  for (int f = 0; f < TriangleLanes::fields; ++f)
    for (Index k = 0; k < a.n; ++k) ASSERT_EQ(a.f[f][k], b.f[f][k]) << f << " " << k;
}

TEST(TriangleLanes, HaveTheBitsOfTheScalarOnes) {
  Soup s(203);
  const std::vector<Index> list = all(s);
  TriangleLanesBuffer cell[2], point[2];
  for (int round = 0; round < 60; ++round) {
    const Vec3f p = s.point(), q = s.point(), lo = minOf(p, q), hi = maxOf(p, q), x = (p + q) * 0.5f;
    for (auto* b : {&cell[0], &cell[1], &point[0], &point[1]}) b->prepare(list.size());
    const Index n = Index(list.size()) - round;  // tails of every length
    triangle_lanes::append(s.filter.data(), list.data(), n, lo, hi, 0.3f, cell[0].lanes());
    triangle_lanes_scalar::append(s.filter.data(), list.data(), n, lo, hi, 0.3f, cell[1].lanes());
    expectSame(cell[0].lanes(), cell[1].lanes());
    triangle_lanes::appendSheets(cell[0].lanes(), x, 0.3f, point[0].lanes());
    triangle_lanes_scalar::appendSheets(cell[1].lanes(), x, 0.3f, point[1].lanes());
    expectSame(point[0].lanes(), point[1].lanes());
    for (Index k = 0; k < cell[0].lanes().n; k += kLanes)
      EXPECT_EQ(triangle_lanes::minima(cell[0].lanes(), k, x, 0.3f), triangle_lanes_scalar::minima(cell[1].lanes(), k, x, 0.3f));
    const Vec3f d = s.point() * 0.2f;
    for (Index k = 0; k < point[0].lanes().n; k += kLanes)
      EXPECT_EQ(triangle_lanes::meets(point[0].lanes(), k, d, norm(d), 1e-5f),
                triangle_lanes_scalar::meets(point[1].lanes(), k, d, norm(d), 1e-5f));
  }
}

// No crossing is lost to a bound, and the bounds are worth having. Segments through vertices, along edges and in the planes are
// among them.
TEST(TriangleLanes, SegmentsThatMeetATriangleAreNotFilteredOut) {
  Soup s(150);
  const std::vector<Index> list = all(s);
  TriangleLanesBuffer cell, point;
  int crossings = 0, passed = 0, compared = 0;
  for (int round = 0; round < 3000; ++round) {
    const PackedTriangle& t = s.tri[std::size_t(round % 150)];
    const Vec3f v = t.a.xyz() + t.e1.xyz() * (0.5f * float(round % 3)), w = t.a.xyz() + t.e2.xyz() * (0.5f * float(round / 3 % 3));
    const Vec3f r = s.point() * 0.15f;
    const Vec3f p = round % 4 == 0 ? v : v - r, q = round % 5 == 0 ? w : v + r;
    const float reach = norm(q - p) * 1.001f;
    cell.prepare(list.size());
    triangle_lanes::append(s.filter.data(), list.data(), Index(list.size()), p, p, reach, cell.lanes());
    point.prepare(std::size_t(cell.lanes().n));
    triangle_lanes::appendSheets(cell.lanes(), p, reach, point.lanes());
    std::vector<std::uint8_t> kept(s.tri.size(), 0);
    for (Index k = 0; k < point.lanes().n; k += kLanes)
      for (unsigned mask = triangle_lanes::meets(point.lanes(), k, p - q, norm(p - q), 5e-6f); mask; mask &= mask - 1)
        kept[std::size_t(point.lanes().tri[k + __builtin_ctz(mask)])] = 1;
    for (std::size_t i = 0; i < s.tri.size(); ++i) {
      if (!(s.filter[i].nSlope.w < 0.f)) continue;
      const bool meets = segmentMeetsTriangle(s.tri[i], p - s.tri[i].a.xyz(), q - s.tri[i].a.xyz());
      EXPECT_TRUE(kept[i] || !meets) << round << " " << i;
      crossings += meets;
      passed += kept[i];
      ++compared;
    }
  }
  EXPECT_GT(crossings, 1500);
  EXPECT_LT(passed, compared / 20);
}

}  // namespace
}  // namespace meniscus

// Triangles in reach of a cube: eight lanes against one, and against distances found by looking everywhere.
#include "kernels/contact/binned_triangles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/contact/triangle.h"

namespace meniscus {
namespace {

struct Bins {
  std::vector<float> x, y, z, far2, nx, ny, nz, slab;
  std::vector<Index> tri;
  std::vector<PackedTriangle> packed;
  BinnedTriangles view() const {
    return {x.data(), y.data(), z.data(), far2.data(), nx.data(), ny.data(), nz.data(), slab.data(), tri.data()};
  }
};

Bins makeBins(Index n, float half, float reach) {
  std::mt19937 rng(3);
  std::uniform_real_distribution<float> u(-1.f, 1.f);
  const auto point = [&] {
    const float a = u(rng), b = u(rng), c = u(rng);
    return Vec3f{a, b, c};
  };
  Bins s;
  for (Index i = 0; i < n; ++i) {
    const Vec3f a = point() * 2.f, b = a + point(), c = a + point(), m = (a + b + c) * (1.f / 3.f);
    s.packed.push_back(PackedTriangle::make(a, b, c, 0.f));
    const Vec3f normal = s.packed.back().n.xyz();
    const float far = std::sqrt(std::max({norm2(a - m), norm2(b - m), norm2(c - m)})) * 1.00001f + reach;
    s.x.push_back(m.x);
    s.y.push_back(m.y);
    s.z.push_back(m.z);
    s.far2.push_back(far * far);
    s.nx.push_back(normal.x);
    s.ny.push_back(normal.y);
    s.nz.push_back(normal.z);
    s.slab.push_back(slabOf(normal, half, reach));
    s.tri.push_back(7 * i);
  }
  for (auto* f : {&s.x, &s.y, &s.z, &s.far2, &s.nx, &s.ny, &s.nz, &s.slab}) f->resize(std::size_t(n + kLanes));
  s.tri.resize(std::size_t(n + kLanes));
  return s;
}

float distance(const PackedTriangle& t, const Vec3f& x) {
  const Vec3f p = x - t.a.xyz();
  const TrianglePoint c = closestOnTriangle(t, p);
  return norm(p - (t.e1.xyz() * c.b1 + t.e2.xyz() * c.b2));
}

TEST(BinnedTriangles, HaveTheOrderOfTheScalarOnesAndNoneIsMissing) {
  const float half = 0.25f, reach = 0.3f;
  const Bins s = makeBins(200, half, reach);
  std::mt19937 rng(9);
  std::uniform_real_distribution<float> u(-1.5f, 1.5f), inside(0.f, 2.f * half);
  std::size_t found = 0, within = 0;
  for (int round = 0; round < 80; ++round) {
    const Vec3f lo{u(rng), u(rng), u(rng)}, hi = lo + Vec3f{2 * half, 2 * half, 2 * half};
    const Index begin = round % 23, end = 200 - round % 17;
    std::vector<Index> a(220, -1), b(220, -1);
    const Index n = appendInReach(s.view(), begin, end, lo, hi, a.data(), 3);
    ASSERT_EQ(n, appendInReachScalar(s.view(), begin, end, lo, hi, b.data(), 3));
    a.resize(std::size_t(n));
    b.resize(std::size_t(n));
    ASSERT_EQ(a, b);
    found += a.size() - 3;
    std::vector<std::uint8_t> near(200, 0);
    for (int k = 0; k < 300; ++k) {
      const Vec3f x = lo + Vec3f{inside(rng), inside(rng), inside(rng)};
      for (Index i = begin; i < end; ++i) near[std::size_t(i)] |= distance(s.packed[std::size_t(i)], x) < reach;
    }
    for (Index i = begin; i < end; ++i) {
      if (!near[std::size_t(i)]) continue;
      ++within;
      EXPECT_TRUE(std::find(a.begin() + 3, a.end(), 7 * i) != a.end()) << round << " " << i;
    }
  }
  EXPECT_GT(within, 300u);
  EXPECT_LT(found, 3 * within);  // most of what is listed is near
}

}  // namespace
}  // namespace meniscus

// Sums over rows several lanes at a time against their scalar references; packed rows also against the rows they came from.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "engine/particle/packed_lists.h"
#include "kernels/fluid/straight_paths.h"

namespace meniscus {
namespace {

// Rows of every length from 0 to 70, padded, in random order in memory.
struct Rows {
  explicit Rows(Index n) : begin(std::size_t(n)), count(std::size_t(n)) {
    std::mt19937 rng{unsigned(n)};
    std::uniform_real_distribution<float> u(-1.f, 1.f);
    for (Index k = 0; k < n; ++k) {
      const std::size_t i = std::size_t((k * 7) % n);  // 7 divides none of the sizes below
      begin[i] = Offset(items.size());
      count[i] = Index(i) % 71;
      for (Index s = 0; s < count[i]; ++s) items.push_back({u(rng), Index(rng() % unsigned(n))});
      while (Index(items.size() - std::size_t(begin[i])) < paddedRow(count[i])) items.push_back({0.f, Index(i)});
    }
    for (Index i = 0; i < n; ++i) q.push_back(Vec4f(u(rng), u(rng), u(rng), u(rng)));
    view.foldedBegin = begin.data();
    view.count = count.data();
    view.items = items.data();
  }
  std::vector<Offset> begin;
  std::vector<Index> count;
  std::vector<Pair> items;
  std::vector<Vec4f> q;
  PairView view{};
};

bool sameBits(const Vec4f& a, const Vec4f& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(PackedPairs, SumsHaveTheBitsOfTheRows) {
  Exec exec(2);
  PackedLists packed;
  for (const Index n : {1, 2, 3, 4, 5, 71, 284, 1025}) {
    const Rows rows(n);
    packed.build(exec, rows.view, n);
    std::vector<int> seen(std::size_t(n), 0);
    forEachPackedRow(packed.view(), 0, n, rows.q.data(), [&](Index i, const Vec4f& t) {
      ++seen[std::size_t(i)];
      EXPECT_TRUE(sameBits(t, pairSum(rows.view, i, rows.q.data()))) << "row " << i << " of " << n;
    });
    EXPECT_EQ(seen, std::vector<int>(std::size_t(n), 1));
    for (Index g = 0; g * kPackedRows < n; ++g) {
      Vec4f scalar[kPackedRows], lanes[kPackedRows];
      packedSumsScalar(packed.view(), g, rows.q.data(), scalar);
      packedSums(packed.view(), g, rows.q.data(), lanes);
      for (Index r = 0; r < kPackedRows; ++r) EXPECT_TRUE(sameBits(scalar[r], lanes[r])) << "row " << r << " of group " << g;
    }
  }
}

// Rows of all lengths of a disordered fluid, padding and pairs at the support's end included.
TEST(StraightPaths, LanesHaveTheBitsOfTheScalarSum) {
  const Index n = 213;
  Rows rows(n);
  std::vector<Vec4f> x, u;
  for (const Vec4f& q : rows.q) {
    x.push_back((q * 0.5f).withW(1.f));
    u.push_back(Vec4f(q.y, q.z, q.x, 0.f));
  }
  rows.view.begin = rows.begin.data();
  rows.view.xh = x.data();
  int different = 0;
  for (const float invH : {0.4f, 1.f}) {  // all within the support, and half of them beyond it
    for (Index i = 0; i < n; ++i) {
      const StraightPathSums a = straightPathSumsScalar(rows.view, i, u.data(), invH),
                             b = straightPathSums(rows.view, i, u.data(), invH);
      EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << i;
      double term = 0, size = 0;
      for (Index k = 0; k < rows.view.count[i]; ++k) {
        const Pair p = rows.view.items[rows.view.begin[i] + k];
        const Vec3d d((x[p.j] - x[i]).xyz()), du((u[p.j] - u[i]).xyz());
        const double q = norm(d) * invH, t = p.c * (3 * std::pow(dot(d, du) * invH, 2) / (q * std::max(1 - q, 0.0) + 1e-12));
        if (q > 0.999 && q < 1.001) size = 1e30;  // round-off decides what 1 - q is
        term += t - p.c * norm2(du);
        size += std::fabs(t) + std::fabs(p.c) * norm2(du);
      }
      EXPECT_NEAR(b.term, term, 1e-3 * size) << i;
      different += std::fabs(term) > 0;
    }
  }
  EXPECT_GT(different, 400);
}

}  // namespace
}  // namespace meniscus

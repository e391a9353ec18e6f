// The neighbour search and the coefficients of a row, eight at a time, against plain loops.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "kernels/fluid/pair_row.h"

namespace meniscus {
namespace {

struct Cloud {
  std::vector<float> x, y, z;
};

// n points in a cube of edge 3 about the middle of the unit cube; behind them, what is read with the last lanes and is in reach.
Cloud cloud(Index n) {
  std::mt19937 rng(7);
  std::uniform_real_distribution<float> u(-1.f, 2.f);
  Cloud c;
  for (Index i = 0; i < n; ++i) {
    c.x.push_back(u(rng));
    c.y.push_back(u(rng));
    c.z.push_back(u(rng));
  }
  for (std::vector<float>* v : {&c.x, &c.y, &c.z}) v->resize(v->size() + kLanes, 0.5f);
  return c;
}

float squareBeyond(float v, float lo, float hi) {
  const float d = std::max(std::max(lo - v, v - hi), 0.f);
  return d * d;
}

// Exactly the particles in reach of the box, in their order, from runs of every length and start.
TEST(Neighbours, CandidatesAreThoseInReachOfTheBox) {
  const Cloud p = cloud(300);
  const Vec3f lo{0.2f, 0.1f, 0.3f}, hi{0.9f, 0.8f, 0.6f};
  const float h2 = 0.25f;
  auto c = std::make_unique<Candidates>();
  for (Index begin = 0; begin < 20; ++begin)
    for (Index end = begin; end <= 300; end += 7) {
      c->n = 0;
      addCandidates(p.x.data(), p.y.data(), p.z.data(), begin, end, lo, hi, h2, *c);
      std::vector<Index> expected;
      for (Index j = begin; j < end; ++j)
        if (squareBeyond(p.x[j], lo.x, hi.x) + squareBeyond(p.y[j], lo.y, hi.y) + squareBeyond(p.z[j], lo.z, hi.z) < h2)
          expected.push_back(j);
      ASSERT_EQ(std::vector<Index>(c->j, c->j + c->n), expected);
      for (Index k = 0; k < c->n; ++k) {
        EXPECT_EQ(c->x[k], p.x[c->j[k]]);
        EXPECT_EQ(c->y[k], p.y[c->j[k]]);
        EXPECT_EQ(c->z[k], p.z[c->j[k]]);
      }
    }
}

// More particles than there is room for are cut, not written beyond the end.
TEST(Neighbours, CollapsedFluidIsCut) {
  const Index n = 2 * kMaxCandidates + 3;
  const std::vector<float> zero(n + kLanes, 0.f);
  auto c = std::make_unique<Candidates>();
  addCandidates(zero.data(), zero.data(), zero.data(), 0, 5, {}, {}, 1.f, *c);
  addCandidates(zero.data(), zero.data(), zero.data(), 5, n, {}, {}, 1.f, *c);
  closeCandidates(*c);
  EXPECT_EQ(c->n, kMaxCandidates);
  EXPECT_EQ(c->j[kMaxCandidates - 1], kMaxCandidates - 1);
  auto nb = std::make_unique<Neighbours>();
  findNeighbours(*c, 17, {}, 1.f, *nb);
  EXPECT_EQ(nb->n, kMaxCandidates - 1);  // all but itself
}

// Rows of every length up to 40: neighbours as a plain loop finds them, coefficients and sums with the bits of the scalar row, and
// nothing written behind the unit after the padded end.
TEST(Neighbours, RowsHaveTheBitsOfTheScalarOnes) {
  const Cloud p = cloud(400);
  auto c = std::make_unique<Candidates>();
  addCandidates(p.x.data(), p.y.data(), p.z.data(), 0, 400, {-1, -1, -1}, {2, 2, 2}, 1.f, *c);
  // What lay there before is no candidate.
  std::fill(c->x + 397, c->x + 397 + kLanes, p.x[0]);
  std::fill(c->y + 397, c->y + 397 + kLanes, p.y[0]);
  std::fill(c->z + 397, c->z + 397 + kLanes, p.z[0]);
  c->n = 397;
  closeCandidates(*c);
  auto nb = std::make_unique<Neighbours>();
  std::vector<bool> lengths(41);
  for (int radius = 1; radius <= 80; ++radius)
    for (Index i = 0; i < 397; i += 13) {
      const float H = 0.01f * float(radius);
      const SmoothingKernel<float> kernel = SmoothingKernel<float>::make(H);
      const SmoothingKernel<double> exact = SmoothingKernel<double>::make(double(H));
      const Vec3f x{p.x[i], p.y[i], p.z[i]};
      findNeighbours(*c, i, x, H * H, *nb);
      std::vector<Index> expected;
      for (Index j = 0; j < 397; ++j) {
        const float dx = x.x - p.x[j], dy = x.y - p.y[j], dz = x.z - p.z[j];
        if (j != i && (dx * dx + dy * dy) + dz * dz < H * H) expected.push_back(j);
      }
      ASSERT_EQ(std::vector<Index>(nb->j, nb->j + nb->n), expected);
      if (nb->n > 40) continue;
      lengths[std::size_t(nb->n)] = true;
      const Pair untouched{-7.f, 7777};
      std::vector<Pair> a(64, untouched), b(64, untouched);
      const RowSums scalar = pairRowScalar(*nb, i, kernel, 0.3f, {a.data(), kRowUnit}),
                    row = pairRow(*nb, i, kernel, 0.3f, {b.data(), kRowUnit});
      const std::size_t padded = std::size_t(paddedRow(nb->n));
      EXPECT_EQ(std::memcmp(a.data(), b.data(), padded * sizeof(Pair)), 0) << nb->n;
      EXPECT_EQ(std::memcmp(&scalar, &row, sizeof(RowSums)), 0) << nb->n;
      EXPECT_EQ(a[padded].j(), 7777);
      EXPECT_EQ(b[padded + kRowUnit].j(), 7777);
      double sum = 0, W = 0;
      for (Index k = 0; k < nb->n; ++k) {
        const double r = std::sqrt(double(nb->r2[k]));
        sum += 0.3 * exact.absF(r);
        W += exact.W(r);
      }
      EXPECT_NEAR(row.c, sum, 1e-5 * 0.3 * kernel.f0);
      EXPECT_NEAR(row.W, W, 1e-5 * kernel.w0);
    }
  EXPECT_TRUE(lengths[0] && lengths[3] && lengths[4] && lengths[5] && lengths[8] && lengths[13]);
}

}  // namespace
}  // namespace meniscus

// Cells and the stable sort by them.
#include "engine/particle/cell_sort.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace meniscus {
namespace {

constexpr float kSize = 0.1f;
const Vec3d kExtent{0.55, 0.35, 0.42};

FluidState randomFluid(Index n, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<float> U(0.f, 1.f);
  FluidState f;
  f.n = f.capacity = n;
  for (Index i = 0; i < n; ++i) {
    f.x.push_back({U(rng) * 0.55f, U(rng) * 0.35f, U(rng) * 0.42f, 0});
    f.u.push_back({float(i), 1, 2, 0});
    f.p.push_back(float(i) + 0.5f);
    f.id.push_back(std::uint32_t(1000 + i));
    f.kind.push_back(std::uint8_t(i % 3));
    f.leaked.push_back(std::uint8_t(i % 2));
  }
  return f;
}

Index cellOf(const Vec4f& x) {
  const auto at = [](float v, Index n) { return std::min(Index(v / kSize), n - 1); };
  return (at(x.z, 5) * 4 + at(x.y, 4)) * 6 + at(x.x, 6);
}

void expectSorted(const CellGrid& g, const FluidState& f) {
  ASSERT_EQ(g.begin.size(), std::size_t(g.cells()) + 1);
  EXPECT_EQ(g.begin[0], 0);
  EXPECT_EQ(g.begin[g.cells()], f.n);
  for (Index c = 0; c < g.cells(); ++c) {
    EXPECT_LE(g.begin[c], g.begin[c + 1]);
    for (Index i = g.begin[c]; i < g.begin[c + 1]; ++i) {
      EXPECT_EQ(g.indexOf(g.cellOf(f.x[i].xyz())), c);
      // stable: particles of a cell keep their order
      if (i > g.begin[c]) { EXPECT_LT(f.id[i - 1], f.id[i]); }
      // every field moved along with its particle
      const Index was = Index(f.id[i]) - 1000;
      EXPECT_EQ(f.u[i].x, float(was));
      EXPECT_EQ(f.p[i], float(was) + 0.5f);
      EXPECT_EQ(f.kind[i], was % 3);
      EXPECT_EQ(f.leaked[i], was % 2);
    }
  }
}

TEST(CellSort, IsStableAndCarriesAllFields) {
  for (const int threads : {1, 3}) {
    Exec exec(threads);
    for (const Index n : {0, 1, 2, 33, 511, 512, 513, 597, 5000}) {
      CellSort sort;
      sort.configure(kExtent, kSize);
      FluidState f = randomFluid(n, 7);
      sort.sort(exec, f, {});
      EXPECT_EQ(f.n, n);
      EXPECT_EQ(sort.grid().cells(), 6 * 4 * 5);
      expectSorted(sort.grid(), f);
      // sorted once more, nothing changes
      const FluidState before = f;
      sort.sort(exec, f, {});
      for (Index i = 0; i < n; ++i) EXPECT_EQ(f.id[i], before.id[i]);
    }
  }
}

TEST(CellSort, CellsAreXFastest) {
  CellSort sort;
  sort.configure(kExtent, kSize);
  const CellGrid& g = sort.grid();
  FluidState f = randomFluid(597, 3);
  Exec exec(1);
  for (Index i = 0; i < f.n; ++i) EXPECT_EQ(g.indexOf(g.cellOf(f.x[i].xyz())), cellOf(f.x[i]));
  EXPECT_EQ(g.indexOf({1, 0, 0}), 1);
  EXPECT_EQ(g.indexOf({0, 1, 0}), 6);
  EXPECT_EQ(g.indexOf({0, 0, 1}), 24);
}

TEST(CellSort, DropsWhatIsMarked) {
  Exec exec(2);
  CellSort sort;
  sort.configure(kExtent, kSize);
  FluidState f = randomFluid(597, 4);
  Buffer<std::uint8_t> drop;
  drop.assign(597, 0);
  Index dropped = 0;
  for (Index i = 0; i < 597; i += 5, ++dropped) drop[i] = 1;
  sort.sort(exec, f, drop);
  EXPECT_EQ(f.n, 597 - dropped);
  expectSorted(sort.grid(), f);
  for (Index i = 0; i < f.n; ++i) EXPECT_NE((f.id[i] - 1000) % 5, 0u);
}

// Positions outside the domain belong to the nearest cells; what is not a number goes to the first: no index leaves the grid.
TEST(CellSort, PositionsOutsideAreClamped) {
  CellSort sort;
  sort.configure(kExtent, kSize);
  const CellGrid& g = sort.grid();
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const auto cell = [&](float x, float y, float z) {
    const Vec3<Index> c = g.cellOf({x, y, z});
    return std::vector<Index>{c.x, c.y, c.z};
  };
  EXPECT_EQ(cell(-1.f, 0.15f, 0.05f), (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(cell(7.f, 1e30f, infinity), (std::vector<Index>{5, 3, 4}));
  EXPECT_EQ(cell(-infinity, -1e30f, -0.f), (std::vector<Index>{0, 0, 0}));
  EXPECT_EQ(cell(nan, 0.15f, nan), (std::vector<Index>{0, 1, 0}));
}

}  // namespace
}  // namespace meniscus

// Rows of pairs in four bytes a pair against those in eight: nothing is lost, and no sum has other bits.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "engine/particle/pressure_system.h"
#include "kernels/fluid/coefficient_grid.h"
#include "kernels/fluid/damping.h"
#include "kernels/fluid/four_rows.h"
#include "tests/shared/fluid_box.h"

namespace meniscus {
namespace {

constexpr float kStep = 0.03125f;

bool sameBits(const Vec4f& a, const Vec4f& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Groups of rows of 0 to 70 pairs in ascending order of their numbers, within `reach` of the row; every `strange`-th row has a pair
// farther off than the format knows, or one with too large a coefficient. Rows have a place of their own for their direct pairs,
// or, as where no image is in them, the same one.
struct Lists {
  Lists(Index n, Index reach, Index strange) : count(std::size_t(n)), begin(std::size_t(n)), direct(std::size_t(n)) {
    std::mt19937 rng{unsigned(n + reach)};
    std::uniform_real_distribution<float> u(-1.f, 1.f);
    for (Index i = 0; i < n; ++i) {
      count[std::size_t(i)] = Index(rng() % 71);
      q.push_back(Vec4f(u(rng), u(rng), u(rng), u(rng)));
      x.push_back(Vec4f(u(rng), u(rng), u(rng), 1.f));
    }
    for (Index first = 0; first < n; first += kGroupRows) {
      const Index units = groupUnits(count.data(), first, n);
      const std::size_t at = items.size();
      items.resize(at + std::size_t(units) * kGroupStride, Pair{0.f, n - 1});
      for (Index i = first; i < std::min(first + kGroupRows, n); ++i) {
        begin[std::size_t(i)] = direct[std::size_t(i)] = Offset(at) + (i - first) * kRowUnit;
        const StridedRow<Pair> row{items.data() + begin[std::size_t(i)], kGroupStride};
        Index j = std::max(i - reach, 0);
        const Index last = std::min(i + reach, n - 1);
        for (Index k = 0; k < units * kRowUnit; ++k) {
          row[k] = {0.f, i};
          if (k >= count[std::size_t(i)]) continue;
          j = std::min(j + Index(rng() % unsigned(1 + reach / 20)), last);
          row[k] = {float(rng() % 65536) * kStep, j};
        }
        if (strange && i % strange == 1 && count[std::size_t(i)] > 0)
          row[0] = i % 2 || n < 40000 ? Pair{65536 * kStep, i} : Pair{kStep, i + 20000 < n ? i + 20000 : i - 20000};
      }
    }
    // a copy of some rows: the direct pairs of those that have images, with other coefficients
    for (Index i = 0; i < n; i += 7) {
      const StridedRow<Pair> row{items.data() + begin[std::size_t(i)], kGroupStride};
      std::vector<Pair> copy;
      for (Index k = 0; k < paddedRow(count[std::size_t(i)]); ++k) copy.push_back({row[k].c * 0.5f, row[k].j()});
      direct[std::size_t(i)] = Offset(items.size());
      items.insert(items.end(), copy.begin(), copy.end());
    }
    view.foldedBegin = begin.data();
    view.begin = direct.data();
    view.count = count.data();
    view.items = items.data();
    view.stride = kGroupStride;
    view.xh = x.data();
  }
  std::vector<Index> count;
  std::vector<Offset> begin, direct;
  std::vector<Pair> items;
  std::vector<Vec4f> q, x;
  PairView view{};
};

// The format at its limits: the farthest numbers and the largest coefficient that there is room for, and one more of each.
TEST(PackedGroups, KnowWhatTheyHaveRoomFor) {
  const Index first = 20000;
  for (int place = 0; place < kGroupStride; ++place)
    for (const auto& [c, j, room] : std::initializer_list<std::tuple<float, Index, bool>>{{65535 * kStep, first + 16383, true},
                                                                                          {0.f, first - 16384, true},
                                                                                          {kStep, first + 16384, false},
                                                                                          {kStep, first - 16385, false},
                                                                                          {65536 * kStep, first, false},
                                                                                          {INFINITY, first, false},
                                                                                          {NAN, first, false}}) {
      std::vector<Pair> p(2 * kGroupStride, Pair{3 * kStep, first + 1});
      p[std::size_t(kGroupStride + place)] = {c, j};
      PackedUnit a[2], b[2];
      EXPECT_EQ(packGroupScalar(p.data(), 2, first, kStep, a), room) << c << " " << j;
      EXPECT_EQ(packGroup(p.data(), 2, first, kStep, b), room) << c << " " << j;
      if (room) { EXPECT_EQ(std::memcmp(a, b, sizeof a), 0) << c << " " << j; }
    }
}

TEST(PackedGroups, SumsHaveTheBitsOfTheRows) {
  for (const Index n : {1, 2, 3, 4, 5, 71, 284, 1025}) {
    const Lists lists(n, 300, 0);
    for (Index i = 0; i < n; i += kGroupRows) {
      const Index units = groupUnits(lists.count.data(), i, n);
      const Pair* const p = lists.items.data() + lists.begin[std::size_t(i)];
      auto packed = std::make_unique<PackedUnit[]>(std::size_t(units) + 1);
      auto scalarPacked = std::make_unique<PackedUnit[]>(std::size_t(units) + 1);
      ASSERT_TRUE(packGroup(p, units, i, kStep, packed.get()));
      ASSERT_TRUE(packGroupScalar(p, units, i, kStep, scalarPacked.get()));
      EXPECT_EQ(std::memcmp(packed.get(), scalarPacked.get(), std::size_t(units) * sizeof(PackedUnit)), 0);
      Vec4f expected[kGroupRows], scalar[kGroupRows], lanes[kGroupRows];
      groupSumsScalar(p, units, lists.q.data(), expected);
      packedSumsScalar(packed.get(), units, lists.q.data() + i, kStep, scalar);
      packedSums(packed.get(), units, lists.q.data() + i, kStep, packed.get(), lanes);
      for (Index r = 0; r < kGroupRows; ++r) {
        EXPECT_TRUE(sameBits(expected[r], scalar[r])) << "row " << i + r << " of " << n;
        EXPECT_TRUE(sameBits(expected[r], lanes[r])) << "row " << i + r << " of " << n;
      }
    }
  }
}

// Lists in which some groups have no room in the format.
TEST(PackedGroups, SumsAndDirectPairsHaveTheBitsOfTheRows) {
  struct Case {
    Index rows, reach, strange;
  };
  for (const Case& c : {Case{0, 10, 0}, {1, 10, 0}, {513, 600, 50}, {50001, 15000, 501}}) {
    const Index n = c.rows, reach = c.reach, strange = c.strange;
    const Lists lists(n, reach, strange);
    std::vector<PackedGroup> groups;
    std::vector<PackedUnit> units(lists.items.size() / kGroupStride + 1);
    const std::vector<Index> farthest(std::size_t(n / kReachRows) + 1, reach);
    Index plain = 0;
    for (Index i = 0; i < n; i += kGroupRows) {
      const std::uint32_t first = groups.empty()
                                      ? 0
                                      : groups.back().first + std::uint32_t(groupUnits(lists.count.data(), i - kGroupRows, n)),
                          length = std::uint32_t(groupUnits(lists.count.data(), i, n));
      const bool room = packGroup(lists.items.data() + lists.begin[std::size_t(i)], Index(length), i, kStep, units.data() + first);
      groups.push_back({first, room ? length : kNotPacked});
      plain += !room;
      for (Index r = i; room && r < std::min(i + kGroupRows, n); ++r)
        for (Index k = 0; k < lists.count[std::size_t(r)]; ++k)
          EXPECT_EQ(packedNeighbour({groups.data(), units.data(), farthest.data(), kStep}, r, k), lists.view.folded(r)[k].j());
    }
    groups.insert(groups.end(), kGroupsAhead, {0, 0});
    EXPECT_EQ(plain > 0, strange > 0);
    EXPECT_LE(plain, strange ? n / strange + 1 : 0);
    PairView v = lists.view;
    v.packed = {groups.data(), units.data(), farthest.data(), kStep};
    for (Index begin = 0; begin < n; begin += kReachRows) {
      const Index end = std::min(begin + kReachRows, n);
      forEachRowSum(v, begin, end, lists.q.data(), [&](Index i, const Vec4f& t) {
        EXPECT_TRUE(sameBits(t, pairSum(lists.view, i, lists.q.data()))) << "row " << i << " of " << n;
      });
    }
    std::vector<Vec4f> out(lists.q), expected(lists.q);
    const std::vector<std::uint8_t> kind(lists.q.size(), 0);
    const float nuDt[1] = {1e-6f};
    const PairDamping packed{v, lists.q.data(), out.data(), nuDt, kind.data(), true},
        rows{lists.view, lists.q.data(), expected.data(), nuDt, kind.data(), true};
    for (Index i = 0; i < n; ++i) {
      packed(i);
      rows.scalar(i);
      EXPECT_TRUE(sameBits(out[std::size_t(i)], expected[std::size_t(i)])) << i;
    }
  }
}

// What the builder makes of water in a box around a sphere, in every format and on any number of threads: the same sums.
TEST(PackedPairs, OfABoxHaveTheBitsOfItsRows) {
  testing::FluidBoxDef def;
  def.cells = {24, 23, 26};
  def.jitter = 0.6;
  def.sphereRadius = 0.05;
  Exec serial(1);
  World w = testing::fluidBox(def);
  testing::FluidLists<PressureSystem> l(serial, w);
  const Index n = w.fluid.n, near = l.boundary.nearParticle().n;
  ASSERT_GT(near, n / 4);  // both those with images and those without
  ASSERT_LT(near, n / 2);
  std::mt19937 rng(3);
  std::uniform_real_distribution<float> u(-1.f, 1.f);
  std::vector<Vec4f> q;
  for (Index i = 0; i < n; ++i) q.push_back(Vec4f(u(rng), u(rng), u(rng), u(rng)));
  PairLists whole;  // with the same rounding
  PairBuilder(w.dx, w.scene.solver.support * w.dx)
      .build(serial, l.sorter.grid(), l.boundary, w.fluid, Vec3f((w.scene.domain.max - w.scene.domain.min) * 0.5), whole,
             RowFormat::both);
  PairView rows = l.system.pairView();
  rows.begin = whole.directBegin.data();
  rows.foldedBegin = whole.folded.begin.data();
  rows.items = whole.folded.items.data();
  std::size_t bytes[3] = {};
  for (const RowFormat format : {RowFormat::both, RowFormat::packed})
    for (const int threads : {1, 3}) {
      Exec exec(threads);
      PairBuilder builder(w.dx, w.scene.solver.support * w.dx);
      PairLists lists;
      PressureSystem system;
      builder.build(exec, l.sorter.grid(), l.boundary, w.fluid, Vec3f((w.scene.domain.max - w.scene.domain.min) * 0.5), lists,
                    format);
      system.configure(w, builder);
      system.assemble(exec, w, l.boundary, lists, false);
      const PairView v = system.pairView();
      Index packed = 0;
      for (Index i = 0; v.packed.groups && i < n; i += kGroupRows) packed += v.packed.groups[i / kGroupRows].units != kNotPacked;
      if (kRowsArePacked) { EXPECT_GT(packed, n / kGroupRows * 9 / 10); }
      forEachRowSum(v, 0, n, q.data(), [&](Index i, const Vec4f& t) { EXPECT_TRUE(sameBits(t, pairSum(rows, i, q.data()))) << i; });
      std::vector<Vec4f> out(q), expected(q);
      const std::vector<std::uint8_t> kind(q.size(), 0);
      const float nuDt[1] = {1e-6f};
      const PairDamping damping{v, q.data(), out.data(), nuDt, kind.data(), true},
          reference{rows, q.data(), expected.data(), nuDt, kind.data(), true};
      for (Index i = 0; i < n; ++i) {
        damping(i);
        reference.scalar(i);
        EXPECT_TRUE(sameBits(out[std::size_t(i)], expected[std::size_t(i)])) << i;
      }
      bytes[int(format)] = lists.folded.items.size() * sizeof(Pair) + lists.packed.units.size() * sizeof(PackedUnit);
    }
  if (kRowsArePacked) { EXPECT_LT(bytes[int(RowFormat::packed)], bytes[int(RowFormat::both)]); }
}

// A layer of water on the ground, almost every particle near: rows of those that images are added to are kept in eight bytes, with
// the images and without. Packed as well, they would take a quarter more room.
TEST(PackedPairs, LayersTakeNoMoreRoomThanUnpackedRows) {
  testing::FluidBoxDef def;
  def.cells = {24, 24, 4};
  Exec exec(2);
  World w = testing::fluidBox(def);
  testing::FluidLists<PressureSystem> l(exec, w);
  ASSERT_GT(l.boundary.nearParticle().n, w.fluid.n / 2);
  std::size_t bytes[3] = {};
  for (const RowFormat format : {RowFormat::pairs, RowFormat::packed}) {
    PairLists lists;
    PairBuilder(w.dx, w.scene.solver.support * w.dx)
        .build(exec, l.sorter.grid(), l.boundary, w.fluid, Vec3f((w.scene.domain.max - w.scene.domain.min) * 0.5), lists, format);
    bytes[int(format)] = lists.folded.items.size() * sizeof(Pair) + lists.packed.units.size() * sizeof(PackedUnit);
  }
  EXPECT_LE(bytes[int(RowFormat::packed)], bytes[int(RowFormat::pairs)]);
}

// A column of water that has become a layer, of which little is packed: rows are no longer packed, and their room is given back.
TEST(PackedPairs, EndWhereMostPairsHaveNoRoomInThem) {
  Exec exec(2);
  PairLists lists;
  testing::FluidBoxDef def;
  PairBuilder builder(testing::fluidBox(def).dx, testing::fluidBox(def).scene.solver.support * testing::fluidBox(def).dx);
  for (const Vec3<int>& cells : {Vec3<int>{30, 30, 30}, Vec3<int>{24, 24, 4}}) {
    def.cells = cells;
    World w = testing::fluidBox(def);
    testing::FluidLists<PressureSystem> l(exec, w);
    for (int k = 0; k < 3; ++k) {
      builder.build(exec, l.sorter.grid(), l.boundary, w.fluid, Vec3f((w.scene.domain.max - w.scene.domain.min) * 0.5), lists,
                    RowFormat::packed);
      const bool packed = kRowsArePacked && (cells.z > 4 || k == 0);
      EXPECT_EQ(!lists.packed.groups.empty(), packed) << cells.z << " layers, build " << k;
      if (!packed) { EXPECT_EQ(lists.packed.units.capacity(), 0u); }
    }
  }
}

// Coefficients of the grid: the nearest, and whole numbers of steps that 16 bits hold, whatever the size of the spacing.
TEST(CoefficientGrid, HoldsAllPairsInSixteenBits) {
  for (const double dx : {1e-5, 3e-4, 0.01, 0.0137, 1.0, 250.0})
    for (const double support : {2.0, 2.4, 3.0}) {
      const SmoothingKernel<float> kernel = SmoothingKernel<float>::make(float(support * dx));
      const float V = float(dx * dx * dx);
      const CoefficientGrid grid = CoefficientGrid::of(kernel, V);
      int exponent;
      EXPECT_EQ(std::frexp(grid.step, &exponent), 0.5f);  // a power of two
      const float nearest = V * kernel.absF(0.21f * float(support * dx));
      EXPECT_LE(grid.nearest(nearest), kMostSteps * grid.step);
      EXPECT_GT(nearest, 0.45f * kMostSteps * grid.step);  // no bit is given away
      for (int k = 0; k <= 1000; ++k) {
        const float c = V * kernel.absF(float(support * dx) * float(k) / 1000.f), near = grid.nearest(c);
        EXPECT_LE(std::fabs(double(near) - double(c)), 0.5 * double(grid.step));
        EXPECT_EQ(near / grid.step, std::round(near / grid.step));
      }
      EXPECT_EQ(grid.nearest(0.f), 0.f);
    }
}

}  // namespace
}  // namespace meniscus

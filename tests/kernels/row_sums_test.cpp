// Sums over rows several lanes at a time against their scalar references.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "engine/particle/packed_link_lists.h"
#include "kernels/fluid/damping.h"
#include "kernels/fluid/four_rows.h"
#include "kernels/fluid/mirror_pass.h"
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

// The same rows in groups.
struct Groups {
  Groups(const Rows& rows, Index n) : view(rows.view) {
    for (Index i = 0; i < (n + kGroupRows - 1) / kGroupRows * kGroupRows; ++i) {
      const Index first = i - i % kGroupRows, length = groupUnits(view.count, first, n) * kRowUnit;
      if (i == first) items.resize(items.size() + std::size_t(length * kGroupRows), Pair{0.f, n - 1});
      if (i >= n) break;
      begin.push_back(i == first ? Offset(items.size()) - length * kGroupRows : begin.back() + kRowUnit);
      const StridedRow<Pair> row{items.empty() ? nullptr : items.data() + begin.back(), kGroupStride};
      for (Index k = 0; k < paddedRow(view.count[i]); ++k) row[k] = rows.view.folded(i)[k];
    }
    view.items = items.data();
    view.foldedBegin = view.begin = begin.data();
    view.stride = kGroupStride;
  }
  std::vector<Offset> begin;
  std::vector<Pair> items;
  PairView view;
};

TEST(RowGroups, SumsHaveTheBitsOfTheRows) {
  for (const Index n : {1, 2, 3, 4, 5, 71, 284, 1025}) {
    const Rows rows(n);
    const Groups groups(rows, n);
    std::vector<int> seen(std::size_t(n), 0);
    forEachRowSum(groups.view, 0, n, rows.q.data(), [&](Index i, const Vec4f& t) {
      ++seen[std::size_t(i)];
      EXPECT_TRUE(sameBits(t, pairSum(rows.view, i, rows.q.data()))) << "row " << i << " of " << n;
      EXPECT_TRUE(sameBits(t, pairSum(groups.view, i, rows.q.data()))) << "row " << i << " of " << n;
    });
    EXPECT_EQ(seen, std::vector<int>(std::size_t(n), 1));
    for (Index i = 0; i < n; i += kGroupRows) {
      Vec4f scalar[kGroupRows], lanes[kGroupRows];
      const Pair* const p = groups.items.data() + groups.begin[std::size_t(i)];
      groupSumsScalar(p, groupUnits(groups.view.count, i, n), rows.q.data(), scalar);
      groupSums(p, groupUnits(groups.view.count, i, n), rows.q.data(), lanes);
      for (Index r = 0; r < kGroupRows; ++r) EXPECT_TRUE(sameBits(scalar[r], lanes[r])) << "row " << i + r;
    }
  }
}

// What follows the sums, four rows at a time and row by row.
TEST(FourRows, HaveTheBitsOfSingleRows) {
  const Index n = 203;
  const Rows rows(n);
  Groups groups(rows, n);
  std::mt19937 rng(5);
  std::uniform_real_distribution<float> u(-1.f, 1.f);
  const auto random = [&] { return Vec4f(u(rng), u(rng), u(rng), u(rng)); };
  std::vector<Vec4f> xh, T, force{Vec4f{}};
  std::vector<float> p, divergence{0.f};
  std::vector<Index> near;
  for (Index i = 0; i < n; ++i) {
    xh.push_back(random().withW(1.f));
    T.push_back(random());
    p.push_back(i % 9 ? u(rng) : 0.f);
    near.push_back(rng() % 3 ? -1 : Index(force.size()) - 1);
    if (near.back() < 0) continue;
    force.push_back(random().withW(0.f));
    divergence.push_back(u(rng));
  }
  PairView& v = groups.view;
  v.xh = xh.data();
  v.T = T.data();
  v.near = near.data();
  std::vector<int> seen(std::size_t(n), 0);
  const auto row = [&](Index i, const Vec4f& t, const Vec4f& a, float d) {
    ++seen[std::size_t(i)];
    const Vec4f sum = pairSum(v, i, rows.q.data());
    EXPECT_TRUE(sameBits(t, sum)) << i;
    EXPECT_TRUE(sameBits(a, transposeRow(v, i, sum, p[std::size_t(i)], force.data() + 1))) << i;
    EXPECT_EQ(d, divergenceRow(v, i, sum, rows.q[std::size_t(i)], divergence.data() + 1)) << i;
  };
  forEachGroupSum(
      v, 0, n, rows.q.data(),
      [&](Index i, const Vec4f(&t)[kGroupRows]) {
        const Vec4f d = divergenceRows(v, i, t, rows.q.data(), divergence.data() + 1);
        Vec4f a[kGroupRows];
        transposeRows(v, i, t, loadVec4(p.data() + i), FourRows::of(v.xh + i), force.data() + 1).store(a);
        const float lanes[kGroupRows] = {d.x, d.y, d.z, d.w};
        for (Index r = 0; r < kGroupRows; ++r) row(i + r, t[r], a[r], lanes[r]);
      },
      [&](Index i, const Vec4f& t) {
        row(i, t, transposeRow(v, i, t, p[std::size_t(i)], force.data() + 1),
            divergenceRow(v, i, t, rows.q[std::size_t(i)], divergence.data() + 1));
      });
  EXPECT_EQ(seen, std::vector<int>(std::size_t(n), 1));
  const FourRows f = FourRows::of(xh.data()), g = FourRows::of(T.data());
  const Vec4f dots = dotRows(f, g);
  EXPECT_EQ(dots.x, (xh[0] * T[0]).sum());
  EXPECT_EQ(dots.w, (xh[3] * T[3]).sum());
  double one[1] = {0.1}, other[1] = {0.1};
  addInOrder(dots, one);
  for (const float x : {dots.x, dots.y, dots.z, dots.w}) other[0] += double(x);
  EXPECT_EQ(one[0], other[0]);
}

// Near rows of no to three slots with no to fifteen links each.
TEST(PackedLinks, SumsHaveTheBitsOfTheSlots) {
  Exec exec(2);
  PackedLinkLists packed;
  for (const Index particles : {1, 2, 7, 400, 1025}) {
    std::mt19937 rng{unsigned(particles)};
    std::uniform_real_distribution<float> u(-1.f, 1.f);
    std::vector<Index> near, nearParticle, slotBegin{0}, slotParticle;
    std::vector<Offset> linkBegin;
    std::vector<std::uint16_t> count;
    for (Index i = 0; i < particles; ++i) {
      near.push_back(rng() % 3 ? Index(nearParticle.size()) : -1);
      if (near.back() < 0) continue;
      nearParticle.push_back(i);
      for (unsigned f = rng() % 4; f > 0; --f) {
        slotParticle.push_back(i);
        count.push_back(std::uint16_t(rng() % 16));
      }
      slotBegin.push_back(Index(slotParticle.size()));
    }
    std::vector<MirrorLink> links;
    for (std::size_t k = 0; k < nearParticle.size(); ++k) {
      linkBegin.push_back(Offset(links.size()));
      for (Index s = slotBegin[k]; s < slotBegin[k + 1]; ++s)
        for (int l = 0; l < count[std::size_t(s)]; ++l) links.push_back({u(rng), Index(rng() % slotParticle.size())});
    }
    PairView v{};
    v.near = near.data();
    v.nearParticle = nearParticle.data();
    v.nearCount = Index(nearParticle.size());
    v.slotBegin = slotBegin.data();
    v.slotParticle = slotParticle.data();
    v.linkBegin = linkBegin.data();
    v.linkCount = count.data();
    v.links = links.data();
    packed.build(exec, v);

    const std::size_t slots = slotParticle.size();
    std::vector<float> f(slots), expected(slots), sum(slots, 99.f);
    for (float& x : f) x = u(rng);
    for (Index k = 0; k < v.nearCount; ++k) linkSums(v, k, f.data(), expected.data());
    // in pieces whose ends lie inside groups
    Index end = 0;
    for (Index begin = 0; begin < particles; begin += 5) {
      const NearRange r = nearRange(v, begin, std::min(begin + 5, particles));
      EXPECT_EQ(r.slotBegin, end);
      end = r.slotEnd;
      linkSums(packed.rows(), r.slotBegin, r.slotEnd, f.data(), sum.data());
    }
    EXPECT_EQ(end, Index(slots));
    EXPECT_EQ(sum, expected);
  }
}

// As the straight paths below.
TEST(PairDamping, LanesHaveTheBitsOfTheScalarSum) {
  const Index n = 213;
  Rows rows(n);
  std::vector<Vec4f> x, u, out(rows.q.size());
  std::vector<std::uint8_t> kind;
  for (const Vec4f& q : rows.q) {
    x.push_back((q * 0.5f).withW(1.f));
    u.push_back(Vec4f(q.y, q.z, q.x, 0.f));
    kind.push_back(std::uint8_t(kind.size() % 3));
  }
  rows.view.begin = rows.begin.data();
  rows.view.xh = x.data();
  for (const bool oneKind : {true, false}) {
    const float nuDt[3] = {1e-3f, oneKind ? 1e-3f : 3e-3f, oneKind ? 1e-3f : 7e-4f};
    const PairDamping damping{rows.view, u.data(), out.data(), nuDt, kind.data(), oneKind};
    double change = 0;
    for (Index i = 0; i < n; ++i) {
      damping.scalar(i);
      const Vec4f scalar = out[std::size_t(i)];
      damping(i);
      EXPECT_TRUE(sameBits(scalar, out[std::size_t(i)])) << i;
      change = std::max(change, double(norm((scalar - u[std::size_t(i)]).xyz())));
    }
    EXPECT_GT(change, 1e-4);
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
        const Vec3d d((x[p.j()] - x[i]).xyz()), du((u[p.j()] - u[i]).xyz());
        const double q = norm(d) * invH, S = 1 - 1.25 * q + 0.5 * q * q, slope = 2 * S + (1 - q) * (1.25 - q);
        const double t = p.c * (slope * std::pow(dot(d, du) * invH, 2) / (q * std::max(1 - q, 0.0) * S + 1e-12));
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

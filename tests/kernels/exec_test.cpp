// Launches, reductions and scans on CPU threads: the same bits for any number of threads, at sizes around the block size.
#include "engine/exec/exec.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace meniscus {
namespace {

const Index kSizes[] = {0, 1, 33, 511, 512, 513, 597, 5000};

std::vector<float> values(Index n) {
  std::mt19937 rng(unsigned(n) + 1);
  std::uniform_real_distribution<float> U(-1.f, 1.f);
  std::vector<float> v;
  for (Index i = 0; i < n; ++i) v.push_back(U(rng) * std::pow(10.f, 6.f * U(rng)));
  return v;
}

struct CountVisits {
  std::atomic<int>* visits;
  void operator()(Index i) const { visits[i].fetch_add(1); }
};

TEST(Exec, EveryRowIsVisitedOnce) {
  for (const int threads : {1, 2, 3, 4}) {
    Exec exec(threads);
    EXPECT_EQ(exec.threads(), threads);
    for (const Index n : kSizes)
      for (int repeat = 0; repeat < 20; ++repeat) {
        std::vector<std::atomic<int>> visits(std::size_t(n) + 1);
        parallelFor(exec, "visit", n, CountVisits{visits.data()});
        for (Index i = 0; i < n; ++i) ASSERT_EQ(visits[i].load(), 1) << threads << " threads, n " << n << ", row " << i;
        ASSERT_EQ(visits[n].load(), 0);
      }
  }
}

struct BlockEnds {
  Index n;
  Index* end;  // per block
  void operator()(Index begin, Index e) const { end[begin / kBlock] = begin % kBlock == 0 ? e : -1; }
};

TEST(Exec, BlocksAreFixed) {
  Exec exec(3);
  for (const Index n : kSizes) {
    std::vector<Index> end(std::size_t(n / kBlock) + 2, 0);
    parallelBlocks(exec, "blocks", n, BlockEnds{n, end.data()});
    for (Index b = 0; b * kBlock < n; ++b) EXPECT_EQ(end[b], std::min(n, (b + 1) * kBlock));
  }
}

struct SumAndSquares {
  const float* v;
  void operator()(Index i, double* acc) const {
    acc[0] += v[i];
    acc[1] += double(v[i]) * v[i];
    acc[2] += 1;
  }
};

// Against the same sums made by hand in blocks of 512: bit by bit.
TEST(Exec, SumsAreTheSameBitsForAnyNumberOfThreads) {
  for (const Index n : kSizes) {
    const std::vector<float> v = values(n);
    double expected[3] = {};
    for (Index begin = 0; begin < n; begin += 512) {
      double block[3] = {};
      for (Index i = begin; i < std::min(n, begin + 512); ++i) SumAndSquares{v.data()}(i, block);
      for (int k = 0; k < 3; ++k) expected[k] += block[k];
    }
    for (const int threads : {1, 2, 3, 4}) {
      Exec exec(threads);
      for (int repeat = 0; repeat < 5; ++repeat) {
        double sum[3] = {7, 7, 7};
        parallelSum<3>(exec, "sum", n, SumAndSquares{v.data()}, sum);
        EXPECT_EQ(0, std::memcmp(sum, expected, sizeof sum)) << "n " << n << ", " << threads << " threads";
      }
    }
  }
}

struct Value {
  const float* v;
  double operator()(Index i) const { return v[i]; }
};

TEST(Exec, Maximum) {
  for (const int threads : {1, 2, 3, 4}) {
    Exec exec(threads);
    for (const Index n : kSizes) {
      const std::vector<float> v = values(n);
      double expected = 0;
      for (const float x : v) expected = std::max(expected, double(x));
      EXPECT_EQ(parallelMax(exec, "max", n, Value{v.data()}), expected);
    }
  }
}

// A value that is not a number is the result wherever it stands, first or last, also after and before infinities; all negative
// values give 0.
TEST(Exec, MaximumDoesNotHideNotANumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const int threads : {1, 2, 4}) {
    Exec exec(threads);
    for (const Index n : kSizes)
      for (const Index at : {Index(0), n / 2, n - 1}) {
        if (n == 0) continue;
        std::vector<float> v = values(n);
        v[at] = nan;
        EXPECT_TRUE(std::isnan(parallelMax(exec, "max", n, Value{v.data()}))) << n << " " << at;
        v[n - 1 - at] = infinity;
        v[at] = nan;
        EXPECT_TRUE(std::isnan(parallelMax(exec, "max", n, Value{v.data()}))) << n << " " << at;
        v.assign(std::size_t(n), -3.f);
        EXPECT_EQ(parallelMax(exec, "max", n, Value{v.data()}), 0);
        v[at] = infinity;
        EXPECT_EQ(parallelMax(exec, "max", n, Value{v.data()}), double(infinity));
      }
  }
}

TEST(Exec, Scan) {
  for (const Index n : kSizes) {
    std::vector<Index> count;
    for (Index i = 0; i < n; ++i) count.push_back(i * 7 % 11);
    std::vector<Offset> begin(std::size_t(n) + 1, -1);
    Offset sum = 0;
    const Offset total = exclusiveScan(count.data(), n, begin.data());
    for (Index i = 0; i < n; ++i) {
      EXPECT_EQ(begin[i], sum);
      sum += count[i];
    }
    EXPECT_EQ(begin[n], sum);
    EXPECT_EQ(total, sum);
  }
}

struct Nothing {
  void operator()(Index) const {}
};

// Launches are counted by their names, in the order of first use.
TEST(Exec, StatisticsByName) {
  Exec exec(2);
  for (int i = 0; i < 3; ++i) parallelFor(exec, "first", 1000, Nothing{});
  parallelFor(exec, "second", 0, Nothing{});
  const std::vector<LaunchStats> s = exec.stats();
  ASSERT_EQ(s.size(), 2u);
  EXPECT_STREQ(s[0].name, "first");
  EXPECT_EQ(s[0].calls, 3u);
  EXPECT_GE(s[0].seconds, 0);
  EXPECT_EQ(s[1].calls, 1u);
  exec.resetStats();
  EXPECT_TRUE(exec.stats().empty());
}

}  // namespace
}  // namespace meniscus

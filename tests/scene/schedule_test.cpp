#include "engine/scene/schedule.h"

#include <gtest/gtest.h>

#include <random>

namespace meniscus {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Schedule, SpansAreMerged) {
  std::vector<ScheduleSpan> s = {{0.5, 0.7}, {0.1, 0.2}, {0.15, 0.3}, {0.3, 0.4}, {0.6, 0.65}, {0.9, kInf}};
  mergeSpans(s);
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s[0].begin, 0.1);
  EXPECT_EQ(s[0].end, 0.4);
  EXPECT_EQ(s[1].begin, 0.5);
  EXPECT_EQ(s[1].end, 0.7);
  EXPECT_EQ(s[2].end, kInf);
  EXPECT_DOUBLE_EQ(activeTime(s, 0, 1), 0.6);
  EXPECT_NEAR(activeTime(s, 0.35, 0.2), 0.1, 1e-15);
  EXPECT_EQ(activeTime(s, 0.4, 0.1), 0);
  EXPECT_EQ(closedFor(s, 0.05), kInf);  // has not been open yet
  EXPECT_EQ(closedFor(s, 0.1), kInf);
  EXPECT_EQ(closedFor(s, 0.2), 0);
  EXPECT_DOUBLE_EQ(closedFor(s, 0.45), 0.05);
  EXPECT_EQ(activeTime({}, 3, 0.5), 0.5);
  EXPECT_EQ(closedFor({}, 3), 0);
}

// Against the definition, on a grid of a thousandth: is the time within any of the spans?
TEST(Schedule, RandomSpansLikeTheirUnion) {
  std::mt19937 rng(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<ScheduleSpan> given;
    for (int k = 0; k < 12; ++k) {
      const int begin = int(rng() % 900), length = 1 + int(rng() % 60);
      given.push_back({begin / 1024.0, (begin + length) / 1024.0});
    }
    std::vector<ScheduleSpan> merged = given;
    mergeSpans(merged);
    const int from = int(rng() % 500), count = int(rng() % 500);
    int open = 0;
    for (int t = from; t < from + count; ++t) {
      bool in = false;
      for (const ScheduleSpan& s : given) in |= s.begin * 1024 <= t && t < s.end * 1024;
      open += in;
    }
    EXPECT_DOUBLE_EQ(activeTime(merged, from / 1024.0, count / 1024.0), open / 1024.0);
  }
}

}  // namespace
}  // namespace meniscus

// Connected regions of neighbours, against a plain flood fill.
#include "engine/particle/fluid_regions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace meniscus {
namespace {

PairLists listsOf(const std::vector<std::vector<Index>>& neighbours) {
  PairLists lists;
  for (const auto& row : neighbours) {
    const std::size_t begin = lists.folded.items.size();
    lists.folded.begin.push_back(Offset(begin));
    lists.folded.count.push_back(Index(row.size()));
    lists.folded.items.resize(begin + row.size() / kRowUnit * kGroupStride + kGroupStride);
    const StridedRow<Pair> to{lists.folded.items.data() + begin, kGroupStride};
    for (std::size_t k = 0; k < row.size(); ++k) to[Index(k)] = {1.f, row[k]};
  }
  return lists;
}

std::vector<std::vector<Index>> floodFill(const std::vector<std::vector<Index>>& neighbours) {
  std::vector<std::vector<Index>> regions;
  std::vector<char> seen(neighbours.size());
  for (std::size_t seed = 0; seed < neighbours.size(); ++seed) {
    if (seen[seed]) continue;
    std::vector<Index> stack{Index(seed)}, region;
    seen[seed] = 1;
    while (!stack.empty()) {
      const Index i = stack.back();
      stack.pop_back();
      region.push_back(i);
      for (Index j : neighbours[std::size_t(i)])
        if (!seen[std::size_t(j)]) {
          seen[std::size_t(j)] = 1;
          stack.push_back(j);
        }
    }
    std::sort(region.begin(), region.end());
    regions.push_back(region);
  }
  return regions;
}

TEST(FluidRegions, AreThoseOfAFloodFill) {
  std::mt19937 random(7);
  FluidRegions regions;
  for (const std::size_t n : {0u, 1u, 33u, 597u}) {
    for (const double links : {0.0, 0.4, 1.0, 6.0}) {  // a particle, on the average
      std::vector<std::vector<Index>> neighbours(n);
      for (std::size_t k = 0; k < std::size_t(links * double(n)); ++k) {
        const Index i = Index(random() % n), j = Index(random() % n);
        if (i == j) continue;
        neighbours[std::size_t(i)].push_back(j);
        neighbours[std::size_t(j)].push_back(i);
      }
      regions.find(listsOf(neighbours), Index(n));
      const auto expected = floodFill(neighbours);
      ASSERT_EQ(std::size_t(regions.count()), expected.size()) << n << " particles, " << links << " links";
      for (Index r = 0; r < regions.count(); ++r)
        EXPECT_EQ(std::vector<Index>(regions[r].begin(), regions[r].end()), expected[std::size_t(r)]);
    }
  }
}

}  // namespace
}  // namespace meniscus

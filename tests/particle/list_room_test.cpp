// Room for the neighbour lists (engine/particle/pairs.h): kept ahead of fluid that comes together.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/shared/fluid_box.h"

namespace meniscus {
namespace {

std::uint64_t launches(const Exec& exec, const char* name) {
  for (const LaunchStats& s : exec.stats())
    if (std::strcmp(s.name, name) == 0) return s.calls;
  return 0;
}

TEST(ListRoom, IsAheadOfFluidThatComesTogether) {
  Exec exec(2);
  World w = testing::fluidBox({{14, 14, 14}, {0.1, 0.1, 0.1}});
  testing::FluidLists<PressureSystem> lists(exec, w);
  const std::size_t first = lists.lists.folded.items.size(), firstLinks = lists.lists.links.size();
  exec.resetStats();
  constexpr int kBuilds = 60;
  for (int k = 0; k < kBuilds; ++k) {
    for (Vec4f& x : w.fluid.x) x = x * 0.998f;  // towards the corner of three walls
    lists.build(exec, w);
  }
  EXPECT_GT(lists.lists.folded.items.size(), first + first / 5);
  EXPECT_GT(lists.lists.links.size(), firstLinks + firstLinks / 5);
  EXPECT_EQ(launches(exec, "pairs: direct"), std::uint64_t(kBuilds));
}

}  // namespace
}  // namespace meniscus

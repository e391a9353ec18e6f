#include "engine/world/memory.h"

#include <gtest/gtest.h>

#include "tests/shared/small_world.h"

namespace meniscus {
namespace {

// A particle takes two float4, three floats, an id and two bytes: 50 bytes.
TEST(Memory, GrowsByTheRoomOfArrays) {
  World w = testing::smallWorld();
  const std::size_t before = bytesOf(w), room = w.fluid.x.capacityBytes() / sizeof(Vec4f);
  EXPECT_GE(before, 50 * room);
  for (auto* b : {&w.fluid.x, &w.fluid.u}) b->reserve(1000);
  for (auto* b : {&w.fluid.p, &w.fluid.e, &w.fluid.deficiency}) b->reserve(1000);
  for (auto* b : {&w.fluid.kind, &w.fluid.leaked}) b->reserve(1000);
  w.fluid.id.reserve(1000);
  EXPECT_EQ(bytesOf(w) - before, 50 * (1000 - room));
}

}  // namespace
}  // namespace meniscus

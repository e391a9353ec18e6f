// An id that was given back names nothing for ever, however often its place is used again.
#include "engine/api/id_table.h"

#include <gtest/gtest.h>

namespace {

using namespace meniscus::api;

struct Id {
  std::int32_t index;
  std::uint16_t scene, generation;
};

TEST(IdTable, NoIdIsGivenTwice) {
  IdTable table;
  const auto add = [&] {
    table.reserveOne();
    table.add(0, nullptr);
    return table.idOfOrder<Id>(0, 7);
  };
  const Id first = add();
  table.remove(first.index);
  Id last = first;
  for (int k = 0; k < 200000; ++k) {
    const Id id = add();
    ASSERT_TRUE(table.find(id, 7));
    ASSERT_FALSE(table.find(first, 7)) << "after " << k << " others";
    ASSERT_FALSE(table.find(last, 7));
    table.remove(id.index);
    last = id;
  }
  EXPECT_GT(last.index, 1);  // the first place had 65535 ids
  EXPECT_LE(last.index, 4);
}

}  // namespace

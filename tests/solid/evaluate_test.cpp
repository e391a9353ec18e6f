// From the table of constraints to their functors.
#include "engine/solid/evaluate.h"

#include <gtest/gtest.h>

#include <string>

namespace meniscus {
namespace {

TEST(Evaluate, DistanceOfTwoNodes) {
  Constraint c{};
  c.node[1] = 1;
  const double rest[] = {2};
  const Vec3d x[] = {{0, 0, 0}, {3, 0, 0}};
  ConstraintValue value;
  evaluateConstraint(c, rest, x, value);
  EXPECT_EQ(value.nodes, 2);
  EXPECT_DOUBLE_EQ(value.C, 1);
}

// Of a damaged table, say: nothing is evaluated as if it held.
TEST(Evaluate, TypesThatThereAreNotAreRefused) {
  Constraint c{};
  c.type = ConstraintType::count;
  const double rest[4] = {};
  const Vec3d x[4] = {};
  ConstraintValue value;
  try {
    evaluateConstraint(c, rest, x, value);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::internal);
    EXPECT_NE(std::string(e.what()).find("type 7"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace meniscus

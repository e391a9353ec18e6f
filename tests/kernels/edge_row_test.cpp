// The vector of an edge against the rows it stands for: one along the edge, two across it, each with its compliance.
#include <gtest/gtest.h>

#include "kernels/solid/edge_row.h"

namespace meniscus {
namespace {

TEST(EdgeRow, IsThreeRows) {
  const Vec3f n = normalized(Vec3f{0.3f, -0.5f, 0.8f}), t = normalized(cross(n, Vec3f{1, 0, 0})), b = cross(n, t);
  EdgeRow e{};
  e.n = Vec4f(n, 0.f);
  e.compliance[EdgeRow::along] = 2.f;
  e.compliance[EdgeRow::across] = 0.5f;
  const Vec3f v{0.7f, 1.1f, -0.4f};
  const Vec3f rows = n * (2.f * dot(n, v)) + t * (0.5f * dot(t, v)) + b * (0.5f * dot(b, v));
  EXPECT_LT(norm(e.scaled(Vec4f(v, 0.f), e.compliance).xyz() - rows), 1e-6f);
}

// A slack edge has no multiplier, one that only pulls none across: whatever the velocities are, nothing of the kind appears.
TEST(EdgeRow, PartsThatDoNotActStayZero) {
  EdgeRow e{};
  e.n = Vec4f(normalized(Vec3f{1, 2, -2}), 0.f);
  const Vec4f v(0.3f, 0.2f, 0.9f, 0.f);
  EXPECT_EQ(norm(e.scaled(v, e.on).xyz()), 0.f);
  e.on[EdgeRow::along] = 1.f;
  EXPECT_LT(norm(cross(e.scaled(v, e.on).xyz(), e.n.xyz())), 1e-6f);
  EXPECT_NEAR(dot(e.scaled(v, e.on).xyz(), e.n.xyz()), dot(v.xyz(), e.n.xyz()), 1e-6f);
}

}  // namespace
}  // namespace meniscus

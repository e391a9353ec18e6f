#include "engine/world/ray_shapes.h"

#include <gtest/gtest.h>

namespace meniscus {
namespace {

struct Met {
  bool hit;
  double share;
  Vec3d n;
};
Met cast(PrimitiveKind kind, const Vec3d& origin, const Vec3d& ray) {
  PrimitiveShape<double> s;
  s.kind = kind;
  s.half = {1, 2, 3};
  s.radius = 1;
  s.halfHeight = 2;
  Met m{false, 1, {}};
  m.hit = castOnPrimitive(s, origin, ray, m.share, m.n);
  return m;
}

TEST(RayShapes, FromOutsideAtKnownPlaces) {
  Met m = cast(PrimitiveKind::plane, {5, 5, 3}, {0, 0, -4});
  EXPECT_DOUBLE_EQ(m.share, 0.75);
  EXPECT_EQ(m.n, (Vec3d{0, 0, 1}));
  m = cast(PrimitiveKind::box, {0, -6, 1}, {0, 8, 0});
  EXPECT_DOUBLE_EQ(m.share, 0.5);
  EXPECT_EQ(m.n, (Vec3d{0, -1, 0}));
  m = cast(PrimitiveKind::sphere, {0, 0, 3}, {0, 0, -4});
  EXPECT_DOUBLE_EQ(m.share, 0.5);
  m = cast(PrimitiveKind::cylinder, {0.5, 0, 4}, {0, 0, -4});  // the cap at z = 2
  EXPECT_DOUBLE_EQ(m.share, 0.5);
  EXPECT_EQ(m.n, (Vec3d{0, 0, 1}));
  m = cast(PrimitiveKind::cylinder, {3, 0, 1}, {-4, 0, 0});  // the side at x = 1
  EXPECT_DOUBLE_EQ(m.share, 0.5);
  EXPECT_EQ(m.n, (Vec3d{1, 0, 0}));
  m = cast(PrimitiveKind::capsule, {0, 0, 5}, {0, 0, -4});  // the top at z = 3
  EXPECT_DOUBLE_EQ(m.share, 0.5);
  m = cast(PrimitiveKind::capsule, {3, 0, -1}, {-4, 0, 0});
  EXPECT_DOUBLE_EQ(m.share, 0.5);
}

TEST(RayShapes, FromInsideTheFarSide) {
  Met m = cast(PrimitiveKind::box, {0, 0, 0}, {0, 0, 6});
  EXPECT_DOUBLE_EQ(m.share, 0.5);
  EXPECT_EQ(m.n, (Vec3d{0, 0, 1}));
  m = cast(PrimitiveKind::capsule, {0, 0, 0}, {0, 0, -6});
  EXPECT_DOUBLE_EQ(m.share, 0.5);
  EXPECT_EQ(m.n, (Vec3d{0, 0, -1}));
}

TEST(RayShapes, PastThemOrTooShort) {
  EXPECT_FALSE(cast(PrimitiveKind::sphere, {1.01, 0, 3}, {0, 0, -9}).hit);
  EXPECT_FALSE(cast(PrimitiveKind::sphere, {0, 0, 3}, {0, 0, -1.99}).hit);
  EXPECT_FALSE(cast(PrimitiveKind::box, {1.01, -6, 0}, {0, 20, 0}).hit);
  EXPECT_FALSE(cast(PrimitiveKind::cylinder, {3, 0, 2.01}, {-4, 0, 0}).hit);
  EXPECT_FALSE(cast(PrimitiveKind::capsule, {0.9, 0, 9}, {-0.0, 0, -6.5}).hit);  // the half sphere is lower there
  EXPECT_FALSE(cast(PrimitiveKind::plane, {0, 0, 1}, {1, 0, 0}).hit);
}

}  // namespace
}  // namespace meniscus

// Distances and normals of analytic solids: against the numerical gradient of the distance, and against closed forms.
#include "kernels/contact/primitives.h"

#include <gtest/gtest.h>

#include "tests/contact/contact_scene.h"

namespace meniscus {
namespace {

using Shape = PrimitiveShape<double>;
using Features = PrimitiveFeature<double>[kMaxPrimitiveFeatures];

double distance(const Shape& s, const Vec3d& p) {
  Features f;
  const int n = primitiveFeatures(s, p, 1e9, f);
  double best = 1e9;
  for (int k = 0; k < n; ++k) best = std::min(best, f[k].d);
  return best;
}

class EveryPrimitive : public ::testing::TestWithParam<Shape> {};

TEST_P(EveryPrimitive, NormalIsTheDistanceGradientAndStepsReachTheSurface) {
  const Shape s = GetParam();
  test::Random random(7);
  int tested = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3d p = random.vector(-1.5, 1.5);
    Features f;
    const int n = primitiveFeatures(s, p, 1e9, f);
    ASSERT_GT(n, 0);
    int nearest = 0;
    for (int k = 1; k < n; ++k)
      if (f[k].d < f[nearest].d) nearest = k;
    EXPECT_NEAR(norm(f[nearest].n), 1, 1e-12);
    EXPECT_GE(f[nearest].w, 0);
    EXPECT_LE(f[nearest].w, 1);
    // in the fluid: the closest point lies on the surface
    if (f[nearest].d > 0) { EXPECT_NEAR(distance(s, p - f[nearest].n * f[nearest].d), 0, 1e-12); }
    const double h = 1e-6;
    Vec3d gradient;
    for (int k = 0; k < 3; ++k) {
      Vec3d a = p, b = p;
      a[k] -= h;
      b[k] += h;
      gradient[k] = (distance(s, b) - distance(s, a)) / (2 * h);
    }
    if (norm(gradient) < 1 - 1e-3) continue;  // at a kink between two faces, seen from inside
    EXPECT_LT(norm(gradient - f[nearest].n), 1e-4);
    ++tested;
  }
  EXPECT_GT(tested, 1900);
}

Shape shape(PrimitiveKind kind, bool container) { return {kind, container, {0.7, 0.5, 0.3}, 0.6, 0.4}; }

INSTANTIATE_TEST_SUITE_P(All, EveryPrimitive,
                         ::testing::Values(shape(PrimitiveKind::plane, false), shape(PrimitiveKind::box, false),
                                           shape(PrimitiveKind::box, true), shape(PrimitiveKind::sphere, false),
                                           shape(PrimitiveKind::sphere, true), shape(PrimitiveKind::cylinder, false),
                                           shape(PrimitiveKind::cylinder, true), shape(PrimitiveKind::capsule, false),
                                           shape(PrimitiveKind::capsule, true)));

TEST(Primitive, ClosedForms) {
  EXPECT_DOUBLE_EQ(distance(shape(PrimitiveKind::sphere, false), {0, 0, 1}), 0.4);
  EXPECT_DOUBLE_EQ(distance(shape(PrimitiveKind::sphere, true), {0, 0, 0.1}), 0.5);
  EXPECT_DOUBLE_EQ(distance(shape(PrimitiveKind::capsule, false), {0, 0, 1.2}), 0.2);    // cap centre 0.4, radius 0.6
  EXPECT_NEAR(distance(shape(PrimitiveKind::box, false), {1.0, 0.9, 0.0}), 0.5, 1e-15);  // 3-4-5 from the edge
  EXPECT_NEAR(distance(shape(PrimitiveKind::cylinder, false), {0.9, 0.0, 0.8}), 0.5, 1e-15);
}

// 1 - 2 phi/pi: half on the bisector of a right-angled edge, 1 on the faces, 1 - (2/pi) acos(1/sqrt 3) at a cube's corner diagonal.
TEST(Primitive, ConvexEdgeWeights) {
  Features f;
  const Shape box = shape(PrimitiveKind::box, false);
  ASSERT_EQ(primitiveFeatures(box, {0.8, 0.6, 0.0}, 1e9, f), 1);
  EXPECT_NEAR(f[0].w, 0.5, 1e-12);
  ASSERT_EQ(primitiveFeatures(box, {0.8, 0.1, 0.0}, 1e9, f), 1);
  EXPECT_EQ(f[0].w, 1.0);
  ASSERT_EQ(primitiveFeatures(box, {0.8, 0.6, 0.4}, 1e9, f), 1);
  EXPECT_NEAR(f[0].w, 1 - 2 / 3.14159265358979 * std::acos(1 / std::sqrt(3.0)), 1e-12);
  ASSERT_EQ(primitiveFeatures(shape(PrimitiveKind::cylinder, false), {0.7, 0.0, 0.5}, 1e9, f), 1);
  EXPECT_NEAR(f[0].w, 0.5, 1e-12);
}

TEST(Primitive, ContainerCornersHaveOneFeatureAFace) {
  Features f;
  EXPECT_EQ(primitiveFeatures(shape(PrimitiveKind::box, true), {0.65, 0.45, 0.25}, 0.1, f), 3);
  EXPECT_EQ(primitiveFeatures(shape(PrimitiveKind::box, true), {0.65, 0.0, 0.0}, 0.1, f), 1);
  EXPECT_EQ(primitiveFeatures(shape(PrimitiveKind::cylinder, true), {0.55, 0.0, -0.35}, 0.1, f), 2);
}

}  // namespace
}  // namespace meniscus

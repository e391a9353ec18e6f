// What colours a body by its stretch, against homogeneous deformations.
#include "engine/solid/strain.h"

#include <gtest/gtest.h>

#include "engine/solid/build.h"
#include "tests/solid/meshes.h"

namespace meniscus {
namespace {

void deform(SolidState& s, const Mat3d& f) {
  for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] = f * s.xRest[i];
}

void expectAll(const SolidState& s, double expected) {
  std::vector<float> stretch(s.x.size(), -9.f);
  nodeStretch(s, s.bodies[0], stretch.data());
  for (const float v : stretch) EXPECT_NEAR(v, expected, 1e-6);
}

const double kC = std::cos(0.7), kS = std::sin(0.7);
const Mat3d kTurn = Mat3d::columns({kC, kS, 0}, {-kS, kC, 0}, {0, 0, 1});

TEST(Stretch, OfAnEdge) {
  const Vec3d rest[2] = {{1, 0, 0}, {1, 0, 0.5}}, now[2] = {{0, 2, 0}, {0.3, 2.4, 0}};
  EXPECT_EQ(elementStretch(rest, rest, 2), 0);
  EXPECT_NEAR(elementStretch(rest, now, 2), 0, 1e-15);  // turned alone
  const Vec3d longer[2] = {{0, 2, 0}, {0.6, 2.8, 0}};
  EXPECT_NEAR(elementStretch(rest, longer, 2), 1, 1e-15);
  EXPECT_EQ(elementStretch(now, now, 2), 0);
  const Vec3d none[2] = {{1, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(elementStretch(none, now, 2), 0);
}

TEST(Stretch, OfASheet) {
  SolidState s;
  SolidDef d;
  d.kind = SolidKind::cloth;
  d.name = "sheet";
  d.material.arealDensity = 1;
  addShell(s, d, testing_meshes::sheet(3, 2, 0.3, 0.2));
  expectAll(s, 0);
  deform(s, kTurn);
  expectAll(s, 0);
  deform(s, kTurn * Mat3d::diagonal({1.25, 1.1, 1}));
  expectAll(s, 0.25);
  deform(s, kTurn * Mat3d::diagonal({1.1, 0.6, 1}));  // pressed together more than it is drawn
  expectAll(s, -0.4);
  // simple shear by g: principal stretches are g/2 + sqrt(1 + g^2/4) and its inverse
  Mat3d shear = Mat3d::identity();
  shear.r[0] = {1, 0.5, 0};
  deform(s, shear);
  expectAll(s, 0.25 + std::sqrt(1.0625) - 1);
}

TEST(Stretch, OfASoftBody) {
  SolidState s;
  addSoft(s, testing_meshes::softDef(1e4, 0.3), testing_meshes::block(2, 2, 3, {0.2, 0.2, 0.3}));
  expectAll(s, 0);
  deform(s, kTurn * Mat3d::diagonal({0.9, 1.02, 1.3}));
  expectAll(s, 0.3);
  deform(s, Mat3d::diagonal({0.9, 1.02, -1.3}));  // inside out: the stretch that carries the sign is the smallest
  expectAll(s, -1.9);
}

}  // namespace
}  // namespace meniscus

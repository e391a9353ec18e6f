// Held nodes and ways given while a scene runs.
#include "engine/solid/prescribed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/solid/solid.h"
#include "tests/solid/meshes.h"

namespace meniscus {
namespace {

// A sheet of 16 nodes, the first carried by key frames, and a kinematic ball.
SolidState sheetAndBall() {
  SolidState s;
  SolidDef d;
  d.name = "sheet";
  d.kind = SolidKind::cloth;
  d.material.arealDensity = 1;
  d.pins.resize(1);
  d.pins[0].indices = {0};
  d.pins[0].motion = {{0, {}, {}}, {1, {0, 0, 1}, {}}};
  addShell(s, d, testing_meshes::sheet(3, 3, 0.3, 0.3));
  SolidDef b;
  b.name = "ball";
  b.kind = SolidKind::kinematic;
  b.shape.kind = ShapeKind::sphere;
  b.shape.radius = 0.1;
  b.transform.translate = {1, 2, 3};
  b.transform.rotate = Quatd::axisAngle({1, 0, 0}, 0.5);
  addRigid(s, b, nullptr);
  colourConstraints(s, false);
  return s;
}

std::vector<double> numbersOf(const SolidState& s) {
  Buffer<double> b;
  packPrescribed(s, b);
  return {b.begin(), b.end()};
}

TEST(Prescribed, ABodyReachesItsPose) {
  SolidState s = sheetAndBall();
  RigidBody& r = s.rigid[0];
  const Quatd turn = Quatd::axisAngle({0, 1, 0}, 1.0);
  moveBody(r, {{2, 2, 2}, turn}, 5, 2);
  Exec exec(1);
  predictSolids(exec, s, {}, 5, 1);  // half the way
  EXPECT_LT(norm(r.x - Vec3d{1.5, 2, 2.5}), 1e-14);
  EXPECT_LT(norm(r.v - Vec3d{0.5, 0, -0.5}), 1e-14);
  predictSolids(exec, s, {}, 8, 1);
  EXPECT_LT(norm(r.x - Vec3d{2, 2, 2}), 1e-14);
  EXPECT_NEAR(std::fabs(dot(r.q.rotate({0, 0, 1}), turn.rotate({0, 0, 1}))), 1, 1e-14);
}

// However often a node is taken and let go, no more is kept than what is followed.
TEST(Prescribed, NothingPilesUp) {
  SolidState s = sheetAndBall();
  ASSERT_EQ(s.motions.size(), 1u);
  for (int k = 0; k < 5; ++k) {
    carryNode(s, 7, {0, 0, 1}, k, 1);
    EXPECT_EQ(s.pins.size(), 2u);
    EXPECT_EQ(s.motions.size(), 2u);
  }
  const Index nodes[] = {7, 0};
  releaseNodes(s, nodes, 1);
  EXPECT_EQ(s.motions.size(), 1u);
  EXPECT_EQ(s.pins[0].motion, 0);
  EXPECT_EQ(s.w[7], 1 / s.mass[7]);
  holdNodes(s, nodes, 2);  // the one with key frames now stays where it is
  EXPECT_EQ(s.motions.size(), 0u);
  EXPECT_EQ(s.pins.size(), 2u);
  EXPECT_EQ(s.w[7], 0);
}

TEST(Prescribed, NumbersComeBack) {
  SolidState s = sheetAndBall();
  carryNode(s, 7, {0, 0, 1}, 2, 1);
  moveBody(s.rigid[0], {{2, 2, 2}, {}}, 5, 2);
  const std::vector<double> numbers = numbersOf(s);
  SolidState other = sheetAndBall();
  ASSERT_NE(numbersOf(other), numbers);
  Prescribed p;
  ASSERT_TRUE(unpackPrescribed(numbers.data(), numbers.size(), other, p));
  takePrescribed(other, p);
  EXPECT_EQ(numbersOf(other), numbers);
}

// Whatever one number is replaced by, what is read can be used, or is refused.
TEST(Prescribed, WrongNumbersAreRefused) {
  SolidState s = sheetAndBall();
  const std::vector<double> numbers = numbersOf(s);
  Prescribed p;
  for (std::size_t n = 0; n < numbers.size(); ++n) EXPECT_FALSE(unpackPrescribed(numbers.data(), n, s, p)) << n;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    for (const double wrong : {-2.0, 0.5, 1e300, 65536.0, double(NAN), double(INFINITY)}) {
      std::vector<double> bad = numbers;
      bad[k] = wrong;
      if (!unpackPrescribed(bad.data(), bad.size(), s, p)) continue;
      for (const Pin& pin : p.pins) {
        EXPECT_TRUE(pin.node >= 0 && pin.node < 16) << k;
        EXPECT_TRUE(pin.motion >= -1 && pin.motion < Index(p.motions.size())) << k;
      }
      EXPECT_TRUE(std::isfinite(wrong)) << k;
    }
  SolidState fewer = s;
  fewer.rigid.clear();
  EXPECT_FALSE(unpackPrescribed(numbers.data(), numbers.size(), fewer, p));
}

}  // namespace
}  // namespace meniscus

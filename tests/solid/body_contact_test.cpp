// Contact of deformable bodies with each other, without water.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/solid/body_contact.h"
#include "tests/solid/meshes.h"

namespace meniscus {
namespace {

constexpr double kMargin = 0.002;

SolidDef clothDef() {
  SolidDef d;
  d.kind = SolidKind::cloth;
  d.material.arealDensity = 1;
  d.material.stretch = {Resistance::Kind::compliance, 1e-4, 0};
  d.material.bend = {Resistance::Kind::compliance, 1e3, 0};
  return d;
}

// A sheet of n x n cells and `size` metres, its middle at `centre`.
void addSheet(SolidState& s, Index n, double size, const Vec3d& centre, double turn = 0) {
  SurfaceMesh m = testing_meshes::sheet(n, n, size, size);
  const Quatd q = Quatd::axisAngle({0, 0, 1}, turn);
  for (Vec3d& x : m.x) x = q.rotate(x - Vec3d{size / 2, size / 2, 0}) + centre;
  addShell(s, clothDef(), m);
}

void setVelocity(SolidState& s, std::size_t body, const Vec3d& v) {
  for (Index i = s.bodies[body].nodeBegin; i < s.bodies[body].nodeEnd; ++i) s.v[std::size_t(i)] = v;
}

double lowest(const SolidState& s, std::size_t body) {
  double z = 1e300;
  for (Index i = s.bodies[body].nodeBegin; i < s.bodies[body].nodeEnd; ++i) z = std::min(z, s.x[std::size_t(i)].z);
  return z;
}

// Nodes before a face, on both its sides, and beyond a rim: who sees whom, from which side and with which weights.
TEST(BodyContact, ClosestTriangleFromTheNodesSide) {
  SolidState s;
  addSheet(s, 1, 1.0, {0, 0, 0});
  addSheet(s, 1, 0.2, {0.1, 0.2, -1.5 * kMargin});  // below, all its nodes before the large one's faces
  addSheet(s, 1, 0.2, {0.5, 0, 0.5 * kMargin});     // at the rim: two nodes before it, two beyond its rim
  s.xPrev = s.x;
  findBodyContacts(s, kMargin);
  int below = 0, above = 0;
  for (const BodyContact& c : s.work.bodyContacts) {
    ASSERT_GE(c.node, 4) << "the large sheet's corners are not before the small ones";
    for (const Index n : c.tri) EXPECT_LT(n, 4);
    EXPECT_NEAR(c.b[0] + c.b[1] + c.b[2], 1, 1e-12);
    EXPECT_NEAR(bodyContactValue(s, c) + c.distance, c.node < 8 ? 1.5 * kMargin : 0.5 * kMargin, 1e-9);
    EXPECT_NEAR(c.n.z, c.node < 8 ? -1 : 1, 1e-6);
    // nearer than the margin: a tenth of what is missing is given back
    EXPECT_NEAR(c.distance, c.node < 8 ? kMargin : 0.55 * kMargin, 1e-9);
    EXPECT_EQ(c.acts, c.node >= 8);
    ++(c.node < 8 ? below : above);
  }
  EXPECT_EQ(below, 4);
  EXPECT_EQ(above, 2) << "two nodes of the third sheet are beyond the rim";
}

// A sheet thrown on one that is held at its corners: it does not pass, comes to rest on it, and stays at the margin.
TEST(BodyContact, ThrownSheetLiesOnTheHeldOne) {
  Exec exec(1);
  SolidState s;
  addSheet(s, 10, 0.4, {0, 0, 0});
  addSheet(s, 7, 0.2, {0.01, 0.02, 0.05}, 0.4);
  for (const Index corner : {0, 10, 110, 120}) s.w[std::size_t(corner)] = 0;
  colourConstraints(s, false);
  setVelocity(s, 1, {0, 0, -2});
  double worst = 1e300;
  for (int k = 0; k < 1000; ++k) {
    stepSolids(exec, s, nullptr, kMargin, {0, 0, -9.81}, 0, 1e-3, 1, 10);
    for (const BodyContact& c : s.work.bodyContacts) worst = std::min(worst, bodyContactValue(s, c) + c.distance);
  }
  EXPECT_GT(worst, 0.5 * kMargin);
  EXPECT_GT(lowest(s, 1), lowest(s, 0)) << "it fell through";
  double fastest = 0;
  for (const Vec3d& v : s.v) fastest = std::max(fastest, norm(v));
  EXPECT_LT(fastest, 0.5);
}

// Two free sheets meet: what one gets the other gives, and no spin comes of it.
TEST(BodyContact, KeepsMomentum) {
  Exec exec(1);
  SolidState s;
  addSheet(s, 6, 0.2, {0, 0, 0});
  addSheet(s, 5, 0.2, {0.04, 0.03, 0.02}, 0.3);
  colourConstraints(s, false);
  setVelocity(s, 0, {0.1, 0, 0.3});
  setVelocity(s, 1, {0, -0.2, -0.5});
  const auto momentum = [&] {
    Vec3d linear{}, angular{};
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      linear += s.v[i] * s.mass[i];
      angular += cross(s.x[i], s.v[i]) * s.mass[i];
    }
    return std::pair{linear, angular};
  };
  const auto before = momentum();
  double pushed = 0;
  for (int k = 0; k < 100; ++k) {
    stepSolids(exec, s, nullptr, kMargin, {}, 0, 1e-3, 1, 5);
    for (const BodyContact& c : s.work.bodyContacts) pushed += c.lambda / 1e-3;
  }
  const auto after = momentum();
  EXPECT_GT(pushed, 0.01);
  EXPECT_LT(norm(after.first - before.first), 1e-10 * pushed);
  EXPECT_LT(norm(after.second - before.second), 1e-10 * pushed);
}

}  // namespace
}  // namespace meniscus

// Contact of deformable bodies with each other, without water.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/solid/body_contact.h"
#include "tests/solid/allocations.h"
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
  findBodyContacts(s, nullptr, kMargin);
  int below = 0, above = 0, crossing = 0;
  for (const BodyContact& c : s.work.bodyContacts) {
    EXPECT_NEAR(c.weight[0] + c.weight[1] + c.weight[2] + c.weight[3], 0, 1e-12);
    if (c.weight[1] > 0) {  // of the rim, which two edges of the third sheet cross
      ++crossing;
      EXPECT_LT(c.node[0], 4);
      EXPECT_NEAR(bodyContactValue(s, c) + c.distance, 0.5 * kMargin, 1e-12);
      EXPECT_NEAR(c.n.z, -1, 1e-12);
      continue;
    }
    const bool isBelow = c.node[0] < 8;
    ASSERT_GE(c.node[0], 4) << "the large sheet's corners are not before the small ones";
    for (int k = 1; k < 4; ++k) EXPECT_LT(c.node[k], 4);
    EXPECT_NEAR(bodyContactValue(s, c) + c.distance, isBelow ? 1.5 * kMargin : 0.5 * kMargin, 1e-9);
    EXPECT_NEAR(c.n.z, isBelow ? -1 : 1, 1e-6);
    // nearer than the margin: a tenth of what is missing is given back
    EXPECT_NEAR(c.distance, isBelow ? kMargin : 0.55 * kMargin, 1e-9);
    EXPECT_EQ(c.acts, !isBelow);
    ++(isBelow ? below : above);
  }
  EXPECT_EQ(crossing, 2);
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

// Linear and angular, about the origin.
std::pair<Vec3d, Vec3d> momentumOf(const SolidState& s) {
  Vec3d linear{}, angular{};
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    linear += s.v[i] * s.mass[i];
    angular += cross(s.x[i], s.v[i]) * s.mass[i];
  }
  return {linear, angular};
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
  const auto before = momentumOf(s);
  double pushed = 0;
  for (int k = 0; k < 100; ++k) {
    stepSolids(exec, s, nullptr, kMargin, {}, 0, 1e-3, 1, 5);
    for (const BodyContact& c : s.work.bodyContacts) pushed += c.lambda / 1e-3;
  }
  const auto after = momentumOf(s);
  EXPECT_GT(pushed, 0.01);
  EXPECT_LT(norm(after.first - before.first), 1e-10 * pushed);
  EXPECT_LT(norm(after.second - before.second), 1e-10 * pushed);
}

// Nothing can be done about nodes that are all held, and no row is made of them.
TEST(BodyContact, NodesThatCannotMoveHaveNone) {
  SolidState s;
  addSheet(s, 4, 0.2, {0, 0, 0});
  addSheet(s, 4, 0.2, {0.02, 0.01, 0.5 * kMargin}, 0.2);
  s.xPrev = s.x;
  findBodyContacts(s, nullptr, kMargin);
  ASSERT_GT(s.work.bodyContacts.size(), 10u);
  for (double& w : s.w) w = 0;
  findBodyContacts(s, nullptr, kMargin);
  EXPECT_TRUE(s.work.bodyContacts.empty());
  s.w[12] = 1;  // one in the middle of the first sheet: itself, and what is before its triangles
  findBodyContacts(s, nullptr, kMargin);
  EXPECT_FALSE(s.work.bodyContacts.empty());
  for (const BodyContact& c : s.work.bodyContacts) {
    double own = 0;
    for (int k = 0; k < 4; ++k)
      if (c.node[k] == 12) own = std::fabs(c.weight[k]);
    EXPECT_GT(own, 0);
  }
}

// Two strips without a node between their ends, crosswise: the upper one falls on the lower one, which is held at its ends. No node
// of either is before a triangle of the other.
TEST(BodyContact, StripsThatCrossHoldOneAnother) {
  Exec exec;
  for (const double turn : {0.0, 0.3}) {
    SolidState s;
    const auto addStrip = [&](const Vec3d& along, const Vec3d& across, const Vec3d& centre) {
      SurfaceMesh m;
      for (const double u : {-0.5, 0.5})
        for (const double v : {-0.5, 0.5}) m.x.push_back(centre + along * u + across * v);
      m.tri = {0, 2, 3, 0, 3, 1};
      addShell(s, clothDef(), m);
    };
    const Vec3d along{std::cos(turn), std::sin(turn), 0}, across{-std::sin(turn), std::cos(turn), 0};
    addStrip({0.2, 0, 0}, {0, 0.02, 0}, {0, 0, 0});
    addStrip(across * 0.2, along * 0.02, {0.01, 0, 0.01});
    for (std::size_t i = 0; i < 4; ++i) s.w[i] = 0;
    colourConstraints(s, false);
    double least = 1;
    for (int k = 0; k < 400; ++k) {
      stepSolids(exec, s, nullptr, kMargin, {0, 0, -9.81}, 0, 1e-3, 1, 10);
      for (std::size_t i = 4; i < 8; ++i) least = std::min(least, s.x[i].z);
    }
    EXPECT_GT(least, 0.5 * kMargin) << turn;
    EXPECT_LT(s.x[4].z, 1.5 * kMargin) << turn;
  }
}

// Two slim triangles, crosswise and far from their corners, meet: what one gets the other gives, and no spin comes of it.
TEST(BodyContact, EdgesThatCrossKeepMomentum) {
  Exec exec;
  SolidState s;
  for (const bool upper : {false, true}) {
    SurfaceMesh m;
    m.x = {{-0.1, -0.01, 0}, {0.1, -0.004, 0}, {-0.1, 0.012, 0}};
    for (Vec3d& x : m.x)
      if (upper) x = {x.y + 0.013, x.x, 0.01};
    m.tri = {0, 1, 2};
    addShell(s, clothDef(), m);
  }
  colourConstraints(s, false);
  setVelocity(s, 1, {0, 0, -1});
  const auto before = momentumOf(s);
  double pushed = 0;
  for (int k = 0; k < 30; ++k) {
    stepSolids(exec, s, nullptr, kMargin, {}, 0, 1e-3, 1, 5);
    for (const BodyContact& c : s.work.bodyContacts) {
      EXPECT_GT(c.weight[1], 0) << "no node is before the other triangle";
      pushed += c.lambda / 1e-3;
    }
  }
  const auto after = momentumOf(s);
  EXPECT_GT(pushed, 1e-4);
  EXPECT_LT(norm(after.first - before.first), 1e-10 * pushed);
  EXPECT_LT(norm(after.second - before.second), 1e-10 * pushed);
}

// The search keeps its memory: sub-steps that have made all their room allocate nothing.
TEST(BodyContact, SteadyStepsAllocateNothing) {
  Exec exec;
  SolidState s;
  addSheet(s, 10, 0.4, {0, 0, 0});
  addSheet(s, 7, 0.2, {0.01, 0.02, 1.2 * kMargin}, 0.4);
  for (const Index corner : {0, 10, 110, 120}) s.w[std::size_t(corner)] = 0;
  colourConstraints(s, false);
  const auto steps = [&](int n) {
    for (int k = 0; k < n; ++k) stepSolids(exec, s, nullptr, kMargin, {0, 0, -9.81}, 0, 1e-3, 1, 10);
  };
  steps(400);
  ASSERT_FALSE(s.work.bodyContacts.empty());
  const std::uint64_t before = testing::allocationsOfProgram();
  ASSERT_GT(before, 0u);
  steps(50);
  EXPECT_EQ(testing::allocationsOfProgram(), before);
}

}  // namespace
}  // namespace meniscus

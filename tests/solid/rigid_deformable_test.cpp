// Rigid bodies that touch bodies that deform.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/solid/body_contact.h"
#include "engine/solid/obstacles.h"
#include "engine/solid/rigid.h"
#include "tests/solid/meshes.h"
#include "tests/solid/rigid_defs.h"

namespace meniscus {
namespace {

constexpr double kMargin = 0.005;

using testing::noWalls;
using testing::rigidDef;

// Two triangles that make a square of this edge in the plane z = 0; its nodes have a mass of 0.25 each.
void addSquare(SolidState& s, double edge) {
  SurfaceMesh mesh;
  const double h = 0.5 * edge;
  mesh.x = {{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}};
  mesh.tri = {0, 1, 2, 0, 2, 3};
  SolidDef d;
  d.name = "sheet";
  d.kind = SolidKind::cloth;
  d.material.arealDensity = 1 / (edge * edge);
  addShell(s, d, mesh);
  colourConstraints(s, true);
}
void addBody(SolidState& s, ShapeKind kind, const Vec3d& size, double radius, const Vec3d& at, const Quatd& turn = {}) {
  SolidDef d = rigidDef(kind, size, radius, 0);
  d.transform.translate = at;
  d.transform.rotate = turn;
  addRigid(s, d, nullptr);
}
// As at the start of a sub-step in which nothing moves.
std::vector<BodyContact> contactsOf(SolidState& s) {
  for (std::size_t i = 0; i < s.x.size(); ++i) s.xPrev[i] = s.x[i];
  for (RigidBody& b : s.rigid) {
    b.xPrev = b.x;
    b.qPrev = b.q;
  }
  const SceneObstacles obstacles(noWalls(), s);
  findBodyContacts(s, obstacles.pairs(), kMargin);
  return s.work.bodyContacts;
}
double nearest(const std::vector<BodyContact>& contacts, const SolidState& s) {
  double least = 1e9;
  for (const BodyContact& c : contacts) least = std::min(least, bodyContactValue(s, c) + c.distance);
  return least;
}

// A ball, a box on a corner, on an edge and on its face, over the middle of a triangle that is larger than they are: what is
// nearest is found where it is, on whichever side of the sheet, and the weights are those of that place.
TEST(RigidDeformable, FindsTheNearestPlace) {
  const Quatd edge = Quatd::axisAngle({1, 0, 0}, 0.78539816339744831);
  const Quatd corner = Quatd::axisAngle({0, 1, 0}, 0.61547970867038734) * edge;
  const double gap = 0.008;
  for (const double side : {1.0, -1.0})
    for (int k = 0; k < 4; ++k) {
      SolidState s;
      addSquare(s, 1);
      const double half[] = {0.05, 0.05, 0.05 * std::sqrt(2.0), 0.05 * std::sqrt(3.0)};
      const Vec3d at{0.1, -0.2, side * (half[k] + gap)};
      if (k == 0)
        addBody(s, ShapeKind::sphere, {}, 0.05, at);
      else
        addBody(s, ShapeKind::box, {0.1, 0.1, 0.1}, 0, at, k == 1 ? Quatd{} : k == 2 ? edge : corner);
      const std::vector<BodyContact> all = contactsOf(s);
      ASSERT_FALSE(all.empty()) << k;
      EXPECT_NEAR(nearest(all, s), gap, 1e-5) << k;
      for (const BodyContact& c : all) {
        Vec3d place{};
        double sum = 0;
        for (int n = 0; n < 4; ++n) {
          place += s.x[std::size_t(c.node[n])] * c.weight[n];
          sum += c.weight[n];
        }
        const Vec3d own = s.rigid[0].x + s.rigid[0].q.rotate(c.local);
        EXPECT_NEAR(sum, 1, 1e-12) << k;
        EXPECT_LT(c.n.z * side, 0) << k;  // from the body to the sheet
        EXPECT_NEAR(dot(place - own, c.n), bodyContactValue(s, c) + c.distance, 1e-9) << k;
      }
    }
}

// The corners of a thin plate that are behind it, seen from the sheet, do not pull the sheet through it.
TEST(RigidDeformable, CornersBehindAThinWallDoNotCount) {
  SolidState s;
  addSquare(s, 1);
  SurfaceMesh plate = testing_meshes::box({0.2, 0.2, 0.004});
  for (Vec3d& x : plate.x) x += Vec3d{0.05, -0.2, 0.004};
  SolidDef d;
  d.name = "plate";
  d.kind = SolidKind::rigid;
  d.shape.kind = ShapeKind::mesh;
  d.material.density = 500;
  addRigid(s, d, &plate);
  const std::vector<BodyContact> all = contactsOf(s);
  ASSERT_FALSE(all.empty());
  for (const BodyContact& c : all) EXPECT_LT(c.n.z, -0.9);
  EXPECT_NEAR(nearest(all, s), 0.004, 1e-5);
}

// What is too far off, and what two bodies do not both reach, is left out.
TEST(RigidDeformable, LeavesOutWhatIsFar) {
  SolidState s;
  addSquare(s, 1);
  addBody(s, ShapeKind::sphere, {}, 0.05, {0, 0, 0.05 + 5 * kMargin});
  EXPECT_TRUE(contactsOf(s).empty());
  s.rigid[0].x = {0.7, 0, 0.05};
  EXPECT_TRUE(contactsOf(s).empty());
}

// A free sheet under a ball that falls: they part again or go on together, with the momentum that they had; a pinned one
// carries it.
TEST(RigidDeformable, SheetCarriesABall) {
  Exec exec(1);
  for (const bool pinned : {false, true}) {
    SolidState s;
    addSquare(s, 0.4);
    if (pinned)
      for (double& w : s.w) w = 0;
    addBody(s, ShapeKind::sphere, {}, 0.05, {0.03, -0.06, 0.08});
    s.rigid[0].v = {0, 0, -1};
    const auto momentum = [&s] {
      Vec3d p = s.rigid[0].v * s.rigid[0].mass;
      for (std::size_t i = 0; i < s.x.size(); ++i)
        if (s.w[i] > 0) p += s.v[i] * (1 / s.w[i]);
      return p;
    };
    const Vec3d before = momentum();
    const SceneObstacles obstacles(noWalls(), s);
    double lowest = 1;
    for (int k = 0; k < 200; ++k) {
      stepSolids(exec, s, &obstacles, kMargin, {0, 0, pinned ? -9.81 : 0}, 1e-3 * k, 1e-3, 1, 20);
      lowest = std::min(lowest, s.rigid[0].x.z);
    }
    if (pinned) {
      EXPECT_GT(lowest, 0.05 + 0.8 * kMargin);
      EXPECT_NEAR(s.rigid[0].x.z, 0.05 + kMargin, 0.1 * kMargin);
      EXPECT_LT(std::fabs(s.rigid[0].v.z), 0.01);
    } else {
      EXPECT_LT(norm(momentum() - before), 1e-9);
      double sheet = 0;
      for (const Vec3d& v : s.v) sheet = std::min(sheet, v.z);
      EXPECT_LT(sheet, -0.05);
      EXPECT_GT(s.rigid[0].v.z, -0.9);  // it has been slowed down
    }
  }
}

}  // namespace
}  // namespace meniscus

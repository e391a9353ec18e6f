// Rigid bodies that touch each other.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/solid/contact.h"
#include "engine/solid/obstacles.h"
#include "engine/solid/rigid.h"
#include "tests/solid/meshes.h"
#include "tests/solid/rigid_defs.h"

namespace meniscus {
namespace {

const Vec3d kGravity{0, 0, -9.81};
constexpr double kPi = 3.14159265358979323846;

using testing::noWalls;
using testing::rigidDef;

SolidDef box(const Vec3d& size, const Vec3d& at) {
  SolidDef d = rigidDef(ShapeKind::box, size, 0, 0);
  d.transform.translate = at;
  return d;
}
SolidDef ball(double radius, const Vec3d& at) {
  SolidDef d = rigidDef(ShapeKind::sphere, {}, radius, 0);
  d.transform.translate = at;
  return d;
}
// As a mesh, in the place that its transform says.
void addMeshBox(SolidState& s, const SolidDef& d) {
  SurfaceMesh mesh = testing_meshes::box(d.shape.size);
  for (Vec3d& x : mesh.x) x = d.transform.translate + d.transform.rotate.rotate(x - d.shape.size * 0.5);
  SolidDef m = d;
  m.shape.kind = ShapeKind::mesh;
  m.transform = {};
  addRigid(s, m, &mesh);
}
void addGround(SolidState& s, double friction) {
  SolidDef d;
  d.name = "ground";
  d.kind = SolidKind::fixed;
  d.shape.kind = ShapeKind::plane;
  d.material.friction = friction;
  addRigid(s, d, nullptr);
}

struct Momenta {
  Vec3d linear{}, angular{};
  double energy = 0;
  explicit Momenta(const SolidState& s) {
    for (const RigidBody& b : s.rigid) {
      if (b.invMass == 0) continue;
      const Vec3d l = b.q.conjugate().rotate(b.omega), spin{l.x * b.inertia.x, l.y * b.inertia.y, l.z * b.inertia.z};
      linear += b.v * b.mass;
      angular += cross(b.x, b.v) * b.mass + b.q.rotate(spin);
      energy += 0.5 * (b.mass * norm2(b.v) + dot(l, spin));
    }
  }
};

void step(SolidState& s, const Obstacles& obstacles, const Vec3d& g, int steps, double dt, double margin = 0, int sweeps = 20) {
  Exec exec(1);
  for (int k = 0; k < steps; ++k) stepSolids(exec, s, &obstacles, margin, g, k * dt, dt, 1, sweeps);
}

// Two balls head-on: v1' = ((m1 - e m2) v1 + (1 + e) m2 v2) / (m1 + m2).
TEST(RigidPairs, BallsBounceByTheirMasses) {
  for (double e : {0.0, 0.5, 1.0}) {
    SolidState s;
    SolidDef a = ball(0.05, {-0.06, 0, 0}), b = ball(0.08, {0.09, 0, 0});
    a.velocity = {2, 0, 0};
    b.velocity = {-1, 0, 0};
    a.material.restitution = e;
    addRigid(s, a, nullptr);
    addRigid(s, b, nullptr);
    const double m1 = s.rigid[0].mass, m2 = s.rigid[1].mass;
    const SceneObstacles obstacles(noWalls(), s);
    step(s, obstacles, {}, 30, 1e-3, 0, 4);
    EXPECT_NEAR(s.rigid[0].v.x, ((m1 - e * m2) * 2 - (1 + e) * m2) / (m1 + m2), 1e-9) << e;
    EXPECT_NEAR(s.rigid[1].v.x, ((m2 - e * m1) * -1 + (1 + e) * m1 * 2) / (m1 + m2), 1e-9) << e;
    EXPECT_NEAR(m1 * s.rigid[0].v.x + m2 * s.rigid[1].v.x, 2 * m1 - m2, 1e-12) << e;
  }
}

// All shapes at one another, off centre and turning: momentum and spin stay, energy does not come from nowhere, and nothing goes
// through.
TEST(RigidPairs, CollisionsKeepMomentumAndSpin) {
  const auto shaped = [](int k) {
    switch (k) {
      case 0:
        return rigidDef(ShapeKind::box, {0.2, 0.15, 0.1}, 0, 0);
      case 1:
        return rigidDef(ShapeKind::sphere, {}, 0.09, 0);
      case 2:
        return rigidDef(ShapeKind::capsule, {}, 0.05, 0.15);
      case 3:
        return rigidDef(ShapeKind::cylinder, {}, 0.07, 0.14);
      default:
        return rigidDef(ShapeKind::box, {0.12, 0.18, 0.16}, 0, 0);
    }
  };
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 5; ++k)
      for (double friction : {0.0, 0.5}) {
        SolidState s;
        SolidDef a = shaped(i), b = shaped(k);
        a.transform.translate = {-0.2, 0.02, 0.01};
        b.transform.translate = {0.2, -0.02, 0};
        a.transform.rotate = Quatd::axisAngle(normalized(Vec3d{1, 2, 3}), 0.4 + i);
        b.transform.rotate = Quatd::axisAngle(normalized(Vec3d{-2, 1, 1}), 0.7 + 0.3 * k);
        a.velocity = {2, 0, 0};
        b.velocity = {-2, 0.1, 0};
        b.angularVelocity = {1, -2, 3};
        a.material.friction = friction;
        if (i == 4)
          addMeshBox(s, a);
        else
          addRigid(s, a, nullptr);
        if (k == 4)
          addMeshBox(s, b);
        else
          addRigid(s, b, nullptr);
        if (i == 4) s.rigid[0].v = {2, 0, 0};
        const Momenta before(s);
        const SceneObstacles obstacles(noWalls(), s);
        step(s, obstacles, {}, 2000, 1e-4);
        const Momenta after(s);
        const std::string what = std::to_string(i) + " at " + std::to_string(k) + ", friction " + std::to_string(friction);
        EXPECT_LT(norm(after.linear - before.linear), 1e-12) << what;
        EXPECT_LT(norm(after.angular - before.angular), 0.015 * norm(before.angular)) << what;
        EXPECT_LT(after.energy, before.energy * (1 + 1e-9)) << what;
        EXPECT_LT(after.energy, 0.8 * before.energy) << what << ": they missed one another";
        EXPECT_LT(s.rigid[0].x.x, s.rigid[1].x.x) << what;
      }
}

// Three boxes on one another, two of them meshes and one flush with the first, stay for 2 s.
TEST(RigidPairs, StackStands) {
  constexpr double kMargin = 1e-3;
  SolidState s;
  addGround(s, 0.5);
  addRigid(s, box({0.2, 0.2, 0.1}, {0, 0, 0.05 + kMargin}), nullptr);
  SolidDef middle = box({0.15, 0.2, 0.1}, {0.01, 0, 0.15 + 2 * kMargin});
  middle.material.friction = 0.5;
  addMeshBox(s, middle);
  SolidDef top = box({0.1, 0.1, 0.1}, {0, 0.02, 0.25 + 3 * kMargin});
  top.transform.rotate = Quatd::axisAngle({0, 0, 1}, 0.5);
  addMeshBox(s, top);
  std::vector<Vec3d> start;
  for (const RigidBody& b : s.rigid) start.push_back(b.x);
  const SceneObstacles obstacles(noWalls(), s);
  step(s, obstacles, kGravity, 1000, 2e-3, kMargin);
  for (std::size_t k = 1; k < s.rigid.size(); ++k) {
    EXPECT_LT(norm(s.rigid[k].x - start[k]), 2e-4) << k;
    EXPECT_LT(norm(s.rigid[k].v), 1e-3) << k;
    EXPECT_LT(norm(s.rigid[k].omega), 1e-2) << k;
  }
}

// A plank across another one: no corner of either is over the other's faces, so their edges alone can carry.
TEST(RigidPairs, PlanksLieCrossed) {
  for (const bool meshes : {false, true}) {
    SolidState s;
    addGround(s, 0.5);
    const SolidDef a = box({0.6, 0.06, 0.04}, {0, 0, 0.02}), b = box({0.06, 0.6, 0.04}, {0, 0, 0.07});
    for (const SolidDef& d : {a, b})
      if (meshes)
        addMeshBox(s, d);
      else
        addRigid(s, d, nullptr);
    const SceneObstacles obstacles(noWalls(), s);
    step(s, obstacles, kGravity, 500, 2e-3);
    EXPECT_NEAR(s.rigid[2].x.z, 0.06, 1e-4) << meshes;
    EXPECT_LT(norm(s.rigid[2].v), 1e-3) << meshes;
    EXPECT_LT(norm(s.rigid[2].omega), 1e-2) << meshes;
  }
}

// Thin plates that meet crosswise at speed: edges that face away from each other are as near as those that meet.
TEST(RigidPairs, ThinPlatesMeet) {
  for (const double speed : {1.0, 4.0}) {
    SolidState s;
    SolidDef a = box({0.3, 0.06, 0.004}, {0, 0, 0}), b = box({0.06, 0.3, 0.004}, {0, 0, 0.004 + 1.5 * speed * 2e-3});
    b.velocity = {0, 0, -speed};
    addRigid(s, a, nullptr);
    addRigid(s, b, nullptr);
    const Momenta before(s);
    const SceneObstacles obstacles(noWalls(), s);
    for (int k = 0; k < 60; ++k) {
      step(s, obstacles, {}, 1, 2e-3);
      EXPECT_GT(s.rigid[1].x.z, s.rigid[0].x.z) << speed << ", step " << k;
      EXPECT_LT(Momenta(s).energy, before.energy * (1 + 1e-9)) << speed << ", step " << k;
    }
    EXPECT_LT(s.rigid[0].v.z, -0.3 * speed);
  }
}

// A box that slides on a heavy one: mu g one way, mu g m / M the other; then they go on together, by the momentum.
TEST(RigidPairs, FrictionActsOnBoth) {
  SolidState s;
  addGround(s, 0);
  SolidDef below = box({2, 0.4, 0.1}, {0.5, 0, 0.05}), above = box({0.2, 0.2, 0.1}, {0, 0, 0.15});
  above.velocity = {1, 0, 0};
  above.material.friction = 0.3;
  addRigid(s, below, nullptr);
  addRigid(s, above, nullptr);
  const double m = s.rigid[2].mass, M = s.rigid[1].mass;
  const SceneObstacles obstacles(noWalls(), s);
  step(s, obstacles, kGravity, 100, 1e-3);
  EXPECT_NEAR(s.rigid[2].v.x, 1 - 0.3 * 9.81 * 0.1, 0.01 * 0.3 * 9.81 * 0.1);
  EXPECT_NEAR(s.rigid[1].v.x, 0.3 * 9.81 * 0.1 * m / M, 0.01 * 0.3 * 9.81 * 0.1 * m / M);
  step(s, obstacles, kGravity, 400, 1e-3);
  for (int k : {1, 2}) EXPECT_NEAR(s.rigid[std::size_t(k)].v.x, m / (m + M), 1e-3) << k;
}

// The gap that bodies keep, and those that were built nearer part slowly.
TEST(RigidPairs, KeepTheMargin) {
  for (double gap : {0.02, 0.001}) {
    SolidState s;
    SolidDef a = ball(0.05, {0, 0, 0}), b = ball(0.05, {0.1 + gap, 0, 0});
    b.velocity = {-0.5, 0, 0};
    addRigid(s, a, nullptr);
    addRigid(s, b, nullptr);
    const SceneObstacles obstacles(noWalls(), s);
    double nearest = 1, fastest = 0;
    for (int k = 0; k < 100; ++k) {
      step(s, obstacles, {}, 1, 1e-3, 0.01);
      nearest = std::min(nearest, norm(s.rigid[0].x - s.rigid[1].x) - 0.1);
      fastest = std::max({fastest, norm(s.rigid[0].v), norm(s.rigid[1].v)});
    }
    EXPECT_GT(nearest, std::min(gap, 0.01) - 1e-9) << gap;
    EXPECT_LT(fastest, gap < 0.01 ? 1.5 : 0.5 + 1e-9) << gap;
  }
}

}  // namespace
}  // namespace meniscus

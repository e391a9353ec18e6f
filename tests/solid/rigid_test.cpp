// Rigid bodies: mass properties, free motion, contact with friction and restitution.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/solid/motion.h"
#include "engine/solid/obstacles.h"
#include "engine/solid/rigid.h"
#include "tests/solid/meshes.h"
#include "tests/solid/rigid_defs.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846;
const Vec3d kGravity{0, 0, -9.81};

using testing::noWalls;
using testing::rigidDef;

// A fixed plane through the origin, turned about y: down is +x.
SolidDef incline(double angle, double friction) {
  SolidDef d;
  d.name = "slope";
  d.kind = SolidKind::fixed;
  d.shape.kind = ShapeKind::plane;
  d.transform.rotate = Quatd::axisAngle({0, 1, 0}, angle);
  d.material.friction = friction;
  return d;
}

TEST(MassProperties, MeshOfABoxIsExact) {
  const Vec3d size{1, 2, 3};
  SurfaceMesh m = testing_meshes::box(size);
  for (Vec3d& x : m.x) x += Vec3d{10, -20, 30};
  const MassProperties p = massProperties(m);
  ShapeDef s;
  s.kind = ShapeKind::box;
  s.size = size;
  const MassProperties q = massProperties(s);
  EXPECT_NEAR(p.volume, 6, 1e-12);
  EXPECT_LT(norm(p.center - Vec3d{10.5, -19, 31.5}), 1e-12);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(p.inertia.r[i][j], q.inertia.r[i][j], 1e-11);
  EXPECT_NEAR(q.inertia.r[0][0], 6.0 / 12 * (4 + 9), 1e-12);
}

// 1280 triangles inscribed in a sphere: volume and inertia are low by about 1 % and 2 %, halved edge lengths quarter that.
TEST(MassProperties, MeshOfASphereConverges) {
  ShapeDef s;
  s.kind = ShapeKind::sphere;
  s.radius = 0.7;
  const MassProperties q = massProperties(s);
  const MassProperties a = massProperties(testing_meshes::icosphere(3, 0.7)), b = massProperties(testing_meshes::icosphere(4, 0.7));
  const double ea = 1 - a.inertia.r[0][0] / q.inertia.r[0][0], eb = 1 - b.inertia.r[0][0] / q.inertia.r[0][0];
  EXPECT_NEAR(ea / eb, 4, 0.1);
  EXPECT_LT(eb, 0.006);
}

// A capsule between sphere and cylinder: with no height it is the sphere; its moments add up from the parts (Monte Carlo to 0.5 %).
TEST(MassProperties, CapsuleMatchesSampling) {
  ShapeDef s;
  s.kind = ShapeKind::capsule;
  s.radius = 0.4;
  s.height = 1.0;
  double volume = 0, xx = 0, zz = 0;
  const int n = 120;
  const double hx = 0.8 / n, hz = 1.8 / n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3d p{-0.4 + (i + 0.5) * hx, -0.4 + (j + 0.5) * hx, -0.9 + (k + 0.5) * hz};
        const double z = std::max(0.0, std::fabs(p.z) - 0.5);
        if (p.x * p.x + p.y * p.y + z * z > 0.16) continue;
        volume += hx * hx * hz;
        xx += (p.y * p.y + p.z * p.z) * hx * hx * hz;
        zz += (p.x * p.x + p.y * p.y) * hx * hx * hz;
      }
  const MassProperties m = massProperties(s);
  EXPECT_NEAR(m.volume / volume, 1, 5e-3);
  EXPECT_NEAR(m.inertia.r[0][0] / xx, 1, 5e-3);
  EXPECT_NEAR(m.inertia.r[2][2] / zz, 1, 5e-3);
}

TEST(RigidBody, MeshBodyIsItsBox) {
  SolidState s;
  SurfaceMesh m = testing_meshes::box({0.2, 0.3, 0.5});
  const Quatd q = Quatd::axisAngle({1, 2, 3}, 0.7);
  for (Vec3d& x : m.x) x = q.rotate(x) + Vec3d{1, 2, 3};
  addRigid(s, rigidDef(ShapeKind::mesh, {}, 0, 0), &m);
  const RigidBody& b = s.rigid[0];
  EXPECT_NEAR(b.mass, 500 * 0.03, 1e-10);
  double i[3] = {b.inertia.x, b.inertia.y, b.inertia.z};
  std::sort(i, i + 3);
  EXPECT_NEAR(i[0], b.mass / 12 * (0.04 + 0.09), 1e-10);
  EXPECT_NEAR(i[2], b.mass / 12 * (0.25 + 0.09), 1e-10);
  for (Index k = 0; k < 8; ++k) EXPECT_LT(norm(s.x[k] - m.x[std::size_t(k)]), 1e-12);  // nodes stay where the mesh was
}

// Torque-free tumbling about the unstable middle axis: the angular momentum is constant to round-off, the energy oscillates without
// drift (1e5 steps, some 150 tumbles) with an amplitude of order dt^2.
TEST(RigidBody, FreeTumblingKeepsMomentumAndEnergy) {
  SolidState s;
  SolidDef d = rigidDef(ShapeKind::box, {0.1, 0.2, 0.4}, 0, 0);
  d.angularVelocity = {0.02, 10, 0.01};
  d.velocity = {1, 2, 3};
  addRigid(s, d, nullptr);
  RigidBody& b = s.rigid[0];
  const auto momentum = [&] {
    const Vec3d l = b.q.conjugate().rotate(b.omega);
    return b.q.rotate({l.x * b.inertia.x, l.y * b.inertia.y, l.z * b.inertia.z});
  };
  const Vec3d l0 = momentum();
  const double e0 = energyOfSolids(s, {}).kinetic;
  double worst = 0, late = 0;
  for (int k = 0; k < 100000; ++k) {
    predictRigid(b, {}, 0, 1e-3);
    const double e = std::fabs(energyOfSolids(s, {}).kinetic / e0 - 1);
    worst = std::max(worst, e);
    if (k >= 90000) late = std::max(late, e);
  }
  EXPECT_LT(norm(momentum() - l0) / norm(l0), 1e-10);
  EXPECT_LT(worst, 2e-4);
  EXPECT_LT(late, 1.05 * worst);
}

// Slides at g (sin a - mu cos a), or not at all where mu > tan a.
// Changes of the velocity within a step move the pose by their sum, in whatever order they come.
TEST(RigidBody, PoseFollowsTheSumOfTheChanges) {
  SolidState s;
  addRigid(s, rigidDef(ShapeKind::box, {0.3, 0.1, 0.2}, 0, 0), nullptr);
  s.rigid[0].omega = {1, -2, 0.5};
  const double dt = 0.01;
  predictRigid(s.rigid[0], kGravity, dt, dt);
  const RigidBody predicted = s.rigid[0];
  const Vec3d turns[3] = {{8, 0, 0}, {0, 12, 0}, {0, -3, 9}};
  RigidBody& b = s.rigid[0];
  Vec3d sum{};
  for (const Vec3d& turn : turns) {
    addRigidVelocity(b, {0.1, 0, 0}, turn, dt);
    sum += turn;
  }
  RigidBody once = predicted;
  addRigidVelocity(once, {0.3, 0, 0}, sum, dt);
  EXPECT_NEAR(norm(b.q.rotate({1, 0, 0}) - once.q.rotate({1, 0, 0})), 0, 1e-14);
  EXPECT_NEAR(norm(b.q.rotate({0, 1, 0}) - once.q.rotate({0, 1, 0})), 0, 1e-14);
  EXPECT_NEAR(norm(b.x - once.x), 0, 1e-14);
  addRigidVelocity(b, predicted.v - b.v, predicted.omega - b.omega, dt);
  EXPECT_NEAR(norm(b.q.rotate({1, 1, 1}) - predicted.q.rotate({1, 1, 1})), 0, 1e-14);
}

TEST(RigidContact, BlockOnAnInclineSlidesByCoulomb) {
  Exec exec(1);
  const double a = 0.5, dt = 1e-3;
  for (double mu : {0.0, 0.2, 0.4, 0.7}) {
    SolidState s;
    addRigid(s, incline(a, mu), nullptr);
    SolidDef d = rigidDef(ShapeKind::box, {0.2, 0.2, 0.1}, 0, 0);
    d.transform.rotate = Quatd::axisAngle({0, 1, 0}, a);
    d.transform.translate = d.transform.rotate.rotate({0, 0, 0.05});
    addRigid(s, d, nullptr);
    const SceneObstacles obstacles(noWalls(), s);
    for (int k = 0; k < 500; ++k) stepSolids(exec, s, &obstacles, 0, kGravity, k * dt, dt, 1, 20);
    const double expected = std::max(0.0, 9.81 * (std::sin(a) - mu * std::cos(a))) * 0.5;
    const Vec3d down = Quatd::axisAngle({0, 1, 0}, a).rotate({1, 0, 0});
    EXPECT_NEAR(dot(s.rigid[1].v, down), expected, 0.01 * 9.81 * 0.5) << "friction " << mu;
    EXPECT_LT(norm(s.rigid[1].v - down * dot(s.rigid[1].v, down)), 1e-3);
    EXPECT_LT(norm(s.rigid[1].omega), 1e-2);
  }
}

// Rolls at g sin a / (1 + I/m r^2): 5/7 for a ball, 2/3 for a cylinder; with little friction it slides and spins slower.
TEST(RigidContact, BallAndCylinderRollDownAnIncline) {
  Exec exec(1);
  const double a = 0.4, dt = 1e-3, r = 0.05;
  const Quatd turn = Quatd::axisAngle({0, 1, 0}, a);
  const Vec3d down = turn.rotate({1, 0, 0});
  for (bool ball : {true, false}) {
    SolidState s;
    addRigid(s, incline(a, 0.6), nullptr);
    SolidDef d = rigidDef(ball ? ShapeKind::sphere : ShapeKind::cylinder, {}, r, 0.1);
    d.transform.rotate = turn * Quatd::axisAngle({1, 0, 0}, kPi / 2);
    d.transform.translate = turn.rotate({0, 0, r});
    addRigid(s, d, nullptr);
    const SceneObstacles obstacles(noWalls(), s);
    for (int k = 0; k < 500; ++k) stepSolids(exec, s, &obstacles, 0, kGravity, k * dt, dt, 1, 20);
    const double v = dot(s.rigid[1].v, down), expected = 9.81 * std::sin(a) * 0.5 * (ball ? 5.0 / 7 : 2.0 / 3);
    EXPECT_NEAR(v / expected, 1, 0.01) << ball;
    EXPECT_NEAR(norm(s.rigid[1].omega) * r / v, 1, 0.01) << ball;
  }
}

// Dropped with speed 2 m/s and restitution e, a ball leaves at 2 e.
TEST(RigidContact, BallBouncesByItsRestitution) {
  Exec exec(1);
  for (double e : {0.0, 0.5, 1.0}) {
    SolidState s;
    addRigid(s, incline(0, 0), nullptr);
    SolidDef d = rigidDef(ShapeKind::sphere, {}, 0.05, 0);
    d.transform.translate = {0, 0, 0.06};
    d.velocity = {0, 0, -2};
    d.material.restitution = e;
    addRigid(s, d, nullptr);
    const SceneObstacles obstacles(noWalls(), s);
    for (int k = 0; k < 12; ++k) stepSolids(exec, s, &obstacles, 0, {}, k * 1e-3, 1e-3, 1, 4);
    EXPECT_NEAR(s.rigid[1].v.z, 2 * e, 1e-9) << e;
  }
}

// A box, a mesh box, a cylinder and a capsule lie still on the ground for 2 s: no drift, no creep, no energy.
TEST(RigidContact, BodiesStayAtRest) {
  Exec exec(1);
  SolidState s;
  addRigid(s, incline(0, 0.5), nullptr);
  SolidDef box = rigidDef(ShapeKind::box, {0.2, 0.1, 0.1}, 0, 0);
  box.transform.translate = {0, 0, 0.05};
  addRigid(s, box, nullptr);
  SurfaceMesh mesh = testing_meshes::box({0.2, 0.1, 0.1});
  for (Vec3d& x : mesh.x) x += Vec3d{1, 0, 0};
  addRigid(s, rigidDef(ShapeKind::mesh, {}, 0, 0), &mesh);
  SolidDef can = rigidDef(ShapeKind::cylinder, {}, 0.05, 0.1);
  can.transform.translate = {2, 0, 0.05};
  addRigid(s, can, nullptr);
  SolidDef capsule = rigidDef(ShapeKind::capsule, {}, 0.05, 0.1);
  capsule.transform.translate = {3, 0, 0.05};
  capsule.transform.rotate = Quatd::axisAngle({0, 1, 0}, kPi / 2);
  addRigid(s, capsule, nullptr);
  std::vector<Vec3d> start;
  for (const RigidBody& b : s.rigid) start.push_back(b.x);
  const SceneObstacles obstacles(noWalls(), s);
  for (int k = 0; k < 1000; ++k) stepSolids(exec, s, &obstacles, 0, kGravity, k * 2e-3, 2e-3, 1, 10);
  for (std::size_t k = 1; k < s.rigid.size(); ++k) {
    EXPECT_LT(norm(s.rigid[k].x - start[k]), 1e-4) << k;
    EXPECT_LT(norm(s.rigid[k].v), 1e-3) << k;
    EXPECT_LT(norm(s.rigid[k].omega), 1e-2) << k;
  }
}

// A kinematic mesh that rises at 0.5 m/s and moves aside at 0.2 m/s carries a box along.
TEST(RigidContact, LiftCarriesABox) {
  Exec exec(1);
  SolidState s;
  SurfaceMesh base = testing_meshes::box({0.4, 0.4, 0.1});
  for (Vec3d& x : base.x) x -= Vec3d{0.2, 0.2, 0.1};
  SolidDef lift = rigidDef(ShapeKind::mesh, {}, 0, 0);
  lift.kind = SolidKind::kinematic;
  lift.material.friction = 0.5;
  lift.motion = {{0, {}, {}}, {1, {0.2, 0, 0.5}, {}}};
  addRigid(s, lift, &base);
  SolidDef box = rigidDef(ShapeKind::box, {0.1, 0.1, 0.1}, 0, 0);
  box.transform.translate = {0, 0, 0.05};
  addRigid(s, box, nullptr);
  const SceneObstacles obstacles(noWalls(), s);
  for (int k = 0; k < 500; ++k) stepSolids(exec, s, &obstacles, 0, kGravity, k * 1e-3, 1e-3, 1, 20);
  EXPECT_LT(norm(s.rigid[1].v - Vec3d{0.2, 0, 0.5}), 5e-3);
  EXPECT_NEAR(s.rigid[1].x.z, 0.3, 1e-3);  // 0.05 + 0.5 * 0.5
  // started by a jerk of 0.2 m/s sideways, it slid v^2 / (2 mu g) at most
  EXPECT_NEAR(s.rigid[1].x.x, 0.1, 0.2 * 0.2 / (2 * 0.5 * 9.81) + 1e-3);
}

TEST(Motion, KeyFramesAreInterpolated) {
  std::vector<KeyFrame> m(3);
  m[0] = {1, {0, 0, 0}, {}};
  m[1] = {2, {2, 0, 0}, Quatd::axisAngle({0, 0, 1}, 1.0)};
  m[2] = {4, {2, 4, 0}, Quatd::axisAngle({0, 0, 1}, -1.0)};
  EXPECT_EQ(poseAt(m, 0).x.x, 0);
  EXPECT_NEAR(poseAt(m, 1.25).x.x, 0.5, 1e-15);
  EXPECT_NEAR(poseAt(m, 1.25).q.z, std::sin(0.125), 1e-15);  // constant angular velocity
  EXPECT_NEAR(poseAt(m, 3).q.w, 1, 1e-15);
  EXPECT_NEAR(poseAt(m, 9).x.y, 4, 1e-15);
}

// A kinematic paddle that turns about a point away from its centre: poses, velocities and the angular velocity of the frames.
TEST(Motion, KinematicBodyFollows) {
  SolidState s;
  SolidDef d = rigidDef(ShapeKind::box, {1, 1, 1}, 0, 0);
  d.kind = SolidKind::kinematic;
  d.transform.translate = {1, 0, 0};
  d.motion = {{0, {}, {}}, {2, {0, 2, 0}, Quatd::axisAngle({0, 0, 1}, 1.0)}};
  addRigid(s, d, nullptr);
  Exec exec(1);
  stepSolids(exec, s, nullptr, 0, kGravity, 0, 0.5, 1, 1);
  EXPECT_LT(norm(s.rigid[0].x - Vec3d{1, 0.5, 0}), 1e-14);
  EXPECT_LT(norm(s.rigid[0].v - Vec3d{0, 1, 0}), 1e-14);
  EXPECT_LT(norm(s.rigid[0].omega - Vec3d{0, 0, 0.5}), 1e-14);
}

TEST(RigidBody, OpenMeshIsRefused) {
  SolidState s;
  SurfaceMesh m = testing_meshes::sheet(2, 2, 1, 1);
  EXPECT_THROW(addRigid(s, rigidDef(ShapeKind::mesh, {}, 0, 0), &m), Error);
}

}  // namespace
}  // namespace meniscus

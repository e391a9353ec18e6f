// Obstacles and the contact of nodes with them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/solid/obstacles.h"
#include "tests/solid/meshes.h"

namespace meniscus {
namespace {

const Vec3d kGravity{0, 0, -9.81};

DomainDef noWalls() {
  DomainDef d;
  for (bool& w : d.walls) w = false;
  return d;
}

SolidDef fixedDef(ShapeKind kind) {
  SolidDef d;
  d.name = "obstacle";
  d.kind = SolidKind::fixed;
  d.shape.kind = kind;
  return d;
}

// A box as triangles and as a primitive: the same distances and normals outside, inside and around edges, wherever the direction is
// unique.
TEST(Obstacles, MeshBoxMatchesPrimitiveBox) {
  const Vec3d size{0.4, 0.6, 0.2};
  const Quatd turn = Quatd::axisAngle({1, 1, 0}, 0.8);
  SolidDef d = fixedDef(ShapeKind::box);
  d.shape.size = size;
  d.transform.translate = {1, 2, 3};
  d.transform.rotate = turn;
  SolidState primitive, mesh;
  addRigid(primitive, d, nullptr);
  SurfaceMesh m = testing_meshes::box(size);
  for (Vec3d& x : m.x) x = turn.rotate(x - size * 0.5) + Vec3d{1, 2, 3};
  d.shape.kind = ShapeKind::mesh;
  addRigid(mesh, d, &m);
  const SceneObstacles a(noWalls(), primitive), b(noWalls(), mesh);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-0.6, 0.6);
  int inside = 0, near = 0;
  for (int k = 0; k < 3000; ++k) {
    const Vec3d x = Vec3d{1, 2, 3} + Vec3d{u(random), u(random), u(random)};
    double da, db, fa, fb;
    Vec3d na, nb, v;
    const bool fa1 = a.nearest(x, 0.2, da, na, v, fa), fb1 = b.nearest(x, 0.2, db, nb, v, fb);
    ASSERT_EQ(fa1, fb1) << k;
    if (!fa1) continue;
    ++near;
    inside += da < 0;
    EXPECT_NEAR(da, db, 1e-7);
    if (da > 1e-3) { EXPECT_LT(norm(na - nb), 1e-4) << k << " distance " << da; }
  }
  EXPECT_GT(inside, 30);
  EXPECT_GT(near, 500);
}

// The same on a sphere, against the exact distance; 1280 facets lie up to 1.2 % of the radius inside.
TEST(Obstacles, MeshSphereIsSigned) {
  SolidState s;
  SurfaceMesh m = testing_meshes::icosphere(3, 0.5);
  addRigid(s, fixedDef(ShapeKind::mesh), &m);
  const SceneObstacles o(noWalls(), s);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-0.7, 0.7);
  for (int k = 0; k < 2000; ++k) {
    const Vec3d x{u(random), u(random), u(random)};
    double d, f;
    Vec3d n, v;
    if (!o.nearest(x, 0.1, d, n, v, f)) {
      EXPECT_GT(norm(x), 0.59);
      continue;
    }
    EXPECT_NEAR(d, norm(x) - 0.5, 0.006);
    if (norm(x) > 0.2) { EXPECT_GT(dot(n, normalized(x)), 0.97); }
  }
}

TEST(Obstacles, WallsContainersAndMotion) {
  SolidState s;
  SolidDef tank = fixedDef(ShapeKind::sphere);
  tank.shape.radius = 1;
  tank.shape.container = true;
  tank.kind = SolidKind::kinematic;
  tank.motion = {{0, {}, {}}, {1, {}, Quatd::axisAngle({0, 0, 1}, 0.5)}};
  tank.material.friction = 0.25;
  addRigid(s, tank, nullptr);
  Exec exec(1);
  stepSolids(exec, s, nullptr, 0, {}, 0, 0.1, 1, 1);
  DomainDef domain;
  domain.min = {-2, -2, -0.5};
  domain.max = {2, 2, 2};
  domain.friction = 0.7;
  const SceneObstacles o(domain, s);
  double d, f;
  Vec3d n, v;
  ASSERT_TRUE(o.nearest({0.95, 0, 0}, 0.1, d, n, v, f));
  EXPECT_NEAR(d, 0.05, 1e-12);
  EXPECT_NEAR(n.x, -1, 1e-12);
  EXPECT_NEAR(v.y, 0.5, 1e-9);  // omega 0.5 rad/s at radius 1
  EXPECT_EQ(f, 0.25);
  ASSERT_TRUE(o.nearest({0, 0, -0.45}, 0.1, d, n, v, f));
  EXPECT_NEAR(d, 0.05, 1e-12);
  EXPECT_EQ(n.z, 1);
  EXPECT_EQ(f, 0.7);
  EXPECT_FALSE(o.nearest({0, 0, 0}, 0.1, d, n, v, f));
}

// A patch of cloth on a slope slides at g (sin a - mu cos a).
TEST(NodeContact, ClothSlidesByCoulomb) {
  Exec exec(1);
  const double a = 0.5;
  const Quatd turn = Quatd::axisAngle({0, 1, 0}, a);
  for (double mu : {0.0, 0.3, 0.7}) {
    SolidState s;
    SolidDef slope = fixedDef(ShapeKind::plane);
    slope.transform.rotate = turn;
    slope.material.friction = mu;
    addRigid(s, slope, nullptr);
    SolidDef d;
    d.name = "cloth";
    d.kind = SolidKind::cloth;
    d.material.arealDensity = 0.3;
    d.material.stretch = {Resistance::Kind::compliance, 1e-5, 0};
    SurfaceMesh m = testing_meshes::sheet(4, 4, 0.2, 0.2);
    for (Vec3d& x : m.x) x = turn.rotate(x + Vec3d{0, 0, 0.01});
    addShell(s, d, m);
    colourConstraints(s, false);
    const SceneObstacles o(noWalls(), s);
    for (int k = 0; k < 500; ++k) stepSolids(exec, s, &o, 0.01, kGravity, 0, 1e-3, 1, 4);
    Vec3d v{};
    for (const Vec3d& u : s.v) v += u / double(s.v.size());
    EXPECT_NEAR(dot(v, turn.rotate({1, 0, 0})), std::max(0.0, 9.81 * (std::sin(a) - mu * std::cos(a))) * 0.5, 0.01) << mu;
    EXPECT_LT(std::fabs(dot(v, turn.rotate({0, 0, 1}))), 1e-6);
    for (const Vec3d& x : s.x) EXPECT_NEAR(dot(x, turn.rotate({0, 0, 1})), 0.01, 1e-6);
  }
}

// A soft cube dropped on a fixed mesh sphere and the floor comes to rest and nowhere enters either.
TEST(NodeContact, SoftCubeComesToRest) {
  Exec exec(1);
  SolidState s;
  SurfaceMesh ball = testing_meshes::icosphere(3, 0.1);
  SolidDef post = fixedDef(ShapeKind::mesh);
  post.material.friction = 0.5;
  addRigid(s, post, &ball);
  SolidDef d;
  d.name = "cube";
  d.kind = SolidKind::soft;
  d.material.density = 500;
  d.material.youngsModulus = 2e4;
  d.material.stretch.damping = 0.02;
  TetMesh m = testing_meshes::block(3, 3, 3, {0.2, 0.2, 0.2});
  for (Vec3d& x : m.x) x += Vec3d{-0.06, -0.1, 0.15};
  addSoft(s, d, m);
  colourConstraints(s, false);
  DomainDef domain = noWalls();
  domain.walls[4] = true;
  domain.min.z = -0.1;
  domain.friction = 0.5;
  const SceneObstacles o(domain, s);
  for (int k = 0; k < 3000; ++k) stepSolids(exec, s, &o, 0.002, kGravity, 0, 1e-3, 1, 4);
  double speed = 0, floor = 1, sphere = 1;
  for (Index i = s.bodies[1].nodeBegin; i < s.bodies[1].nodeEnd; ++i) {
    speed = std::max(speed, norm(s.v[i]));
    floor = std::min(floor, s.x[i].z + 0.1);
    sphere = std::min(sphere, norm(s.x[i]) - 0.1);
  }
  EXPECT_GE(floor, 0.002 - 1e-6);
  EXPECT_GE(sphere, 0.002 - 0.0013);  // the facets lie inside the sphere
  EXPECT_LT(speed, 0.02);
}

// Nodes thrown at a floor leave with restitution times the speed they came with.
TEST(NodeContact, Restitution) {
  Exec exec(1);
  for (double e : {0.0, 0.6}) {
    SolidState s;
    SolidDef d;
    d.name = "cloth";
    d.kind = SolidKind::cloth;
    d.material.arealDensity = 0.3;
    d.material.restitution = e;
    d.velocity = {0, 0, -3};
    SurfaceMesh m = testing_meshes::sheet(2, 2, 0.2, 0.2);
    for (Vec3d& x : m.x) x += Vec3d{0, 0, 0.02};
    addShell(s, d, m);
    colourConstraints(s, false);
    DomainDef domain = noWalls();
    domain.walls[4] = true;
    const SceneObstacles o(domain, s);
    for (int k = 0; k < 8; ++k) stepSolids(exec, s, &o, 0.005, {}, 0, 1e-3, 1, 2);
    for (const Vec3d& v : s.v) EXPECT_NEAR(v.z, 3 * e, 1e-9);
  }
}

}  // namespace
}  // namespace meniscus

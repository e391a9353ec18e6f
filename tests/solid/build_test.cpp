// What the builders make of meshes and materials, and the rows for the joint pressure solve.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/solid/obstacles.h"
#include "tests/solid/meshes.h"

namespace meniscus {
namespace {

SolidDef clothDef() {
  SolidDef d;
  d.name = "cloth";
  d.kind = SolidKind::cloth;
  d.material.arealDensity = 0.3;
  d.material.stretch = {Resistance::Kind::compliance, 2e-4, 0};
  d.material.shear = {Resistance::Kind::stiffness, 0.5, 0};
  d.material.bend = {Resistance::Kind::compliance, 10, 0};
  return d;
}

Index countOf(const SolidState& s, ConstraintType type) {
  Index n = 0;
  for (const Constraint& c : s.constraints.items) n += c.type == type;
  return n;
}

std::string messageOf(const SolidDef& d, const SurfaceMesh& m) {
  SolidState s;
  try {
    addShell(s, d, m);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input);
    return e.what();
  }
  return "accepted";
}

// 6 x 4 cells: edges along x 6*5, along y 7*4, diagonals 24; one more diagonal a cell for shear; a hinge on each of the inner
// edges, 24 + 6*3 + 5*4. Masses add up to areal density times area.
TEST(Shell, CountsOfARegularSheet) {
  SolidState s;
  addShell(s, clothDef(), testing_meshes::sheet(6, 4, 0.6, 0.4));
  EXPECT_EQ(countOf(s, ConstraintType::distance), 30 + 28 + 24 + 24);
  EXPECT_EQ(countOf(s, ConstraintType::bendIsometric), 24 + 18 + 20);
  double mass = 0;
  for (double m : s.mass) mass += m;
  EXPECT_NEAR(mass, 0.3 * 0.24, 1e-15);
  EXPECT_TRUE(s.bodies[0].twoSided);
  EXPECT_FALSE(s.bodies[0].closed);
  for (const Constraint& c : s.constraints.items) {
    if (c.stiffness >= 0) { EXPECT_NEAR(s.rest[c.rest], 0.1 * std::sqrt(2.0), 1e-15); }  // shear pairs are cell diagonals
  }
}

// Without right angles every pair across an edge resists shear: a sphere of 320 triangles has 480 edges.
TEST(Shell, CountsOfASphere) {
  SolidState s;
  SolidDef d = clothDef();
  d.kind = SolidKind::inflatable;
  d.inflation = 1.1;
  addShell(s, d, testing_meshes::icosphere(2, 0.2));
  EXPECT_EQ(countOf(s, ConstraintType::distance), 480 + 480);
  EXPECT_TRUE(s.bodies[0].closed);
  ASSERT_EQ(s.volumes.size(), 1u);
  EXPECT_NEAR(s.volumes[0].restVolume, 1.1 * enclosedVolume(s, 0, 320), 1e-15);
}

// A square of springs from modulus and thickness, stretched in both directions by e: the springs store what the sheet does at
// Poisson's ratio 1/3, E h e^2 / (1 - nu) per area.
TEST(Shell, SpringsOfAnElasticSheet) {
  SolidState s;
  SolidDef d = clothDef();
  d.material.stretch = d.material.shear = d.material.bend = {};
  d.material.youngsModulus = 1e6;
  d.material.thickness = 1e-3;
  SurfaceMesh m = testing_meshes::sheet(30, 30, 1, 1);
  addShell(s, d, m);
  const double e = 1e-4;
  for (Vec3d& x : s.x) x *= 1 + e;
  double stored = 0;
  for (const Constraint& c : s.constraints.items) {
    if (c.type != ConstraintType::distance) continue;
    const double C = norm(s.x[c.node[0]] - s.x[c.node[1]]) - s.rest[c.rest];
    stored += 0.5 * C * C / c.compliance;
  }
  EXPECT_NEAR(stored / (1e3 * e * e / (1 - 1.0 / 3)), 1, 1e-3);
}

TEST(Shell, MistakesAreNamed) {
  SurfaceMesh m = testing_meshes::sheet(2, 2, 1, 1);
  SolidDef d = clothDef();
  d.material.arealDensity = 0;
  EXPECT_NE(messageOf(d, m).find("areal_density"), std::string::npos);
  d = clothDef();
  d.kind = SolidKind::inflatable;
  EXPECT_NE(messageOf(d, m).find("closed surface"), std::string::npos);
  d = clothDef();
  d.pins.resize(1);
  d.pins[0].indices = {9};
  EXPECT_NE(messageOf(d, m).find("pinned node 9 of 9"), std::string::npos);
  d.pins[0].select = PinDef::Select::sphere;
  d.pins[0].center = {5, 5, 5};
  EXPECT_NE(messageOf(d, m).find("holds no node"), std::string::npos);
  d = clothDef();
  d.material.membrane = MembraneModel::neoHookean;
  EXPECT_NE(messageOf(d, m).find("youngs_modulus"), std::string::npos);
  d = clothDef();
  m.x[4] = m.x[3] = m.x[1] = m.x[0];
  EXPECT_NE(messageOf(d, m).find("has no area"), std::string::npos);
}

// The rim of a sheet is carried round by key frames, about the body's origin, and nothing else is.
TEST(Pins, RimFollowsKeyFrames) {
  SolidState s;
  SolidDef d = clothDef();
  d.transform.translate = {1, 0, 0};
  d.pins.resize(1);
  d.pins[0].select = PinDef::Select::rim;
  d.pins[0].motion = {{1, {0, 0, 1}, Quatd::axisAngle({0, 0, 1}, 1.0)}, {0, {}, {}}};  // order of time is made by the builder
  addShell(s, d, testing_meshes::sheet(4, 4, 0.4, 0.4));
  EXPECT_EQ(s.pins.size(), 16u);
  Exec exec(1);
  const std::vector<Vec3d> start(s.x.begin(), s.x.end());
  stepSolids(exec, s, nullptr, 0, {}, 0, 0.5, 1, 1);
  for (const Pin& p : s.pins) {
    const Vec3d r = start[std::size_t(p.node)] - Vec3d{1, 0, 0};
    const Vec3d expected = Vec3d{1, 0, 0.5} + Quatd::axisAngle({0, 0, 1}, 0.5).rotate(r);
    EXPECT_LT(norm(s.x[p.node] - expected), 1e-14);
    EXPECT_LT(norm(s.v[p.node] - (expected - start[std::size_t(p.node)]) * 2.0), 1e-13);
  }
  stepSolids(exec, s, nullptr, 0, {}, 7, 0.5, 1, 1);  // long after the last frame: held
  stepSolids(exec, s, nullptr, 0, {}, 7.5, 0.5, 1, 1);
  for (const Pin& p : s.pins) EXPECT_EQ(norm(s.v[p.node]), 0);
}

// One spring between a held and a free node: the row's solution is the projection's, in one step, since there is nothing to
// iterate.
TEST(Rows, SolutionIsTheProjection) {
  SolidState s;
  SolidDef d = clothDef();
  d.material.shear = d.material.bend = {};
  d.pins.resize(1);
  d.pins[0].indices = {1, 2};
  SurfaceMesh triangle;
  triangle.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  triangle.tri = {0, 1, 2};
  addShell(s, d, triangle);
  s.constraints.items.resize(1);  // only the edge 0-1 stays
  s.constraints.lambda.resize(1);
  colourConstraints(s, false);
  s.x[0] = {-0.2, 0.1, 0.3};
  const double dt = 0.01;
  RowList rows;
  Exec exec(1);
  constraintRows(exec, s, nullptr, 0, dt, nullptr, nullptr, rows);
  ASSERT_EQ(rows.edges.size(), 1u);
  ASSERT_EQ(rows.rows.size(), 0u);
  const SolidEdge& edge = rows.edges[0];
  ASSERT_EQ(edge.state, SolidEdge::pulls);
  EXPECT_NEAR(edge.alphaTilde, 2e-4 / 1e-4, 1e-6);
  // the second node is held
  const double lambda = -edge.C / (s.w[0] + edge.alphaTilde);
  const Vec3d expected = s.x[0] + edge.n * (s.w[0] * lambda);
  projectSolids(exec, s, nullptr, 0, dt, 1, nullptr, nullptr);
  EXPECT_LT(norm(s.x[0] - expected), 1e-14);
  EXPECT_NEAR(s.constraints.lambda[0], lambda, 1e-14);
  s.constraints.lambda[0] = 0;
  storeMultipliers(s, rows, dt, nullptr, &lambda);
  EXPECT_EQ(s.constraints.lambda[0], lambda);
}

// The volume's row has the derivative of the enclosed volume; a node below the floor has a contact row.
TEST(Rows, VolumeAndContact) {
  SolidState s;
  SolidDef d = clothDef();
  d.kind = SolidKind::inflatable;
  d.inflation = 1.2;
  SurfaceMesh m = testing_meshes::icosphere(1, 0.2);
  for (std::size_t i = 0; i < m.x.size(); ++i) m.x[i] = m.x[i] * (1 + 0.1 * std::sin(7.0 * double(i))) + Vec3d{20, -30, 10};
  addShell(s, d, m);
  colourConstraints(s, false);
  Index lowest = 0;
  for (Index i = 0; i < Index(s.x.size()); ++i)
    if (s.x[i].z < s.x[lowest].z) lowest = i;
  DomainDef domain;
  for (bool& w : domain.walls) w = false;
  domain.walls[4] = true;
  domain.min.z = s.x[lowest].z + 0.001;
  const SceneObstacles obstacles(domain, s);
  RowList rows;
  Exec exec(1);
  constraintRows(exec, s, &obstacles, 0.002, 1e-3, nullptr, nullptr, rows);
  int volumes = 0, contacts = 0;
  for (const ConstraintRow& r : rows.rows) {
    if (r.constraint == kContactRow) {
      ++contacts;
      EXPECT_EQ(rows.entries[std::size_t(r.begin)].node, lowest);
      EXPECT_NEAR(r.C, -0.003, 1e-12);
    }
    if (r.constraint != -1) continue;
    ++volumes;
    EXPECT_NEAR(r.C, enclosedVolume(s, 0, 80) - s.volumes[0].restVolume, 1e-15);
    EXPECT_EQ(r.end - r.begin, Index(s.x.size()));
    for (Index e = r.begin; e < r.end; ++e) {
      const RowEntry& entry = rows.entries[std::size_t(e)];
      for (int a = 0; a < 3; ++a) {
        const double h = 1e-4, at = s.x[entry.node][a];
        s.x[entry.node][a] = at + h;
        const double up = enclosedVolume(s, 0, 80);
        s.x[entry.node][a] = at - h;
        const double down = enclosedVolume(s, 0, 80);
        s.x[entry.node][a] = at;
        EXPECT_NEAR(entry.grad[a], (up - down) / (2 * h), 1e-9);  // the volume is linear in each coordinate
      }
    }
  }
  EXPECT_EQ(volumes, 1);
  EXPECT_EQ(contacts, 1);
}

}  // namespace
}  // namespace meniscus

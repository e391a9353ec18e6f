// A state without one of its bodies is the state that never had it.
#include "engine/solid/remove_body.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/solid/solid.h"
#include "tests/solid/meshes.h"

namespace meniscus {
namespace {

SolidDef shellDef(const std::string& name, SolidKind kind) {
  SolidDef d;
  d.name = name;
  d.kind = kind;
  d.material.arealDensity = 0.3;
  d.material.stretch = {Resistance::Kind::compliance, 1e-5, 0};
  d.material.bend = {Resistance::Kind::compliance, 1e-2, 0};
  d.material.volume = {Resistance::Kind::compliance, 1e-6, 0};
  return d;
}

SurfaceMesh at(SurfaceMesh m, double x) {
  for (Vec3d& p : m.x) p += Vec3d{x, 0, 0};
  return m;
}

// The bodies in the order of their letters: a cloth carried by key frames, b and d inflatables, c a rigid mesh, e a ball without
// nodes, f a soft tetrahedron, g a cloth carried by other key frames.
SolidState stateOf(const std::string& letters) {
  SolidState s;
  for (const char letter : letters) {
    const std::string name(1, letter);
    const double x = 3.0 * (letter - 'a');
    SolidDef d = shellDef(name, letter == 'b' || letter == 'd' ? SolidKind::inflatable : SolidKind::cloth);
    if (letter == 'b' || letter == 'd') {
      addShell(s, d, at(testing_meshes::icosphere(1, 0.5), x));
    } else if (letter == 'a' || letter == 'g') {
      d.pins.resize(2);
      d.pins[0].indices = {0, 1};
      d.pins[0].motion = {{0, {}, {}}, {1, {0, 0, x}, {}}};
      d.pins[1].indices = {3};
      addShell(s, d, at(testing_meshes::sheet(3, 2, 1, 1), x));
    } else if (letter == 'f') {
      d.kind = SolidKind::soft;
      d.material.youngsModulus = 1e4;
      TetMesh m;
      m.x = {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}, {x, 0, 1}};
      m.tet = {0, 1, 2, 3};
      m.tri = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
      addSoft(s, d, m);
    } else {
      d.kind = SolidKind::rigid;
      d.shape.kind = letter == 'c' ? ShapeKind::mesh : ShapeKind::sphere;
      d.shape.radius = 0.5;
      d.transform.translate = {x, 0, 0};
      const SurfaceMesh m = at(testing_meshes::icosphere(0, 0.5), x);
      addRigid(s, d, letter == 'c' ? &m : nullptr);
    }
  }
  colourConstraints(s, false);
  return s;
}

template <class T>
void expectSame(const Buffer<T>& a, const Buffer<T>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0) << what;
}

void expectSame(const SolidState& a, const SolidState& b) {
  expectSame(a.x, b.x, "x");
  expectSame(a.v, b.v, "v");
  expectSame(a.xPrev, b.xPrev, "xPrev");
  expectSame(a.xRest, b.xRest, "xRest");
  expectSame(a.w, b.w, "w");
  expectSame(a.mass, b.mass, "mass");
  expectSame(a.contactLambda, b.contactLambda, "contactLambda");
  expectSame(a.tri, b.tri, "tri");
  expectSame(a.tet, b.tet, "tet");
  expectSame(a.rest, b.rest, "rest");
  expectSame(a.constraints.items, b.constraints.items, "constraints");
  expectSame(a.constraints.lambda, b.constraints.lambda, "multipliers");
  EXPECT_EQ(a.constraints.colourBegin, b.constraints.colourBegin);
  EXPECT_EQ(a.constraints.serialBegin, b.constraints.serialBegin);
  ASSERT_EQ(a.volumes.size(), b.volumes.size());
  for (std::size_t k = 0; k < a.volumes.size(); ++k) {
    EXPECT_EQ(a.volumes[k].body, b.volumes[k].body);
    EXPECT_EQ(a.volumes[k].triBegin, b.volumes[k].triBegin);
    EXPECT_EQ(a.volumes[k].triEnd, b.volumes[k].triEnd);
    EXPECT_EQ(a.volumes[k].restVolume, b.volumes[k].restVolume);
  }
  ASSERT_EQ(a.motions.size(), b.motions.size());
  for (std::size_t k = 0; k < a.motions.size(); ++k) EXPECT_EQ(a.motions[k][1].translate.z, b.motions[k][1].translate.z);
  ASSERT_EQ(a.pins.size(), b.pins.size());
  for (std::size_t k = 0; k < a.pins.size(); ++k) {
    EXPECT_EQ(a.pins[k].node, b.pins[k].node);
    EXPECT_EQ(a.pins[k].motion, b.pins[k].motion);
  }
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t k = 0; k < a.bodies.size(); ++k) {
    const Body &p = a.bodies[k], &q = b.bodies[k];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.nodeBegin, q.nodeBegin);
    EXPECT_EQ(p.nodeEnd, q.nodeEnd);
    EXPECT_EQ(p.triBegin, q.triBegin);
    EXPECT_EQ(p.triEnd, q.triEnd);
    EXPECT_EQ(p.tetBegin, q.tetBegin);
    EXPECT_EQ(p.tetEnd, q.tetEnd);
    EXPECT_EQ(p.rigid, q.rigid);
  }
  ASSERT_EQ(a.rigid.size(), b.rigid.size());
  for (std::size_t k = 0; k < a.rigid.size(); ++k) {
    EXPECT_EQ(a.rigid[k].name, b.rigid[k].name);
    EXPECT_EQ(a.rigid[k].body, b.rigid[k].body);
  }
}

Index bodyOf(const SolidState& s, const std::string& name) {
  for (std::size_t k = 0; k < s.bodies.size(); ++k)
    if (s.bodies[k].name == name) return Index(k);
  return -1;
}
Index rigidOf(const SolidState& s, const std::string& name) {
  for (std::size_t k = 0; k < s.rigid.size(); ++k)
    if (s.rigid[k].name == name) return Index(k);
  return -1;
}

TEST(RemoveBody, LeavesTheStateThatNeverHadIt) {
  const std::string all = "abcdefg";
  for (const char letter : all) {
    SCOPED_TRACE(letter);
    const std::string name(1, letter);
    SolidState s = stateOf(all);
    removeBody(s, bodyOf(s, name), rigidOf(s, name));
    colourConstraints(s, false);
    std::string rest = all;
    rest.erase(rest.find(letter), 1);
    expectSame(s, stateOf(rest));
  }
}

// The multipliers are the warm start of the next step: those of the others stay with their constraints.
TEST(RemoveBody, KeepsTheMultipliersOfTheOthers) {
  SolidState s = stateOf("abd");
  for (std::size_t k = 0; k < s.constraints.items.size(); ++k) {
    const Constraint& c = s.constraints.items[k];
    s.constraints.lambda[k] = 1000 * norm(s.x[std::size_t(c.node[0])]) + double(int(c.type));
  }
  removeBody(s, bodyOf(s, "b"), -1);
  colourConstraints(s, false);
  ASSERT_GT(s.constraints.items.size(), 0u);
  for (std::size_t k = 0; k < s.constraints.items.size(); ++k) {
    const Constraint& c = s.constraints.items[k];
    EXPECT_EQ(s.constraints.lambda[k], 1000 * norm(s.x[std::size_t(c.node[0])]) + double(int(c.type)));
  }
}

// Bodies come and go in any order, down to none.
TEST(RemoveBody, DownToNone) {
  SolidState s = stateOf("abcdefg");
  for (const char* name : {"d", "a", "g", "c", "f", "e", "b"}) {
    removeBody(s, bodyOf(s, name), rigidOf(s, name));
    colourConstraints(s, false);
  }
  EXPECT_EQ(s.x.size(), 0u);
  EXPECT_EQ(s.tri.size(), 0u);
  EXPECT_EQ(s.tet.size(), 0u);
  EXPECT_EQ(s.rest.size(), 0u);
  EXPECT_EQ(s.constraints.items.size(), 0u);
  EXPECT_TRUE(s.volumes.empty() && s.pins.empty() && s.motions.empty() && s.bodies.empty() && s.rigid.empty());
}

}  // namespace
}  // namespace meniscus

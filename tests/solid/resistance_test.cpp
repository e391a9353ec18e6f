// Resistances changed after building are those that building would have given.
#include "engine/solid/resistance.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/error.h"
#include "engine/scene/generate.h"
#include "engine/solid/solid.h"

namespace meniscus {
namespace {

SolidDef clothDef() {
  SolidDef def;
  def.name = "cloth";
  def.kind = SolidKind::cloth;
  def.material.arealDensity = 0.2;
  def.material.youngsModulus = 1e6;
  def.material.thickness = 1e-3;
  def.material.shear = {Resistance::Kind::compliance, 1e-3, 0.25};
  return def;
}

SurfaceMesh sheet() {
  ShapeDef shape;
  shape.kind = ShapeKind::sheet;
  shape.size = {0.5, 0.3, 0};
  return makeSurface(shape, 0.05);
}

SolidDef softDef() {
  SolidDef def;
  def.name = "soft";
  def.kind = SolidKind::soft;
  def.material.youngsModulus = 1e5;
  return def;
}

TetMesh twoTets() {
  TetMesh m;
  m.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  m.tet = {0, 1, 2, 3, 1, 4, 2, 3};
  m.tri = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 1, 4, 3, 2, 3, 4};
  return m;
}

// A cloth between two soft bodies, coloured.
SolidState three(const SolidDef& cloth, const SolidDef& soft) {
  SolidState s;
  addSoft(s, softDef(), twoTets());
  addShell(s, cloth, sheet());
  addSoft(s, soft, twoTets());
  colourConstraints(s, false);
  return s;
}

bool sameItems(const SolidState& a, const SolidState& b) {
  const auto &p = a.constraints.items, &q = b.constraints.items;
  return p.size() == q.size() && std::memcmp(p.data(), q.data(), p.size() * sizeof(Constraint)) == 0;
}

TEST(Resistance, ChangedIsAsBuilt) {
  SolidDef cloth = clothDef(), soft = softDef();
  SolidState s = three(cloth, soft);
  cloth.material.youngsModulus = 3e5;
  cloth.material.shear = {Resistance::Kind::compliance, 2e-3, 0.5};
  soft.material.youngsModulus = 2e4;
  soft.material.poissonRatio = 0.45;
  const SolidState built = three(cloth, soft);
  EXPECT_FALSE(sameItems(s, built));
  for (Vec3d& x : s.x) x = x * 1.1;  // where the nodes are now does not matter
  setResistances(s, 1, cloth);
  setResistances(s, 2, soft);
  EXPECT_TRUE(sameItems(s, built));
  EXPECT_EQ(s.bodies[2].material.youngsModulus, 2e4);
}

TEST(Resistance, OfAnotherModelIsRefused) {
  SolidDef cloth = clothDef();
  SolidState s = three(cloth, softDef());
  const SolidState before = s;
  cloth.material.shear = {};
  EXPECT_THROW(setResistances(s, 1, cloth), Error);
  SolidDef soft = softDef();
  soft.material.poissonRatio = 0;  // nothing resists a change of volume
  EXPECT_THROW(setResistances(s, 2, soft), Error);
  EXPECT_TRUE(sameItems(s, before));
}

}  // namespace
}  // namespace meniscus

// Solids that come, go and are put elsewhere in a world that runs.
#include "engine/world/change_solids.h"

#include <gtest/gtest.h>

#include "engine/scene/mesh_file.h"
#include "engine/world/build.h"
#include "engine/world/hash.h"
#include "tests/shared/error_of.h"

namespace meniscus {
namespace {

using testing::errorOf;

// .2 m wide and .3 m high, with .1 m of water in it.
SceneDef tank() {
  SceneDef s;
  s.domain.max = {0.2, 0.2, 0.3};
  FluidDef water;
  water.name = "water";
  water.spacing = 0.02;
  water.shapes.resize(1);
  water.shapes[0].size = {0.2, 0.2, 0.1};
  water.transforms.resize(1);
  water.transforms[0].translate = {0.1, 0.1, 0.05};
  s.fluids.push_back(water);
  return s;
}

SolidDef ball(const std::string& name, const Vec3d& at, SolidKind kind = SolidKind::rigid) {
  SolidDef d;
  d.name = name;
  d.kind = kind;
  d.shape.kind = ShapeKind::sphere;
  d.shape.radius = 0.03;
  d.transform.translate = at;
  return d;
}

SolidDef cloth(const std::string& name, const Vec3d& at) {
  SolidDef d;
  d.name = name;
  d.kind = SolidKind::cloth;
  d.shape.kind = ShapeKind::sheet;
  d.shape.size = {0.1, 0.1, 0};
  d.material.arealDensity = 0.5;
  d.transform.translate = at;
  return d;
}

World built(const std::vector<SolidDef>& solids) {
  SceneDef s = tank();
  s.solids = solids;
  Exec exec(1);
  return buildWorld(s, exec, nullptr);
}

TEST(ChangeSolids, AddedOneByOneIsBuiltTogether) {
  const std::vector<SolidDef> all = {ball("a", {0.05, 0.05, 0.2}), cloth("b", {0.1, 0.1, 0.25}),
                                     ball("c", {0.15, 0.15, 0.2}, SolidKind::kinematic)};
  World w = built({});
  for (const SolidDef& d : all) appendSolid(w, d, nullptr);
  const World together = built(all);
  EXPECT_EQ(stateHash(w), stateHash(together));
  EXPECT_EQ(modelHash(w), modelHash(together));
  ASSERT_EQ(w.scene.solids.size(), 3u);
  removeSolid(w, 1);
  const World without = built({all[0], all[2]});
  EXPECT_EQ(stateHash(w), stateHash(without));
  EXPECT_EQ(modelHash(w), modelHash(without));
  EXPECT_EQ(bodyOfName(w.solid, "b"), -1);
  EXPECT_EQ(rigidOfName(w.solid, "c"), 1);
}

TEST(ChangeSolids, WhatDoesNotFitChangesNothing) {
  World w = built({ball("post", {0.05, 0.05, 0.2}, SolidKind::fixed), cloth("cloth", {0.1, 0.1, 0.27})});
  const std::uint64_t state = stateHash(w), model = modelHash(w);
  const auto refused = [&](const SolidDef& d, const char* why) {
    EXPECT_NE(errorOf([&] { appendSolid(w, d, nullptr); }).find(why), std::string::npos) << why;
    EXPECT_EQ(stateHash(w), state);
    EXPECT_EQ(modelHash(w), model);
    EXPECT_EQ(w.scene.solids.size(), 2u);
  };
  refused(ball("x", {0.1, 0.1, 0.29}), "sticks out of the domain");
  refused(ball("x", {0.07, 0.05, 0.2}), "inside solid \"post\"");
  refused(ball("x", {0.1, 0.1, 0.05}), "particles are inside it");
  refused(cloth("x", {0.1, 0.1, 0.051}), "nearer to it");
  refused(ball("x", {0.1167, 0.1167, 0.27}, SolidKind::fixed), "solid \"cloth\"");  // about one of its nodes
  SolidDef massless = cloth("x", {0.1, 0.1, 0.2});
  massless.material.arealDensity = 0;
  refused(massless, "areal_density");
}

// They hold each other off, so the one would be thrown out of the other.
TEST(ChangeSolids, RigidOnesDoNotStartWithinEachOther) {
  World w = built({ball("a", {0.05, 0.05, 0.2}), ball("b", {0.15, 0.15, 0.2})});
  const std::uint64_t state = stateHash(w);
  EXPECT_NE(errorOf([&] { appendSolid(w, ball("x", {0.07, 0.05, 0.2}), nullptr); }).find("inside solid \"a\""), std::string::npos);
  EXPECT_NE(errorOf([&] { placeRigidSolid(w, 1, {{0.07, 0.05, 0.2}, {}}); }).find("inside solid \"a\""), std::string::npos);
  EXPECT_NE(errorOf([&] {
              built({ball("a", {0.05, 0.05, 0.2}), ball("b", {0.07, 0.05, 0.2})});
            }).find("inside solid"),
            std::string::npos);
  EXPECT_EQ(stateHash(w), state);
}

// In one place, no point of the one is within the other.
TEST(ChangeSolids, RigidOnesAreNotInOnePlace) {
  for (const double off : {0.0, 1e-7}) {
    SolidDef a = ball("a", {0.1, 0.1, 0.15}), b = ball("b", {0.1, 0.1, 0.15 + off});
    for (SolidDef* d : {&a, &b}) {
      d->shape.kind = ShapeKind::box;
      d->shape.size = {0.05, 0.06, 0.07};
    }
    EXPECT_NE(errorOf([&] { built({a, b}); }).find("inside solid"), std::string::npos) << off;
    World w = built({a});
    EXPECT_NE(errorOf([&] { appendSolid(w, b, nullptr); }).find("inside solid"), std::string::npos) << off;
    b.transform.translate.z = 0.22;  // they touch
    EXPECT_EQ(built({a, b}).solid.rigid.size(), 2u) << off;
  }
}

// Nor is one put over another that is smaller, or within a soft one.
TEST(ChangeSolids, RigidOnesAreNotPutOverOthers) {
  SolidDef large = ball("large", {0.07, 0.07, 0.2}), small = ball("small", {0.15, 0.15, 0.25});
  large.shape.radius = 0.04;
  small.shape.radius = 0.01;
  World w = built({large, small});
  EXPECT_NE(errorOf([&] { placeRigidSolid(w, 0, {{0.15, 0.15, 0.25}, {}}); }).find("inside solid \"large\""), std::string::npos);
  SolidDef soft = ball("soft", {0.07, 0.07, 0.2});
  soft.kind = SolidKind::soft;
  soft.shape.kind = ShapeKind::box;
  soft.shape.size = {0.08, 0.08, 0.08};
  soft.material.youngsModulus = 2e4;
  World with = built({soft});
  EXPECT_NE(errorOf([&] { appendSolid(with, ball("x", {0.07, 0.07, 0.2}), nullptr); }).find("solid \"soft\""), std::string::npos);
}

TEST(ChangeSolids, PutsARigidOneElsewhere) {
  World w = built({ball("a", {0.05, 0.05, 0.2}), ball("post", {0.15, 0.15, 0.2}, SolidKind::fixed)});
  const Quatd turn = Quatd::axisAngle({0, 0, 1}, 1.0);
  placeRigidSolid(w, 0, {{0.06, 0.06, 0.25}, turn});
  const RigidBody& r = w.solid.rigid[0];
  EXPECT_EQ(r.x.z, 0.25);
  EXPECT_EQ(r.xPrev.z, 0.25);
  EXPECT_EQ(r.q.z, turn.z);
  const std::uint64_t state = stateHash(w);
  for (const Vec3d& x : {Vec3d{0.06, 0.06, 0.29}, Vec3d{0.14, 0.14, 0.2}, Vec3d{0.06, 0.06, 0.06}})
    EXPECT_NE(errorOf([&] { placeRigidSolid(w, 0, {x, {}}); }), "") << x.z;
  EXPECT_EQ(stateHash(w), state);
}

// Of one with tetrahedra of its own: stiffer than the scene's step resolves, and with a shorter step not.
TEST(ChangeSolids, StiffnessIsHeldAgainstTheStepOfTheScene) {
  auto mesh = std::make_shared<MeshFile>();
  mesh->x = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
  mesh->tet = {0, 1, 2, 3};
  SolidDef steel;
  steel.name = "steel";
  steel.kind = SolidKind::soft;
  steel.shape.kind = ShapeKind::mesh;
  steel.shape.mesh = mesh;
  steel.material.density = 7800;
  steel.material.youngsModulus = 2e11;
  steel.material.poissonRatio = 0.3;
  SceneDef scene;
  scene.domain.max = {1, 1, 1};
  scene.solver.dt = 0.01;
  EXPECT_NE(errorOf([&] { checkSolid(scene, steel, 0.05); }).find("in steps of 0.01 s no more than"), std::string::npos);
  scene.solver.dt = 0.0005;
  EXPECT_EQ(errorOf([&] { checkSolid(scene, steel, 0.05); }), "");
}

TEST(ChangeSolids, ASolidByItself) {
  const SceneDef s = tank();
  EXPECT_EQ(errorOf([&] { checkSolid(s, ball("a", {0.1, 0.1, 0.05}), 0.02); }), "");  // where it lies is not asked
  EXPECT_EQ(errorOf([&] { checkSolid(s, ball("a", {0.1, 0.1, 0.05}), 0); }), "");
  SolidDef open = cloth("a", {0.1, 0.1, 0.2});
  open.kind = SolidKind::inflatable;
  EXPECT_NE(errorOf([&] { checkSolid(s, open, 0.02); }).find("closed surface"), std::string::npos);
  open.kind = SolidKind::cloth;
  open.pins.resize(1);
  open.pins[0].indices = {100000};
  EXPECT_NE(errorOf([&] { checkSolid(s, open, 0.02); }).find("pinned node"), std::string::npos);
}

}  // namespace
}  // namespace meniscus

// Values that are not finite end a run with a message that says whose they are.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

// What the step throws after the change.
template <class Change>
std::string messageAfter(const Change& change) {
  SceneDef scene = testing::emptyTank("tank", {0, 0, 0}, {0.2, 0.2, 0.3}, 0.002);
  testing::addBoxOfWater(scene, 0.02, {0.2, 0.2, 0.08}, {0.1, 0.1, 0.04});
  SolidDef ball;
  ball.name = "ball";
  ball.kind = SolidKind::rigid;
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.03;
  ball.transform.translate = {0.1, 0.1, 0.15};
  SolidDef cloth;
  cloth.name = "sheet";
  cloth.kind = SolidKind::cloth;
  cloth.shape.kind = ShapeKind::sheet;
  cloth.shape.size = {0.1, 0.1, 0};
  cloth.shape.resolution = 0.05;
  cloth.transform.translate = {0.1, 0.1, 0.25};
  cloth.material.arealDensity = 0.2;
  cloth.material.stretch = {Resistance::Kind::compliance, 1e-15, 0};
  scene.solids = {ball, cloth};
  Exec exec(1);
  World world = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, world);
  change(world);
  try {
    solver.step(world, 0.002);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::simulation);
    return e.what();
  }
  return {};
}

TEST(NotFinite, TheSolidIsNamed) {
  EXPECT_EQ(messageAfter([](World&) {}), "");
  EXPECT_EQ(messageAfter([](World& w) { w.solid.v[3].y = NAN; }),
            "the simulation is no longer finite: solid \"sheet\" (stretch compliance 1e-15 m/N) has no valid velocity");
  EXPECT_EQ(messageAfter([](World& w) { w.solid.v[0].x = 1e20; }),
            "the simulation is no longer finite: solid \"sheet\" (stretch compliance 1e-15 m/N) has no valid velocity");
  EXPECT_EQ(messageAfter([](World& w) { w.solid.rigid[0].omega.x = NAN; }),
            "the simulation is no longer finite: solid \"ball\" has no valid velocity");
  EXPECT_EQ(messageAfter([](World& w) {
              w.fluid.u[7] = Vec4f(Vec3f{NAN, 0, 0}, 0);
            }),
            "the simulation is no longer finite: a particle has no valid velocity");
}

}  // namespace
}  // namespace meniscus

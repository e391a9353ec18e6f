// Coarse skins full of water: corners read too dense by summation, and the skin cannot follow. No energy may come of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/particle/step.h"
#include "engine/solid/solid.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

// A skin full of water that falls 0.1 m and lands. compliance: of its edges [m/N].
SceneDef fallingSkin(const ShapeDef& shape, double compliance, double height) {
  SceneDef scene = testing::emptyTank("skin", {-0.2, -0.2, 0}, {0.2, 0.2, 0.5}, 0.002);
  SolidDef skin;
  skin.name = "skin";
  skin.kind = SolidKind::inflatable;
  skin.shape = shape;
  skin.transform.translate = {0, 0, height};
  skin.material.arealDensity = 0.3;
  skin.material.stretch = {Resistance::Kind::compliance, compliance, 0};
  skin.material.bend = {Resistance::Kind::compliance, 0.01, 0};
  scene.solids.push_back(skin);
  ShapeDef inside;
  inside.inside = "skin";
  testing::addWater(scene, 0.02, inside);
  return scene;
}

double energy(const World& w) {
  double sum = 0;
  for (Index i = 0; i < w.fluid.n; ++i)
    sum += w.particleVolume * 1000 * (0.5 * norm2(w.fluid.u[i].xyz()) + 9.81 * double(w.fluid.x[i].z));
  const auto solids = energyOfSolids(w.solid, w.scene.gravity);
  return sum + solids.kinetic + solids.elastic + solids.potential;
}

// Greatest energy after any of the steps, as a multiple of that at the start; the floor has none.
double mostEnergy(const SceneDef& scene, int steps) {
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  const double begun = energy(w);
  double most = 0;
  int unconverged = 0;
  for (int step = 0; step < steps; ++step) {
    solver.step(w, scene.solver.dt);
    most = std::max(most, energy(w) / begun);
    unconverged += !w.report.converged;
  }
  EXPECT_LE(unconverged, steps / 20);
  const Body& skin = w.solid.bodies[0];
  EXPECT_NEAR(w.fluid.n * w.particleVolume / enclosedVolume(w.solid, skin.triBegin, skin.triEnd), 1, 0.02);
  return most;
}

ShapeDef box() {
  ShapeDef shape;
  shape.size = {0.184, 0.102, 0.2};
  return shape;
}

// 1400 J in 15 steps before, of 11 J.
TEST(FullSkin, ABoxFalls) { EXPECT_LT(mostEnergy(fallingSkin(box(), 1e-5, 0.3), 25), 1.02); }

ShapeDef capsule() {
  ShapeDef shape;
  shape.kind = ShapeKind::capsule;
  shape.radius = 0.06;  // three spacings
  shape.height = 0.1;
  return shape;
}

// Beside a constraint on its volume, hardly a step converged; from twice the height it gained tens of joules.
TEST(FullSkin, ACapsuleLands) { EXPECT_LT(mostEnergy(fallingSkin(capsule(), 1e-5, 0.15), 70), 1.02); }

// A soft skin gives way to what the density asks for, as far as its volume allows.
TEST(FullSkin, ASoftCapsuleLands) { EXPECT_LT(mostEnergy(fallingSkin(capsule(), 0.0025, 0.15), 90), 1.02); }

}  // namespace
}  // namespace meniscus

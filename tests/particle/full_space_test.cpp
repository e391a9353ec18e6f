// Water that fills a closed space: its volume cannot change, whatever its density by summation is.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

// A domain that is no whole number of spacings wide, full to the brim.
SceneDef fullTank() {
  SceneDef scene = testing::emptyTank("full tank", {0, 0, 0}, {0.184, 0.102, 0.2}, 0.002);
  testing::addBoxOfWater(scene, 0.02, {0.184, 0.102, 0.2}, {0.092, 0.051, 0.1});
  return scene;
}

// Fastest particle of any of the first 100 steps.
double fastest(const SceneDef& scene) {
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  solver.settle(w);
  double most = 0;
  for (int step = 0; step < 100; ++step) {
    solver.step(w, scene.solver.dt);
    for (Index i = 0; i < w.fluid.n; ++i) most = std::max(most, double(norm(w.fluid.u[i].xyz())));
  }
  return most;
}

// Asked to lose a density error of 5e-5, it came to 400 m/s.
TEST(FullSpace, StillWaterStaysStill) { EXPECT_LT(fastest(fullTank()), 0.02); }

// A heavy ball sinks through it, at less than the speed of a fall in air; the water has to go round it. 515 m/s before.
TEST(FullSpace, ABallSinks) {
  SceneDef scene = fullTank();
  scene.fluids[0].carve = true;
  SolidDef ball;
  ball.name = "ball";
  ball.kind = SolidKind::rigid;
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.03;
  ball.transform.translate = {0.09, 0.05, 0.14};
  ball.material.density = 3000;
  scene.solids.push_back(ball);
  EXPECT_LT(fastest(scene), 1.5);
}

}  // namespace
}  // namespace meniscus

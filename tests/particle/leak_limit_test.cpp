// The counter of leaks in a whole simulation, on both sides of the limit that Boundary::resolveContacts states: a press comes down
// on a puddle.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/particle/step.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

constexpr double kSpacing = 0.01;

// Leaked particles after the press has come down to `gap` spacings above the floor, with `speed` [m/s].
Index leaksUnderAPress(double gap, double speed) {
  SceneDef scene = testing::emptyTank("press", {0, 0, 0}, {0.3, 0.06, 0.2}, 0.002);
  testing::addBoxOfWater(scene, kSpacing, {0.3, 0.06, 0.03}, {0.15, 0.03, 0.015});
  SolidDef press;
  press.name = "press";
  press.kind = SolidKind::kinematic;
  press.shape.size = {0.12, 0.2, 0.04};
  const double start = 0.04 + 0.02, end = gap * kSpacing + 0.02;
  press.transform.translate = {0.15, 0.03, start};
  KeyFrame from, to;
  to.time = (start - end) / speed;
  to.translate = {0, 0, end - start};
  press.motion = {from, to};
  scene.solids.push_back(press);
  Exec exec;
  World w = buildWorld(scene, exec, nullptr);
  ParticleSolver solver(exec, w);
  Index most = 0;
  while (w.time < to.time + 0.01) {
    solver.step(w, scene.solver.dt);
    Index caught = 0;  // under the press, once that is lower than two contact distances
    if (w.solid.rigid[0].x.z - 0.02 < 0.5 * kSpacing)
      for (Index i = 0; i < w.fluid.n; ++i)
        caught += w.fluid.x[i].x > 0.1f && w.fluid.x[i].x < 0.2f && w.fluid.x[i].z < 0.5f * kSpacing;
    most = std::max(most, caught);
  }
  EXPECT_GT(most, 0);
  return w.report.leaked;
}

// Down to 0.006 spacings, slowly and with four spacings a step. (A particle that met nothing, but was too near to both the press
// and the floor, once found no place: 5 leaks.)
TEST(LeakLimit, InsideTheLimitNothingLeaks) {
  EXPECT_EQ(leaksUnderAPress(0.006, 0.5), 0);
  EXPECT_EQ(leaksUnderAPress(0.006, 4), 0);
  EXPECT_EQ(leaksUnderAPress(0.006, 20), 0);
}

TEST(LeakLimit, BeyondTheLimitLeaksAreCounted) {
  EXPECT_GT(leaksUnderAPress(0.001, 20), 0);
  EXPECT_GT(leaksUnderAPress(-0.2, 20), 0);
}

}  // namespace
}  // namespace meniscus

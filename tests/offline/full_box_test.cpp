// Bodies in boxes that water fills to all walls: nothing there gives way, turning a body of whole cells is a change of volume, and
// what the fluid spreads over its faces must not push.
#include <cmath>

#include "tests/offline/scenes.h"

namespace meniscus {
namespace {

using offline::OfflineRun;

constexpr double kGravity = 9.81;

SceneDef fullBox(const std::string& size, const std::string& place, double density, const std::string& method) {
  return testing::offlineScene(R"({"meniscus": 1, "name": "full", "duration": 1, "domain": {"min": [0, 0, 0], "max": [1, 1, 1]},
    "solver": {"method": ")" + method +
                               R"(", "dt": 0.01, "grid": {"cells": 10, "dimension": 2}},
    "fluids": [{"name": "water", "kind": "water", "density": 1000, "shapes": [{"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}]}],
    "solids": [{"name": "box", "kind": "rigid", "shape": {"box": {"size": )" +
                               size + "}}, " + place + R"(, "material": {"density": )" + std::to_string(density) + "}}]}");
}

double height(const OfflineRun& run) {
  const offline::SolidFields s = run.solidFields();
  double sum = 0;
  for (const Vec3f& x : s.x) sum += x.z;
  return sum / double(s.x.size());
}

// No more than the weight of the water that came down past it, counted as whole cells at most: one on all sides of the box.
void risesBy(const SceneDef& scene, double seconds, double area, double cells) {
  Exec exec(1);
  const auto run = testing::started(scene, exec);
  const double start = height(*run);
  while (run->time() < seconds) {
    EXPECT_TRUE(run->step(0.01).coupling.converged()) << run->time();
    const double moved = std::fabs(height(*run) - start);
    ASSERT_LT(run->kineticEnergy(), 1000 * (area + cells * 0.01) * kGravity * (moved + 0.01)) << run->time();
  }
  EXPECT_LT(run->volumeError(), 0.01);
  EXPECT_LT(run->momentumError(), 1e-12);
  EXPECT_GT(height(*run), start + 0.05);
}

TEST(FullBox, ALightBoxRises) {
  for (const char* method : {"xpm", "iqn-ils", "monolithic"})
    for (const double density : {20.0, 40.0}) {
      SCOPED_TRACE(::testing::Message() << method << " " << density);
      risesBy(fullBox("[0.3, 2, 0.2]", R"("position": [0.5, 0.5, 0.5])", density, method), 0.3, 0.06, 10);
    }
}

// Whose faces are more on one side of its centre than on the other.
TEST(FullBox, ATurnedBoxRises) {
  for (const char* method : {"xpm", "iqn-ils", "monolithic"}) {
    SCOPED_TRACE(method);
    risesBy(fullBox("[0.25, 2, 0.11]", R"("position": [0.519, 0.5, 0.533], "rotation": {"axis": [0, 1, 0], "degrees": 45})", 100,
                    method),
            0.4, 0.0275, 10);
  }
}

// Without any water there is nothing to solve but the solids.
TEST(FullBox, ADryTankIsFallenThrough) {
  for (const char* kind : {"water", "smoke"}) {
    const bool water = std::string(kind) == "water";
    for (const char* method : {"xpm", "iqn-ils", "partitioned", "monolithic"}) {
      SCOPED_TRACE(::testing::Message() << kind << " " << method);
      const std::string size = water ? "[0.3, 0.3, 0.2]" : "[0.9, 1, 0.9]";
      Exec exec(1);
      const auto run = testing::started(
          testing::offlineScene(R"({"meniscus": 1, "name": "dry", "duration": 1,
        "domain": {"min": [0, 0, 0], "max": [1, 1, 1]}, "solver": {"method": ")" +
                                std::string(method) + R"(", "dt": 0.01, "grid": {"cells": )" + (water ? "10" : "1") +
                                R"(, "dimension": 2}},
        "fluids": [{"name": "f", "density": 1000, "kind": ")" +
                                kind + "\"" +
                                (water ? R"(, "inflows": [{"side": "+z",
          "box": {"min": [0.3, 0, 1], "max": [0.7, 1, 1]}, "speed": 0.5}])"
                                       : "") +
                                R"(}],
        "solids": [{"name": "b", "kind": "rigid", "shape": {"box": {"size": )" +
                                size + R"(}}, "position": [0.5, 0.5, 0.5], "material": {"density": 500}}]})"),
          exec);
      const double start = height(*run);
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(run->step(0.01).coupling.converged());
      if (water) { EXPECT_NEAR(start - height(*run), kGravity * 0.01 * 0.01 * (1 + 2 + 3), 1e-7); }
    }
  }
}

}  // namespace
}  // namespace meniscus

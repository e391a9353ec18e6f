// Where every kind of solid says that it is, and what a scene of a grid may expect.
#include "engine/output/summary.h"
#include "tests/offline/scenes.h"

namespace meniscus {
namespace {

std::string scene(int dimension, const std::string& expect = "") {
  return R"({"meniscus": 1, "name": "kinds", "gravity": [0, 0, 0], "duration": 1,
    "domain": {"min": [0, 0, 0], "max": [2, 1, 1], "walls": []},
    "solver": {"method": "xpm", "dt": 0.02, "grid": {"cell_size": 0.1)" +
         std::string(dimension == 2 ? R"(, "dimension": 2)" : "") + R"(}},
    "fluids": [{"name": "air", "kind": "smoke", "density": 1}],
    "solids": [
      {"name": "static", "kind": "static", "shape": {"box": {"size": [0.2, 0.2, 0.2]}}, "position": [0.3, 0.5, 0.7]},
      {"name": "kinematic", "kind": "kinematic", "shape": {"box": {"size": [0.2, 0.2, 0.2]}}, "position": [0.7, 0.5, 0.3],
       "motion": [{"time": 0, "displacement": [0, 0, 0.1]}, {"time": 1, "displacement": [0.1, 0, 0.4]}]},
      {"name": "rigid", "kind": "rigid", "shape": {"box": {"size": [0.2, 0.2, 0.2]}}, "position": [1.1, 0.5, 0.4],
       "velocity": [0, 0, 0.1], "material": {"density": 1000}},
      {"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.2, 0.2], "resolution": 0.1}}, "position": [1.5, 0.5, 0.6],
       "velocity": [0, 0, 0.1], "material": {"areal_density": 100, "youngs_modulus": 1e4, "thickness": 0.01}},
      {"name": "skin", "kind": "inflatable", "shape": {"sphere": {"radius": 0.12}}, "position": [1.8, 0.5, 0.3],
       "velocity": [0, 0, 0.1], "material": {"areal_density": 100, "youngs_modulus": 1e4, "thickness": 0.01}}])" +
         expect + "}";
}

TEST(SolidReports, SolidsAreWhereTheyAre) {
  for (const int dimension : {2, 3}) {
    SCOPED_TRACE(dimension);
    Exec exec(2);
    const auto run = testing::started(testing::offlineScene(scene(dimension)), exec);
    const auto expectAt = [&](double t) {
      const std::vector<offline::SolidReport> s = run->solids();
      const Vec3d start[] = {{0.3, 0.5, 0.7}, {0.7, 0.5, 0.4}, {1.1, 0.5, 0.4}, {1.5, 0.5, 0.6}, {1.8, 0.5, 0.3}};
      const Vec3d speed[] = {{0, 0, 0}, {0.1, 0, 0.3}, {0, 0, 0.1}, {0, 0, 0.1}, {0, 0, 0.1}};
      for (std::size_t k = 0; k < 5; ++k) {
        // heavy ones go on as they were thrown; fluid takes a hundredth of it
        EXPECT_LT(norm(s[k].x - start[k] - speed[k] * t), 1e-9 + 0.1 * 0.1 * t) << s[k].name;
        EXPECT_LT(norm(s[k].v - (t > 0 ? speed[k] : s[k].v)), 0.01) << s[k].name;
      }
    };
    expectAt(0);
    for (int k = 0; k < 5; ++k) run->step(0.02);
    expectAt(0.1);
  }
}

TEST(SolidReports, WhatAGridHasNotIsRefused) {
  for (const char* name : {"particles", "constraints", "substeps_undone", "density_error.mean", "density_error.max",
                           "divergence_error", "leaked_particles"}) {
    const std::string text = scene(2, std::string(R"(, "expect": {")") + name + R"(": {"max": 1}})");
    const std::string found = formatAll(checkExpectNames(testing::offlineScene(text)));
    EXPECT_NE(found.find(std::string("\"") + name + "\" is of fluids of particles"), std::string::npos) << found;
  }
  EXPECT_EQ(formatAll(checkExpectNames(testing::offlineScene(scene(2, R"(, "expect": {"solids.static.x": {"min": 0.3, "max": 0.3},
    "volume_error": {"max": 1}, "lost_particles": {"max": 0}})")))),
            "");
}

}  // namespace
}  // namespace meniscus

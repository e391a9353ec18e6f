// What fills a room from wall to wall, between fluid that cannot be compressed: it goes where inflows take it, and what has no
// answer is refused by name.
#include "tests/offline/scenes.h"
#include "tests/shared/error_of.h"

namespace meniscus {
namespace {

// A room of 1 x 1 m in the plane, shut but for what flows in at -x and out at +x.
std::string room(const std::string& solids, double in, double out, const std::string& method = "xpm",
                 const std::string& more = "") {
  return R"({"meniscus": 1, "name": "room", "gravity": [0, 0, 0], "duration": 1, "domain": {"min": [0, 0, 0], "max": [1, 0.5, 1]},
    "solver": {"method": ")" +
         method + R"(", "dt": 0.02, "grid": {"dimension": 2, "cells": 10}},
    "fluids": [{"name": "air", "kind": "smoke", "density": 1, "inflows": [{"side": "-x", "speed": )" +
         std::to_string(in) + more + R"(}, {"side": "+x", "speed": )" + std::to_string(-out) + more + R"(}]}],
    "solids": [)" +
         solids + "]}";
}

const char* const kPlug =
    R"({"name": "plug", "kind": "rigid", "shape": {"box": {"size": [0.2, 0.5, 1]}}, "position": [0.4, 0.25, 0.5],
  "material": {"density": 2}})";
const char* const kSail = R"({"name": "sail", "kind": "cloth", "shape": {"sheet": {"size": [1, 0.5], "resolution": 0.05}},
  "position": [0.4, 0.25, 0.5], "rotation": {"axis": [0, 1, 0], "degrees": 90}, "pins": [{"rim": true}],
  "material": {"youngs_modulus": 1e3, "thickness": 0.005, "areal_density": 1}})";

std::string refusal(const std::string& text) {
  const SceneDef scene = testing::offlineScene(text);
  Exec exec(1);
  return testing::errorOf([&] { testing::started(scene, exec); });
}

TEST(Plug, GoesAsFastAsTheFluid) {
  for (const char* method : {"xpm", "iqn-ils", "monolithic"}) {
    SCOPED_TRACE(method);
    Exec exec(1);
    const auto run = testing::started(testing::offlineScene(room(kPlug, 0.5, 0.5, method)), exec);
    while (run->time() < 0.3 - 1e-9) EXPECT_TRUE(run->step(0.02).converged()) << run->time();
    EXPECT_NEAR(run->solids()[0].x.x, 0.4 + 0.5 * 0.3, 2e-3);
    EXPECT_NEAR(run->solids()[0].v.x, 0.5, 1e-3);
  }
}

// The cloth's middle goes ahead of its rim, and what it sweeps over is what flowed in.
TEST(Plug, AClothBulgesByWhatFlowsIn) {
  Exec exec(1);
  const auto run = testing::started(testing::offlineScene(room(kSail, 0.5, 0.5)), exec);
  while (run->time() < 0.3 - 1e-9) EXPECT_TRUE(run->step(0.02).converged()) << run->time();
  const offline::SolidFields s = run->solidFields();
  double swept = 0;  // m^2
  for (std::size_t k = 0; k + 1 < s.line.size(); k += 2) {
    const Vec3f a = s.x[std::size_t(s.line[k])], b = s.x[std::size_t(s.line[k + 1])];
    swept += (0.5 * double(a.x + b.x) - 0.4) * std::abs(double(b.z - a.z));
  }
  EXPECT_NEAR(swept, 0.5 * 0.3, 0.01);
}

TEST(Plug, IsRefusedWhereNothingMakesRoom) {
  for (const char* solid : {kPlug, kSail})
    for (const double out : {0.0, 0.25}) {
      const std::string found = refusal(room(solid, 0.5, out));
      EXPECT_NE(found.find("s.json:"), std::string::npos) << found;
      EXPECT_NE(found.find("m^2/s more flow into than out of what walls and solids enclose on both sides of solid"),
                std::string::npos)
          << found;
    }
  // and one that no inflow ever moves cannot go anywhere
  EXPECT_NE(refusal(room(kPlug, 0, 0)).find("\"plug\" fills the room from wall to wall"), std::string::npos);
}

// One that is moved later only stands until then.
TEST(Plug, WaitsForItsInflows) {
  Exec exec(1);
  const auto run =
      testing::started(testing::offlineScene(room(kPlug, 0.5, 0.5, "xpm", R"(, "schedule": [{"begin": 0.1, "end": 1}])")), exec);
  while (run->time() < 0.2 - 1e-9) EXPECT_TRUE(run->step(0.02).converged()) << run->time();
  EXPECT_NEAR(run->solids()[0].x.x, 0.4 + 0.5 * 0.1, 2e-3);
}

// Under a body from wall to wall, water of less than half a cell has no cell that would bear it.
TEST(Plug, ShutsInNoLayerThatTheGridHasNot) {
  const auto tank = [](double layer) {
    return R"({"meniscus": 1, "name": "tank", "duration": 1, "domain": {"min": [0, 0, 0], "max": [1, 0.5, 1]},
      "solver": {"method": "xpm", "dt": 0.01, "grid": {"dimension": 2, "cells": 10}},
      "fluids": [{"name": "water", "kind": "water", "density": 1000, "shapes": [{"box": {"min": [0, 0, 0], "max": [1, 0.5, 0.35]}}]}],
      "solids": [{"name": "lead", "kind": "rigid", "shape": {"box": {"size": [1, 0.5, 0.2]}}, "position": [0.5, 0.25, )" +
           std::to_string(0.1 + layer) + R"(], "material": {"density": 3000}}]})";
  };
  for (const double layer : {0.01, 0.03, 0.049}) {
    const std::string found = refusal(tank(layer));
    EXPECT_NE(found.find("solid \"lead\" fills the room from wall to wall and shuts in water"), std::string::npos) << found;
    EXPECT_NE(found.find("thicker than half a cell, 0.05 m"), std::string::npos) << found;
  }
  for (const double layer : {0.051, 0.08, 0.15}) {
    Exec exec(1);
    const auto run = testing::started(testing::offlineScene(tank(layer)), exec);
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(run->step(0.01).converged()) << k;
    EXPECT_NEAR(run->solids()[0].x.z, 0.1 + layer, 1e-3) << layer;
    EXPECT_LT(run->volumeError(), 1e-6) << layer;
  }
  // what lies on the floor shuts in nothing
  EXPECT_EQ(refusal(tank(0)), "");
}

}  // namespace
}  // namespace meniscus

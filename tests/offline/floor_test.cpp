// Bodies on the floor of a grid, and over it by less than a cell.
#include <algorithm>
#include <cmath>
#include <string>

#include "tests/offline/scenes.h"

namespace meniscus {
namespace {

// In the plane or in space, a tank of 1 x 0.5 x 1 m, or wider, with cells of 0.1 m.
SceneDef tank(int dimension, const std::string& method, const std::string& fluid, const std::string& solids,
              const std::string& width = "1", int cells = 10) {
  return testing::offlineScene(R"({"meniscus": 1, "name": "floor", "duration": 1,
    "domain": {"min": [0, 0, 0], "max": [)" +
                               width + R"(, 0.5, 1]}, "solver": {"method": ")" + method + R"(", "dt": 0.01, "grid": {"cells": )" +
                               std::to_string(cells) + R"(, "dimension": )" + std::to_string(dimension) + R"(}},
    "fluids": [)" + fluid + R"(], "solids": [)" +
                               solids + "]}");
}
std::string body(const std::string& name, const std::string& shape, double z, double density) {
  return R"({"name": ")" + name + R"(", "kind": "rigid", "shape": )" + shape + R"(, "position": [0.5, 0.25, )" + std::to_string(z) +
         R"(], "material": {"density": )" + std::to_string(density) + "}}";
}
std::string waterTo(double z, const std::string& width = "1") {
  return R"({"name": "water", "kind": "water", "density": 1000, "shapes": [{"box": {"min": [0, 0, 0], "max": [)" + width +
         ", 0.5, " + std::to_string(z) + "]}}]}";
}
const std::string kAir = R"({"name": "air", "kind": "smoke", "density": 1})";
const std::string kBox = R"({"box": {"size": [0.2, 0.2, 0.2]}})";

// All steps converge; where the bodies are in the end.
std::vector<double> heights(const SceneDef& scene, int steps, double* speed = nullptr) {
  Exec exec(2);
  const auto run = testing::started(scene, exec);
  int unconverged = 0;
  for (int k = 0; k < steps; ++k) unconverged += !run->step(0.01).converged();
  EXPECT_EQ(unconverged, 0);
  std::vector<double> z;
  for (const offline::SolidReport& s : run->solids()) z.push_back(s.x.z);
  if (speed) *speed = norm(run->solids().back().v);
  return z;
}

// In a room that is shut on all sides a heavy ball that lies on the floor stays, and one that falls comes to lie there: within the
// thickness that solids keep, and not where the last cell under it would have to lose its fluid.
TEST(OfflineFloor, ABallComesToRestOnTheFloorOfAClosedRoom) {
  for (const int dimension : {2, 3})
    for (const char* method : {"xpm", "monolithic", "iqn-ils", "partitioned"})
      for (const double z : {0.1, 0.3}) {
        if (dimension == 3 && std::string(method) != "xpm") continue;
        const SceneDef scene = tank(dimension, method, kAir, body("ball", R"({"sphere": {"radius": 0.1}})", z, 7000));
        double speed = 0;
        const double end = heights(scene, 60, &speed)[0];
        EXPECT_LT(speed, 0.02) << dimension << ' ' << method << ' ' << z;
        EXPECT_LT(end, 0.1 + 0.012) << dimension << ' ' << method << ' ' << z;  // spheres are larger by their polyhedra
        EXPECT_GT(end, 0.1 - 0.012) << dimension << ' ' << method << ' ' << z;
      }
}

// So in a tank full of water.
TEST(OfflineFloor, ABallComesToRestOnTheFloorOfAFullTank) {
  for (const int dimension : {2, 3}) {
    const double end =
        heights(tank(dimension, "xpm", waterTo(1), body("ball", R"({"sphere": {"radius": 0.1}})", 0.2, 7000)), 60)[0];
    EXPECT_LT(end, 0.1 + 0.012) << dimension;
    EXPECT_GT(end, 0.1 - 0.012) << dimension;
  }
}

// On a table as on the floor: the gap over what does not move is one of fluid, too, and not half a cell that a body hangs over.
TEST(OfflineFloor, ABallComesToRestOnATable) {
  const std::string table = R"({"name": "table", "kind": "static", "shape": {"box": {"size": [0.4, 0.6, 0.2]}},
    "position": [0.5, 0.25, 0.1]}, )";
  for (const int dimension : {2, 3})
    for (const std::string& fluid : {kAir, waterTo(1)})
      for (const char* method : {"xpm", "monolithic"})
        for (const double z : {0.3, 0.43}) {
          if (dimension == 3 && (std::string(method) != "xpm" || fluid != kAir)) continue;
          double speed = 0;
          const double end =
              heights(tank(dimension, method, fluid, table + body("ball", R"({"sphere": {"radius": 0.1}})", z, 7000)), 60, &speed)
                  .back();
          EXPECT_LT(speed, 0.04) << dimension << ' ' << method << ' ' << z;
          EXPECT_LT(end, 0.3 + 0.012) << dimension << ' ' << method << ' ' << z;
          EXPECT_GT(end, 0.3 - 0.012) << dimension << ' ' << method << ' ' << z;
        }
}

// What moves by key frames goes to the floor of a closed room and to its wall: the smoke before it leaves by the gap's rim.
TEST(OfflineFloor, AKinematicBoxGoesToTheSidesOfAClosedRoom) {
  for (const int dimension : {2, 3})
    for (const char* way : {"[0, 0, -0.2]", "[0.4, 0, 0]"}) {
      const std::string box = R"({"name": "box", "kind": "kinematic", "shape": )" + kBox +
                              R"(, "position": [0.5, 0.25, 0.3],
        "motion": [{"time": 0, "displacement": [0, 0, 0]}, {"time": 0.2, "displacement": )" +
                              way + "}]}";
      const SceneDef scene = tank(dimension, "xpm", kAir, box);
      double speed = 0;
      const double end = heights(scene, 25, &speed)[0];
      EXPECT_NEAR(end, 0.3 + scene.solids[0].motion.back().translate.z, 1e-9) << dimension << ' ' << way;
      EXPECT_LT(speed, 1e-9) << dimension << ' ' << way;
    }
}

// The water under a box bears it: lighter than water it leaves the floor, and heavier it stays, but for the thickness that it gets
// from it.
TEST(OfflineFloor, ABoxLighterThanWaterLeavesTheFloor) {
  for (const int dimension : {2, 3}) {
    EXPECT_GT(heights(tank(dimension, "xpm", waterTo(0.45), body("box", kBox, 0.1, 500)), 30)[0], 0.13) << dimension;
    EXPECT_GT(heights(tank(dimension, "monolithic", waterTo(0.5), body("box", kBox, 0.1, 200)), 30)[0], 0.13) << dimension;
    EXPECT_LT(heights(tank(dimension, "xpm", waterTo(0.45), body("box", kBox, 0.1, 1100)), 30)[0], 0.11) << dimension;
  }
}

// The lighter a box, the more of what moves with it is the water around it: the gap's under it, while that is less than a cell, is
// many times its mass. It goes up as the one system makes it go.
TEST(OfflineFloor, AVeryLightBoxRisesAsByTheOneSystem) {
  for (const double density : {50, 100, 200}) {
    double speed[3];
    int k = 0;
    for (const char* method : {"monolithic", "xpm", "iqn-ils"}) {
      SceneDef scene = tank(2, method, waterTo(0.5), body("box", kBox, 0.1, density));
      scene.solver.coupling.tolerance = 0.005;
      heights(scene, 12, &speed[k++]);
    }
    EXPECT_GT(speed[0], 0.3) << density;
    EXPECT_NEAR(speed[1], speed[0], 0.08 * speed[0]) << density;
    EXPECT_NEAR(speed[2], speed[0], 0.08 * speed[0]) << density;
  }
}

// At the ordinary tolerance, too, it is not thrown: all steps end, also where it has risen by a cell and cells of water open under
// it.
TEST(OfflineFloor, AVeryLightBoxIsNotThrown) {
  for (const int dimension : {2, 3})
    for (const double density : {50, 100, 200})
      for (const char* method : {"xpm", "iqn-ils"}) {
        double speed = 0;
        const int steps = dimension == 2 ? 30 : 6;
        const double z = heights(tank(dimension, method, waterTo(0.5), body("box", kBox, 0.1, density)), steps, &speed)[0];
        EXPECT_GT(z, dimension == 2 ? 0.18 : 0.105) << dimension << ' ' << method << ' ' << density;
        EXPECT_LT(speed, 0.9) << dimension << ' ' << method << ' ' << density;
      }
}

// Any number of them: here five in a row, half a cell over the floor.
TEST(OfflineFloor, ARowOfVeryLightBoxesRisesAsByTheOneSystem) {
  const auto speeds = [](const std::string& method, double density) {
    std::string boxes;
    for (int k = 0; k < 5; ++k)
      boxes += (k ? ", " : "") + std::string(R"({"name": "b)") + std::to_string(k) + R"(", "kind": "rigid", "shape": )" + kBox +
               R"(, "position": [)" + std::to_string(0.3 + 0.4 * k) + R"(, 0.25, 0.15], "material": {"density": )" +
               std::to_string(density) + "}}";
    const SceneDef scene = tank(2, method, waterTo(0.5, "2.2"), boxes, "2.2", 22);
    Exec exec(2);
    const auto run = testing::started(scene, exec);
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(run->step(0.01).converged()) << method << ' ' << k;
    std::vector<double> v;
    for (const offline::SolidReport& s : run->solids()) v.push_back(norm(s.v));
    return v;
  };
  for (const double density : {50, 100, 200}) {
    const std::vector<double> one = speeds("monolithic", density);
    for (const char* method : {"xpm", "iqn-ils"}) {
      const std::vector<double> v = speeds(method, density);
      for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(v[k], one[k], 0.1 * one[k]) << method << ' ' << density << ' ' << k;
    }
  }
}

// Three of them close together in space: contacts between them, the floor and the walls, and 18 ways. In the first steps one may go
// down half a millimetre.
TEST(OfflineFloor, VeryLightBoxesSideBySideAreNotThrownInSpace) {
  std::string boxes;
  for (int k = 0; k < 3; ++k)
    boxes += (k ? ", " : "") + std::string(R"({"name": "b)") + std::to_string(k) + R"(", "kind": "rigid", "shape": )" + kBox +
             R"(, "position": [)" + std::to_string(0.25 + 0.25 * k) + R"(, 0.25, 0.15], "material": {"density": 50}})";
  for (const char* method : {"xpm", "iqn-ils"}) {
    const SceneDef scene = tank(3, method, waterTo(0.5), boxes);
    Exec exec(2);
    const auto run = testing::started(scene, exec);
    for (int k = 0; k < 12; ++k) EXPECT_TRUE(run->step(0.01).converged()) << method << ' ' << k;
    for (const offline::SolidReport& s : run->solids()) {
      EXPECT_GT(s.x.z, 0.15) << method;
      EXPECT_LT(norm(s.v), 0.9) << method;
    }
  }
}

// A heavy box on a light one, under water on the floor: what the light one answers to an error of its place, the heavy one stops.
TEST(OfflineFloor, AHeavyBoxHoldsALightOneDown) {
  for (const char* method : {"xpm", "iqn-ils"}) {
    const SceneDef scene = tank(3, method, waterTo(0.8), body("low", kBox, 0.1, 500) + ", " + body("high", kBox, 0.3, 3000));
    double speed = 0;
    const std::vector<double> z = heights(scene, 8, &speed);
    EXPECT_NEAR(z[0], 0.104, 1.1e-3) << method;
    EXPECT_NEAR(z[1], 0.308, 2.1e-3) << method;
    EXPECT_LT(speed, 0.11) << method;
  }
}

// The thickness that a solid gets from the floor it gets as slowly in small steps as in large ones: it does not hop.
TEST(OfflineFloor, ABoxDoesNotHopInSmallSteps) {
  SceneDef scene = tank(2, "xpm", kAir, body("box", kBox, 0.1, 2000));
  scene.domain.walls[5] = false;
  Exec exec(1);
  const auto run = testing::started(scene, exec);
  double highest = 0;
  for (int k = 0; k < 500; ++k) {
    run->step(0.0005);
    highest = std::max(highest, run->solids()[0].x.z);
  }
  EXPECT_LT(highest, 0.1053);
  EXPECT_NEAR(run->solids()[0].x.z, 0.105, 2e-4);
}

// Two boxes in shallow water: they part by the thickness that solids keep and then stand.
TEST(OfflineFloor, StackedBoxesStand) {
  for (const int dimension : {2, 3})
    for (const char* method : {"xpm", "monolithic", "iqn-ils", "partitioned"}) {
      if (dimension == 3 && std::string(method) == "partitioned") continue;  // as IQN-ILS, in more passes
      double speed = 0;
      const std::vector<double> z = heights(
          tank(dimension, method, waterTo(0.15), body("low", kBox, 0.1, 2000) + ", " + body("high", kBox, 0.3, 2000)), 60, &speed);
      EXPECT_NEAR(z[0], 0.105, 1e-4) << dimension << ' ' << method;
      EXPECT_NEAR(z[1], 0.31, 2e-4) << dimension << ' ' << method;
      EXPECT_LT(speed, 0.02) << dimension << ' ' << method;
    }
}

// A small cloth that lies on a fixed box in a room that is shut on all sides: no cell is between the two, and what the room may not
// lose is not asked of the cloth, which contacts keep a little over the box.
TEST(OfflineFloor, AClothLiesOnABoxInAShutRoom) {
  const std::string box = R"({"name": "box", "kind": "static", "shape": )" + kBox + R"(, "position": [0.5, 0.25, 0.1]})",
                    cloth = R"({"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.1, 0.1], "resolution": 0.02}},
      "position": [0.5, 0.25, 0.2], "material": {"areal_density": 1, "youngs_modulus": 1e4, "thickness": 0.005}})";
  for (const int dimension : {2, 3})
    for (const char* method : {"xpm", "monolithic"}) {
      const std::vector<double> z = heights(tank(dimension, method, kAir, box + ", " + cloth), 20);
      EXPECT_NEAR(z[1], 0.205, 0.003) << dimension << method;
    }
}

std::string refusalOf(const SceneDef& scene) {
  Exec exec(1);
  try {
    testing::started(scene, exec);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input);
    return e.what();
  }
  return "";
}

// It can go nowhere, as what is shut in before and behind it can not be compressed. With air over the water, or a cell beside it,
// it can.
TEST(OfflineFloor, WhatFillsAShutRoomFromWallToWallIsRefusedByName) {
  const std::string wide = R"({"box": {"size": [1, 0.5, 0.2]}})", narrow = R"({"box": {"size": [0.8, 0.5, 0.2]}})";
  for (const int dimension : {2, 3}) {
    for (const auto& [fluid, z] : {std::pair(kAir, 0.5), std::pair(waterTo(1), 0.1)}) {
      const std::string text = refusalOf(tank(dimension, "xpm", fluid, body("b", wide, z, 5000)));
      for (const char* part : {"s.json:", "\"b\" fills the room from wall to wall", "make it narrower by a cell"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
      EXPECT_EQ(refusalOf(tank(dimension, "xpm", fluid, body("b", narrow, z, 5000))), "");
    }
    EXPECT_EQ(refusalOf(tank(dimension, "xpm", waterTo(0.3), body("b", wide, 0.6, 5000))), "");
  }
}

// A box that moves as it is told, down onto one that lies on the floor.
TEST(OfflineFloor, WhatIsCrushedIsToldByName) {
  const std::string press = R"({"name": "k", "kind": "kinematic", "shape": {"box": {"size": [0.3, 0.6, 0.2]}},
    "position": [0.5, 0.25, 0.45], "motion": [{"time": 0}, {"time": 0.2, "displacement": [0, 0, -0.2]}]})";
  Exec exec(2);
  for (const std::string& fluid : {kAir, waterTo(0.3)}) {
    const auto run = testing::started(tank(2, "xpm", fluid, press + ", " + body("b", kBox, 0.1, 2000)), exec);
    std::string why;
    while (why.empty() && run->time() < 0.2) try {
        run->step(0.01);
      } catch (const Error& e) {
        EXPECT_EQ(e.kind, ErrorKind::simulation);
        why = e.what();
      }
    EXPECT_NE(why.find("solid \"b\""), std::string::npos) << why;
    EXPECT_NE(why.find("solid \"k\""), std::string::npos) << why;
    EXPECT_NE(why.find("end its way before"), std::string::npos) << why;
    EXPECT_LT(run->time(), 0.18);
  }
}

// Contacts hold it to a thousandth of a cell, which is no way out of the domain.
TEST(OfflineFloor, ABodyAsWideAsTheRoomRestsOnWaterInSpace) {
  Exec exec(2);
  for (const char* method : {"monolithic", "xpm"}) {
    SceneDef scene = testing::offlineScene(std::string(R"({"meniscus": 1, "duration": 1,
      "domain": {"min": [0, 0, 0], "max": [1, 0.5, 1]}, "solver": {"method": ")") +
                                           method + R"(", "dt": 0.01, "grid": {"cells": 10}},
      "fluids": [{"name": "water", "kind": "water", "density": 1000, "shapes": [{"box": {"min": [0, 0, 0], "max": [1, 0.5, 0.3]}}]}],
      "solids": [{"name": "plug", "kind": "rigid", "shape": {"box": {"size": [1, 0.5, 0.2]}}, "position": [0.5, 0.25, 0.6],
                  "material": {"density": 500}}]})");
    const auto run = testing::started(scene, exec);
    for (int k = 0; k < 60; ++k) ASSERT_NO_THROW(run->step(0.01)) << method << ' ' << k;
    EXPECT_GT(run->solids()[0].x.z, 0.3) << method;
  }
}

}  // namespace
}  // namespace meniscus

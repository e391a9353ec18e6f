// Small scenes of smoke and water on a grid.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/offline/run.h"
#include "engine/scene/diagnostic.h"
#include "engine/scene/load.h"

namespace meniscus::testing {

inline SceneDef offlineScene(const std::string& text) {
  SceneDef scene;
  const std::string mistakes = formatAll(checkSceneText(text, "s.json", &scene));
  EXPECT_EQ(mistakes, "");
  return scene;
}

inline SceneDef assetScene(const std::string& name) {
  return loadScene(std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes/" + name + ".json");
}

// A room of 1 x 1.5 m in the plane, open above, and a fan of 0.2 m in its floor; `solids` is a list in brackets.
inline std::string planeRoom(const std::string& solids, const std::string& solver = "", const std::string& more = "") {
  return R"({
  "meniscus": 1, "name": "room", "gravity": [0, 0, 0], "duration": 0.5,
  "domain": {"min": [0, -0.5, 0], "max": [1, 0.5, 1.5], "walls": ["-x", "+x", "-z"]},
  "solver": {"method": "xpm", "dt": 0.05, "grid": {"dimension": 2, "cells": 20})" +
         solver + R"(},
  "fluids": [{"name": "air", "kind": "smoke", "density": 1,
              "inflows": [{"side": "-z", "box": {"min": [0.4, -1, 0], "max": [0.6, 1, 0]}, "speed": 0.5, "smoke": 1}]}],
  "solids": )" +
         solids + more + "\n}\n";
}

inline std::string planeCloth(const std::string& more = R"(, "pins": [{"rim": true}])", const std::string& arealDensity = "0.1") {
  return R"([{"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.5, 1], "resolution": 0.0125}}, "position": [0.5, 0, 0.615],
    "material": {"areal_density": )" +
         arealDensity + R"(, "youngs_modulus": 30, "thickness": 0.035, "poisson_ratio": 0, "damping": 0.01})" + more + "}]";
}

inline std::string planeBall(double density = 4) {
  return R"([{"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.12}}, "position": [0.52, 0, 0.6],
    "material": {"density": )" +
         std::to_string(density) + "}}]";
}

// A tank of 1 x 1 m in the plane with water up to 0.61 m.
inline std::string planeTank(const std::string& solids, const std::string& solver = "",
                             const std::string& shapes = R"([{"box": {"min": [0, -0.5, 0], "max": [1, 0.5, 0.61]}}])") {
  return R"({
  "meniscus": 1, "name": "tank", "duration": 0.3, "gravity": [0, 0, -9.81],
  "domain": {"min": [0, -0.5, 0], "max": [1, 0.5, 1]},
  "solver": {"method": "xpm", "dt": 0.01, "grid": {"dimension": 2, "cells": 20})" +
         solver + R"(},
  "fluids": [{"name": "water", "kind": "water", "density": 1000, "shapes": )" +
         shapes + R"(}],
  "solids": )" +
         solids + "\n}\n";
}

inline std::string planePaddle() {
  return R"([{"name": "paddle", "kind": "kinematic", "shape": {"box": {"size": [0.1, 1, 0.4]}}, "position": [0.3, 0, 0.4],
     "motion": [{"time": 0}, {"time": 0.2, "displacement": [0.1, 0, 0], "rotation": {"axis": [0, 1, 0], "degrees": 30}}]}])";
}

inline std::unique_ptr<offline::OfflineRun> started(const SceneDef& scene, Exec& exec) {
  return offline::OfflineRun::build(scene, exec, nullptr);
}

}  // namespace meniscus::testing

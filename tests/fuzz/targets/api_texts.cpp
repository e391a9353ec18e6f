#include "tests/fuzz/targets/api_texts.h"

#include <fmt/format.h>

namespace meniscus::fuzz {
namespace {

template <std::size_t N>
const char* oneOf(Bytes& b, const char* const (&list)[N]) {
  return list[std::size_t(b.below(int(N)))];
}

// A number of a file: not every double is one.
std::string number(Bytes& b, double lo, double hi) { return fmt::format("{:.6g}", b.number(lo, hi)); }

std::string particles(Bytes& b) {
  static const char* const methods[] = {"isph-pbd", "isph-pbd", "xpm", "iqn-ils", "partitioned", "staggered", "monolithic"};
  static const char* const more[] = {
      "",
      R"(, "emitters": [{"name": "tap", "fluid": "water", "disc": {"radius": 0.03}, "position": [0.05, 0.05, 0.17],
          "direction": [0, 0, -1], "speed": 1}])",
      R"(, "drains": [{"name": "plug", "rectangle": {"size": [0.06, 0.06]}, "position": [0.1, 0.1, 0], "depth": 0.01}])"};
  std::string text = R"({"meniscus": 1, "name": "pool", "duration": 0.1, "max_particles": 600,
    "domain": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}, "solver": {"method": ")";
  text += oneOf(b, methods);
  text += R"(", "dt": 0.004}, "fluids": [{"name": "water", "spacing": 0.02, "relax": false,
    "shapes": [{"box": {"min": [0, 0, 0], "max": [0.2, 0.2, )";
  text += number(b, 0.02, 0.08);
  text += R"(]}}]}], "solids": [)";
  if (b.below(3) == 0)
    text +=
        R"({"name": "paddle", "kind": "kinematic", "shape": {"box": {"size": [0.02, 0.08, 0.06]}}, "position": [0.05, 0.1, 0.14],
      "motion": [{"time": 0}]}, )";
  text += R"({"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.03}}, "position": [0.1, 0.1, 0.14],
    "material": {"density": )";
  text += number(b, 100, 3000);
  text += "}}]";
  text += oneOf(b, more);
  return text + "}";
}

std::string plane(Bytes& b) {
  static const char* const methods[] = {"xpm", "iqn-ils", "partitioned", "monolithic", "staggered", "isph-pbd"};
  static const char* const fluids[] = {
      R"({"name": "air", "kind": "smoke", "density": 1,
          "inflows": [{"side": "-z", "box": {"min": [0.4, -1, 0], "max": [0.6, 1, 0]}, "speed": 0.5, "smoke": 1}]})",
      R"({"name": "air", "kind": "smoke", "density": 1, "start": "potential-flow", "buoyancy": [0, 0, 0.5],
          "inflows": [{"side": "-z", "box": {"min": [0.4, -1, 0], "max": [0.6, 1, 0]}, "speed": 0.5, "smoke": 1}]})",
      R"({"name": "water", "kind": "water", "density": 1000, "shapes": [{"box": {"min": [0, -0.5, 0], "max": [1, 0.5, 0.41]}}]})"};
  static const char* const solids[] = {
      "",
      R"({"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.5, 1], "resolution": 0.05}}, "position": [0.5, 0, 0.615],
          "material": {"areal_density": 0.1, "youngs_modulus": 30, "thickness": 0.035, "poisson_ratio": 0, "damping": 0.01},
          "pins": [{"rim": true}]})",
      R"({"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.12}}, "position": [0.52, 0, 0.6],
          "material": {"density": 400}})",
      R"({"name": "balloon", "kind": "inflatable", "shape": {"sphere": {"radius": 0.2, "resolution": 0.05}}, "position": [0.5, 0, 0.13],
          "material": {"areal_density": 0.04, "youngs_modulus": 10, "thickness": 0.05, "poisson_ratio": 0, "damping": 0.02},
          "pins": [{"box": {"min": [0, -1, -1], "max": [1, 1, 0]}}]})",
      R"({"name": "paddle", "kind": "kinematic", "shape": {"box": {"size": [0.1, 1, 0.4]}}, "position": [0.3, 0, 0.4],
          "motion": [{"time": 0}, {"time": 0.2, "displacement": [0.1, 0, 0], "rotation": {"axis": [0, 1, 0], "degrees": 30}}]})",
      R"({"name": "wall", "kind": "static", "shape": {"box": {"size": [0.2, 1, 0.2]}}, "position": [0.7, 0, 0.2]})"};
  std::string text = R"({"meniscus": 1, "name": "room", "duration": 0.1, "gravity": [0, 0, )";
  text += number(b, -9.81, 0);
  text += R"(], "domain": {"min": [0, -0.5, 0], "max": [1, 0.5, 1])";
  const int fluid = b.below(3);
  if (fluid != 2 || b.seldom()) text += R"(, "walls": ["-x", "+x", "-z"])";  // water takes no open sides
  text += R"(}, "solver": {"method": ")";
  text += oneOf(b, methods);
  text += R"(", "dt": 0.02, "grid": {"dimension": 2, "cells": )" + std::to_string(8 + b.below(5));
  text += R"(}}, "fluids": [)";
  text += fluids[fluid];
  text += R"(], "solids": [)";
  text += oneOf(b, solids);
  return text + "]}";
}

std::string space(Bytes& b) {
  static const char* const methods[] = {"xpm", "iqn-ils", "partitioned", "monolithic"};
  static const char* const fluids[] = {
      R"({"name": "air", "kind": "smoke", "density": 1, "start": "potential-flow",
          "inflows": [{"side": "-z", "box": {"min": [0.3, 0.1, 0], "max": [0.6, 0.4, 0]}, "speed": 0.5, "smoke": 1}]})",
      R"({"name": "water", "kind": "water", "density": 1000, "shapes": [{"box": {"min": [0, 0, 0], "max": [1, 0.5, 0.4]}}]})"};
  static const char* const solids[] = {
      R"({"name": "plank", "kind": "rigid", "shape": {"box": {"size": [0.5, 0.2, 0.1]}}, "position": [0.5, 0.25, 0.7],
          "material": {"density": 500}})",
      R"({"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.6, 0.4], "resolution": 0.2}}, "position": [0.5, 0.25, 0.62],
          "material": {"areal_density": 0.1, "youngs_modulus": 1000, "thickness": 0.01}, "pins": [{"rim": true}]})"};
  std::string text = R"({"meniscus": 1, "name": "space", "duration": 0.1, "gravity": [0, 0, -1],
    "domain": {"min": [0, 0, 0], "max": [1, 0.5, 1], "walls": ["-x", "+x", "-y", "+y", "-z"]}, "solver": {"method": ")";
  text += oneOf(b, methods);
  text += R"(", "dt": 0.02, "grid": {"cells": )" + std::to_string(6 + 2 * b.below(3)) + R"(}}, "fluids": [)";
  text += oneOf(b, fluids);
  text += R"(], "solids": [)";
  text += oneOf(b, solids);
  return text + R"(], "output": {"view": {"camera": [{"time": 0, "eye": [3, 2, 1], "target": [0.5, 0.2, 0.5]}]}}})";
}

}  // namespace

std::string sceneText(Bytes& b, bool& ofGrid) {
  const int kind = b.below(4);
  ofGrid = kind > 0;
  return kind == 0 ? particles(b) : kind == 3 ? space(b) : plane(b);
}

}  // namespace meniscus::fuzz

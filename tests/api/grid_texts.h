// Small scenes on a grid in the plane, which make their steps in milliseconds.
#pragma once

#include <string>

// A room of 1 x 1 m with a fan in its floor; solids: in brackets.
inline std::string roomText(const std::string& method, const std::string& fluid, const std::string& solids,
                            const char* walls = R"(, "walls": ["-x", "+x", "-z"])") {
  return R"({"meniscus": 1, "name": "room", "gravity": [0, 0, -1], "duration": 0.2,
    "domain": {"min": [0, -0.5, 0], "max": [1, 0.5, 1])" +
         std::string(walls) + R"(}, "solver": {"method": ")" + method +
         R"(", "dt": 0.02, "grid": {"dimension": 2, "cells": 10}}, "fluids": [)" + fluid + R"(], "solids": [)" + solids + "]}";
}

inline const char* smokeFluid() {
  return R"({"name": "air", "kind": "smoke", "density": 1,
    "inflows": [{"side": "-z", "box": {"min": [0.4, -1, 0], "max": [0.6, 1, 0]}, "speed": 0.5, "smoke": 1}]})";
}
inline const char* planeCloth() {
  return R"({"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.5, 1], "resolution": 0.05}}, "position": [0.5, 0, 0.615],
    "material": {"areal_density": 0.1, "youngs_modulus": 30, "thickness": 0.035, "poisson_ratio": 0, "damping": 0.01},
    "pins": [{"rim": true}]})";
}
inline const char* planeBall() {
  return R"({"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.15}}, "position": [0.5, 0, 0.5],
    "material": {"density": 400}})";
}

inline std::string smokeText() { return roomText("xpm", smokeFluid(), planeCloth()); }
inline std::string waterText() {
  return roomText("xpm", R"({"name": "water", "kind": "water", "density": 1000,
    "shapes": [{"box": {"min": [0, -0.5, 0], "max": [1, 0.5, 0.61]}}]})",
                  planeBall(), "");
}
inline std::string monolithicText() { return roomText("monolithic", smokeFluid(), planeBall()); }

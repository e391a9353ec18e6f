// Scenes in pressure mode "kernel-diagonal" for the step on a device: those of the other mode, in this one.
#pragma once

#include <vector>

#include "tests/shared/device_nodes.h"

namespace meniscus::testing {

struct MorrisScene {
  const char* name;
  void (*change)(SceneDef&);
  Agreement serial, card;
};

// A product of compressed rows adds up in another order than the CPU's. Measured on the serial device, in spacings: 2e-6 to 2e-5;
// at a sheet 6e-3, over primitives 7e-5. The CPU against itself, from positions moved by one unit in the last place: 3e-6 to 5e-5;
// 1e-2 and 4e-4.
constexpr Agreement kSerialMorris{1e-4, 1e-3}, kSerialMorrisImpact{5e-4, 2e-3}, kSerialMorrisSheets{2e-2, 1e-2};

inline const std::vector<MorrisScene>& morrisScenes() {
  static const std::vector<MorrisScene> all = {
      {"Column", [](SceneDef&) {}, kSerialMorris, kCard},
      {"Thrown",
       [](SceneDef& s) {
         s.domain.max = {0.3, 0.2, 0.4};
         s.domain.friction = 0.3;
         s.fluids[0].velocity = {3, 0.5, 4};
       },
       kSerialMorris, kCardImpact},
      {"TwoFluids",
       [](SceneDef& s) {
         addBoxOfWater(s, 0.02, {0.12, 0.2, 0.28}, {0.3, 0.1, 0.14}).density = 800;
         s.fluids[1].name = "oil";
         s.fluids[1].viscosity = 1e-4;
       },
       kSerialMorris, kCard},
      {"Viscous",
       [](SceneDef& s) {
         s.domain.noSlip = true;
         s.fluids[0].viscosity = 1e-2;
         s.fluids[0].velocity = {1, 0, 0};
       },
       kSerialMorris, kCard},
      {"OpenSides",
       [](SceneDef& s) {
         s.domain.walls[0] = s.domain.walls[4] = false;
         s.fluids[0].velocity = {-2, 0, 0};
       },
       kSerialMorris, kCard},
      {"Primitives", overPrimitives, kSerialMorrisImpact, kCardImpact},
      {"Meshes", overMeshes, kSerialMorris, kCardImpact},
      {"Sheets", atSheets, kSerialMorrisSheets, kCardImpact},
      {"MovedBodies", movedBodies, kSerialMorris, kCardImpact},
      {"FreeBodies", freeBodies, kSerialMorris, kCardImpact},
  };
  return all;
}

inline std::string nameOfMorris(const ::testing::TestParamInfo<MorrisScene>& info) { return info.param.name; }

// Solved farther than scenes ask for: an iteration more or less makes no difference then.
inline void inMorrisMode(SceneDef& s) {
  s.solver.pressure = PressureMode::kernelDiagonal;
  s.solver.tolerance = 1e-6;
}

inline SceneDef morrisBalloon() {
  SceneDef s = thrownBalloon();
  inMorrisMode(s);
  return s;
}

}  // namespace meniscus::testing

// The fluid's surface as a mesh, made from its particles: what other programs draw.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/exec/exec.h"
#include "engine/world/world.h"

namespace meniscus {

struct FluidSurface {
  std::vector<Vec3f> x;             // m, world frame
  std::vector<Vec3f> n;             // unit, out of the fluid
  std::vector<Vec3f> v;             // m/s, of the fluid there
  std::vector<std::uint8_t> fluid;  // of each point: index into SceneDef::fluids
  std::vector<std::int32_t> tri;    // 3 a triangle, counter-clockwise seen from outside
};

// A closed surface about each fluid, on a grid of half the particles' spacing: drops of one particle and sheets of two are on it.
// The same bits with any number of threads. Throws Error(input) where the fluid is spread too far for such a grid.
FluidSurface fluidSurface(Exec& exec, const World& world);

}  // namespace meniscus

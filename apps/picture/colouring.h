// What colours particles and meshes, and the range of colours.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/render/look.h"

namespace meniscus::picture {

enum class FluidQuantity { none, speed, pressure, densityError, deficiency, leaked, vorticity, smoke, levelSet };
enum class MeshQuantity { none, speed, stretch };

// What grids have of them: smoke or a level set, speed and pressure.
bool isOfGrids(FluidQuantity quantity);

// Which quantity, and over which range of it.
struct Colouring {
  FluidQuantity fluid = FluidQuantity::none;
  MeshQuantity mesh = MeshQuantity::none;
  render::ColourMap map = render::ColourMap::viridis;
  bool automatic = true;    // the range follows the values
  float low = 0, high = 1;  // the fixed range, of the fluid's quantity
};

struct QuantityName {
  const char* key;  // for files and options
  const char* label;
  const char* unit;
};

inline constexpr int kFluidQuantities = 9, kMeshQuantities = 3;
const QuantityName& nameOf(FluidQuantity quantity);
const QuantityName& nameOf(MeshQuantity quantity);

// The range of values without the outermost two in a hundred at either end, widened to contain zero for quantities that have signs
// symmetrically; never empty.
struct Range {
  float low = 0, high = 1;
};
// some: memory for a part of the values, used again.
Range rangeOf(const std::vector<float>& values, FluidQuantity quantity, std::vector<float>& some);

// Of all values of a grid, most of which may be nothing: smoke and speeds from zero. levelSet: of water, whose own values alone
// count; else empty.
Range rangeOfGrid(const std::vector<float>& values, const std::vector<float>& levelSet, FluidQuantity quantity);

// A range that follows another without jumping about: grows at once, shrinks slowly.
Range follow(const Range& before, const Range& now);

}  // namespace meniscus::picture

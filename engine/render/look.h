// How it is drawn.
#pragma once

#include <glm/glm.hpp>
#include <string_view>

namespace meniscus::render {

enum class FluidLook { spheres, surface, hidden };  // surface: screen-space, refracting
enum class Environment { studio, sky };
enum class ColourMap { viridis, coolwarm, turbo, grey };

// Colours for values, and the legend that explains them.
struct ColourScale {
  ColourMap map = ColourMap::viridis;
  float low = 0, high = 1;
  std::string_view label, unit;  // of the legend, of words that stay as long as the look; empty label: no legend
};

struct Look {
  FluidLook fluid = FluidLook::surface;
  Environment environment = Environment::studio;
  ColourScale fluidScale, meshScale;  // used where a set, a grid or a mesh has values
  int sliceAxis = -1;                 // 0, 1, 2: a slice of the grid across x, y or z; -1: none
  float sliceShare = .5f;             // of the domain's length along that axis, at which it is
  float smokeDensity = 1;             // factor on how much light smoke, or water on a grid, takes
  bool meshes = true, wireframe = false, edges = false;
  bool shadows = true, ground = true, tank = true;
  float sheetOpacity = 1;    // multiplies the opacity of sheets
  float smoothing = 1;       // of the fluid's surface: 0 shows every particle
  float refraction = 1.33f;  // index
  float exposure = 1;
  float textScale = 1;  // of the legend
  bool dark = false;    // background of the studio
};

}  // namespace meniscus::render

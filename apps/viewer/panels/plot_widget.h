// A plot of figures of the steps over time, with a grid, a legend and the values under the mouse.
#pragma once

#include <imgui.h>

#include <cstddef>

#include "apps/viewer/samples.h"

namespace meniscus::viewer {

// value: of sample k; gets the curve's name.
struct Curve {
  const char* name;
  double (*value)(const Samples& samples, std::size_t k, const char* name);
};

struct PlotDef {
  const char* title = "";
  const char* unit = "";
  const Curve* curves = nullptr;
  std::size_t curveCount = 0;
};

void plot(const PlotDef& def, const Samples& samples, const ImVec2& size);

}  // namespace meniscus::viewer

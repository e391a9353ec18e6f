// A plot of numbers over time, with a grid, a legend and the values under the mouse.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

namespace meniscus::viewer {

struct Curve {
  std::string name;
  std::function<double(std::size_t)> value;  // by sample
};

struct PlotDef {
  const char* title = "";
  const char* unit = "";
  std::vector<Curve> curves;
  std::size_t count = 0;                    // samples
  std::function<double(std::size_t)> time;  // s, ascending
};

void plot(const PlotDef& def, const ImVec2& size);

}  // namespace meniscus::viewer

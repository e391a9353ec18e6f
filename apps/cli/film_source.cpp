#ifdef MENISCUS_RENDER
#include "apps/cli/film_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "engine/base/error.h"
#include "engine/scene/methods.h"

namespace meniscus::cli {

namespace {

SliceDef readSlice(const std::string& text, const SceneDef& scene) {
  if (text == "none") return {};
  char axis = 0, rest = 0;
  double position = 0;
  const bool read = std::sscanf(text.c_str(), "%c=%lf%c", &axis, &position, &rest) == 2 && axis >= 'x' && axis <= 'z';
  if (!read) throw Error(ErrorKind::input, fmt::format("--slice {}: give AXIS=METRES as in y=0.5, or none", text));
  if (!isGridScene(scene) || scene.solver.grid.dimension == 2)
    throw Error(ErrorKind::input, fmt::format("--slice {}: the scene has no grid in three dimensions to be cut", text));
  const SliceDef s{axis - 'x', position};
  const double low = scene.domain.min[s.axis], high = scene.domain.max[s.axis];
  if (!(position >= low && position <= high))
    throw Error(ErrorKind::input, fmt::format("--slice {}: the domain reaches from {:g} to {:g} m", text, low, high));
  return s;
}

}  // namespace

void applyLook(const RenderOptions& o, SceneDef& scene) {
  ViewDef& view = scene.output.view;
  if (!o.slice.empty()) view.slice = readSlice(o.slice, scene);
  constexpr const char* looks[] = {"surface", "spheres", "hidden"};
  for (int k = 0; k < 3; ++k)
    if (o.fluid == looks[k]) view.fluid = FluidLook(k);
  constexpr const char* colours[] = {"none", "speed", "pressure", "density_error", "vorticity", "deficiency", "smoke"};
  for (int k = 0; k < 7; ++k)
    if (o.colour == colours[k]) view.colour = FluidColour(k);
}

std::string packFilm(int next, const std::string& memory) { return fmt::format("{} {}", next, memory); }

int unpackFilm(const std::string& words, std::string* memory) {
  const std::size_t space = words.find(' ');
  *memory = space == std::string::npos ? "" : words.substr(space + 1);
  return std::max(0, std::atoi(words.c_str()));
}

}  // namespace meniscus::cli
#endif  // MENISCUS_RENDER

#ifdef MENISCUS_RENDER
#include "apps/cli/film_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace meniscus::cli {

void applyLook(const RenderOptions& o, ViewDef& view) {
  constexpr const char* looks[] = {"surface", "spheres", "hidden"};
  for (int k = 0; k < 3; ++k)
    if (o.fluid == looks[k]) view.fluid = FluidLook(k);
  constexpr const char* colours[] = {"none", "speed", "pressure", "density_error", "vorticity", "deficiency"};
  for (int k = 0; k < 6; ++k)
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

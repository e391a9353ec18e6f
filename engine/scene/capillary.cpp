#include "engine/scene/capillary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/fluid/surface_tension.h"

namespace meniscus {

bool hasSurfaceTension(const SceneDef& scene) {
  return std::any_of(scene.fluids.begin(), scene.fluids.end(), [](const FluidDef& f) { return f.surfaceTension > 0; });
}

double fastestByTension(const SceneDef& scene, double dx) {
  double speed2 = 0;
  for (const FluidDef& f : scene.fluids)
    if (f.surfaceTension > 0) speed2 = std::max(speed2, 2 * f.surfaceTension / (f.density * dx));
  return std::sqrt(speed2);
}

double longestCapillaryStep(const SceneDef& scene, double dx) {
  constexpr double kShare = 0.6;  // of what is stable in a lattice: packings that are crushed are stiffer
  double longest = std::numeric_limits<double>::infinity();
  for (const FluidDef& f : scene.fluids)
    if (f.surfaceTension > 0) longest = std::min(longest, kShare * capillaryStep(dx, f.surfaceTension, f.density));
  return longest;
}

}  // namespace meniscus

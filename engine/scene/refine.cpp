#include "engine/scene/refine.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"

namespace meniscus {

void refine(SceneDef& scene, double factor) {
  constexpr double kMost = 1e6;  // cells along an edge
  GridDef& grid = scene.solver.grid;
  const double cells = std::round(grid.cells * factor);
  if (!(factor > 0) || !std::isfinite(factor) || cells > kMost || (grid.cells > 0 && cells < 1))
    throw Error(ErrorKind::input, fmt::format("{}: cannot be refined {:g} times", scene.file, factor));
  grid.cells = int(cells);
  grid.cellSize /= factor;
  for (FluidDef& fluid : scene.fluids) fluid.spacing /= factor;
  for (SolidDef& solid : scene.solids) solid.shape.resolution /= factor;
}

}  // namespace meniscus

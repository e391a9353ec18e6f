#include "engine/scene/refine.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/scene/check_grid.h"

namespace meniscus {

void refine(SceneDef& scene, double factor) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::input, fmt::format("{}: cannot be refined {:g} times: {}", scene.file, factor, why));
  };
  if (!(factor > 0) || !std::isfinite(factor)) refuse("give a number above 0");
  GridDef& grid = scene.solver.grid;
  const GridDef before = grid;
  const double cells = std::round(grid.cells * factor);
  if (cells > std::numeric_limits<int>::max()) refuse("its cells would be too many");
  if (grid.cells > 0 && cells < 1) refuse("no cell would be left");
  grid.cells = int(cells);
  grid.cellSize /= factor;
  const CellsMistakes mistakes = cellsMistakes(scene);
  if (!mistakes.tooMany.empty() || !mistakes.uneven.empty()) {
    grid = before;
    refuse(mistakes.tooMany.empty() ? mistakes.uneven[0] : mistakes.tooMany);
  }
  for (FluidDef& fluid : scene.fluids) fluid.spacing /= factor;
  for (SolidDef& solid : scene.solids) solid.shape.resolution /= factor;
}

}  // namespace meniscus

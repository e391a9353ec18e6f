#include "engine/scene/methods.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/scene/scene.h"
#include "engine/scene/solid_kinds.h"

namespace meniscus {

const std::vector<std::string>& methodNames() {
  static const std::vector<std::string> names = {"isph-pbd", "partitioned", "iqn-ils", "xpm", "monolithic", "staggered"};
  return names;
}

bool isGridMethod(const std::string& method) {
  const std::vector<std::string>& names = methodNames();
  return std::find(names.begin() + 1, names.end(), method) != names.end();
}

bool isGridScene(const SceneDef& scene) {
  const GridDef& g = scene.solver.grid;
  const auto ofParticles = [](const FluidDef& f) { return f.kind == FluidKind::particles; };
  return isGridMethod(scene.solver.method) &&
         (g.cells > 0 || g.cellSize > 0 || !std::all_of(scene.fluids.begin(), scene.fluids.end(), ofParticles));
}

bool takesBothEngines(const SceneDef& scene) {
  const GridDef& g = scene.solver.grid;
  const auto water = [](const FluidDef& f) { return f.kind == FluidKind::water && f.spacing > 0 && f.inflows.empty(); };
  const auto whole = [](const SolidDef& s) {
    const bool guided = norm2(s.guide.slide) > 0 || norm2(s.guide.force) > 0 || !s.guide.springs.empty();
    return !guided && (s.kind == SolidKind::fixed || s.kind == SolidKind::kinematic || s.kind == SolidKind::rigid);
  };
  return (g.cells > 0 || g.cellSize > 0) && g.dimension == 3 && scene.fluids.size() == 1 && water(scene.fluids[0]) &&
         scene.emitters.empty() && scene.drains.empty() && std::all_of(scene.solids.begin(), scene.solids.end(), whole);
}

bool isCoupledParticleScene(const SceneDef& scene) { return isGridMethod(scene.solver.method) && !isGridScene(scene); }

Diagnostics refusedByCoupling(const SceneDef& scene) {
  Diagnostics list;
  if (!isCoupledParticleScene(scene)) return list;
  const auto refuse = [&](const SourceRef& at, const std::string& text) { list.push_back({scene.file, at.line, at.column, text}); };
  const std::string& method = scene.solver.method;
  if (method == "monolithic")
    refuse(scene.solver.where,
           "the method \"monolithic\" needs a \"grid\"; of particles, \"isph-pbd\" solves water and bodies as one");
  for (const SolidDef& s : scene.solids)
    if (deforms(s))
      refuse(s.where,
             fmt::format("solid \"{}\" is {}: the method \"{}\" couples particles with rigid bodies only; make it rigid, or "
                         "give the method isph-pbd",
                         s.name, s.kind == SolidKind::soft ? "soft" : "a skin", method));
  return list;
}

std::string tooFast(const SceneDef& scene, double speed) {
  constexpr double kMostSteps = 1e8;  // a run of more ends on no machine
  const GridDef& g = scene.solver.grid;
  const double way = g.cfl * (g.cellSize > 0 ? g.cellSize : (scene.domain.max.x - scene.domain.min.x) / g.cells);  // of a step [m]
  const double steps = scene.duration * speed / way;
  if (!(way > 0) || steps <= kMostSteps) return "";
  return fmt::format(
      "at {:g} m/s takes {:.3g} steps of {:g} cells for the {:g} s of the scene; lower its speed, to {:.3g} m/s at most", speed,
      steps, g.cfl, scene.duration, kMostSteps * way / scene.duration);
}

void refuseGridScene(const SceneDef& scene) {
  if (!isGridScene(scene)) return;
  throw Error(ErrorKind::input,
              fmt::format("{}:{}:{}: the method \"{}\" works offline on a grid: run the scene with `meniscus run`, "
                          "or look at it with `meniscus render` or meniscus-viewer; here only particles (isph-pbd) are simulated",
                          scene.file, scene.solver.where.line, scene.solver.where.column, scene.solver.method));
}

}  // namespace meniscus

#include "engine/scene/physics.h"

#include <fmt/format.h>

#include <sstream>

namespace meniscus {
namespace {

// Without the spaces before it and the comma behind it.
std::string trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' '), end = line.find_last_not_of(", ");
  return begin == std::string::npos ? "nothing" : line.substr(begin, end - begin + 1);
}

}  // namespace

SceneDef physicsOf(SceneDef scene) {
  const SolverDef solver = scene.solver;
  scene.solver = {};
  scene.solver.method = solver.method;
  scene.solver.grid.dimension = solver.grid.dimension;
  scene.solver.grid.cells = solver.grid.cells;
  scene.solver.grid.cellSize = solver.grid.cellSize;
  scene.name.clear();
  scene.duration = SceneDef{}.duration;
  scene.maxParticles = 0;
  scene.output = {};
  scene.expect.clear();
  for (FluidDef& f : scene.fluids)
    for (ShapeDef& s : f.shapes) s.file.clear();
  for (SolidDef& s : scene.solids) s.shape.file.clear();
  return scene;
}

std::string firstDifference(const std::string& a, const std::string& b) {
  std::istringstream linesA(a), linesB(b);
  for (;;) {
    std::string lineA, lineB;
    const bool moreA = bool(std::getline(linesA, lineA)), moreB = bool(std::getline(linesB, lineB));
    if (!moreA && !moreB) return "";
    if (moreA != moreB || lineA != lineB) return fmt::format("{} instead of {}", trimmed(lineA), trimmed(lineB));
  }
}

}  // namespace meniscus

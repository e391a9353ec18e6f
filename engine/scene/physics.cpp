#include "engine/scene/physics.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace meniscus {
namespace {

using Json = nlohmann::ordered_json;

// A value as a sentence has it; null: the key is not there.
std::string said(const Json* v) { return v ? v->dump() : "the default"; }

// path: of both. "": they are the same.
std::string difference(const std::string& path, const Json* a, const Json* b) {
  if (a && b && *a == *b) return "";
  if (a && b && a->is_object() && b->is_object()) {
    Json keys = *a;  // those of both
    keys.update(*b);
    for (const auto& item : keys.items()) {
      const auto at = [&](const Json& o) { return o.contains(item.key()) ? &o.at(item.key()) : nullptr; };
      const std::string d = difference(path.empty() ? item.key() : path + "." + item.key(), at(*a), at(*b));
      if (!d.empty()) return d;
    }
  }
  if (a && b && a->is_array() && b->is_array() && a->size() == b->size() && !(*a)[0].is_number())
    for (std::size_t k = 0; k < a->size(); ++k) {
      const std::string d = difference(fmt::format("{}[{}]", path, k), &(*a)[k], &(*b)[k]);
      if (!d.empty()) return d;
    }
  return fmt::format("{} {} instead of {}", path, said(a), said(b));
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
  const Json first = Json::parse(a, nullptr, false), second = Json::parse(b, nullptr, false);
  return difference("", &first, &second);
}

}  // namespace meniscus

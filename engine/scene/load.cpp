#include "engine/scene/load.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/base/file.h"
#include "engine/scene/check_grid.h"
#include "engine/scene/coupling_keys.h"
#include "engine/scene/expected_speed.h"
#include "engine/scene/keys.h"
#include "engine/scene/methods.h"
#include "engine/scene/pressure_keys.h"

namespace meniscus {

namespace fs = std::filesystem;

namespace {

template <class T>
void checkNames(Reader& r, const JsonNode& root, const char* key, const std::vector<T>& list, std::set<std::string>& seen) {
  const JsonMember* m = root.find(key);
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (list[k].name.empty() || seen.insert(list[k].name).second) continue;
    const JsonMember* name = m->value.items[k].find("name");
    r.error(name->value, fmt::format("the name \"{}\" is taken already; give another", list[k].name));
  }
}

// What the state numbers with 8 and 16 bits.
constexpr std::size_t kMostFluids = 256, kMostSolids = 65535;

void checkCount(Reader& r, const JsonNode& root, const char* key, std::size_t most) {
  const JsonMember* m = root.find(key);
  if (m && m->value.items.size() > most)
    r.error(m->value.items[most],
            fmt::format("there are {} {}, but a scene may have {} at the most", m->value.items.size(), key, most));
}

// The value of key `b` of element `k` of list `a`; the element where the key is missing.
const JsonNode& placeOf(const JsonNode& root, const char* a, std::size_t k, const char* b) {
  const JsonNode& item = root.find(a)->value.items[k];
  const JsonMember* m = item.find(b);
  return m ? m->value : item;
}

void checkFluids(Reader& r, const JsonNode& root, const SceneDef& s) {
  for (std::size_t k = 1; k < s.fluids.size(); ++k) {
    if (s.fluids[k].spacing == s.fluids[0].spacing || s.fluids[k].spacing == 0 || s.fluids[0].spacing == 0) continue;
    r.error(placeOf(root, "fluids", k, "spacing"),
            fmt::format("fluid \"{}\" has a spacing of {:g} m, but \"{}\" has {:g} m; all fluids of a scene need the same",
                        s.fluids[k].name, s.fluids[k].spacing, s.fluids[0].name, s.fluids[0].spacing));
  }
  for (std::size_t k = 0; k < s.fluids.size(); ++k) {
    const FluidDef& f = s.fluids[k];
    bool fed = !f.shapes.empty() || f.kind == FluidKind::smoke || !f.inflows.empty();
    for (const EmitterDef& e : s.emitters) fed = fed || e.fluid == f.name;
    if (!fed)
      r.error(placeOf(root, "fluids", k, "name"), fmt::format("fluid \"{}\" has neither shapes nor {}; add \"shapes\"", f.name,
                                                              f.kind == FluidKind::particles ? "an emitter" : "inflows"));
    for (const ShapeDef& shape : f.shapes) {
      if (shape.inside.empty()) continue;
      std::vector<std::string> solids;
      for (const SolidDef& solid : s.solids) solids.push_back(solid.name);
      if (std::find(solids.begin(), solids.end(), shape.inside) != solids.end()) continue;
      const std::string near = nearestSpelling(shape.inside, solids);
      r.error(shape.where.line, shape.where.column,
              fmt::format("there is no solid \"{}\" to fill{}", shape.inside,
                          near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
    }
  }
}

void checkEmitters(Reader& r, const JsonNode& root, const SceneDef& s) {
  std::vector<std::string> fluids;
  for (const FluidDef& f : s.fluids) fluids.push_back(f.name);
  for (std::size_t k = 0; k < s.emitters.size(); ++k) {
    const std::string& name = s.emitters[k].fluid;
    if (name.empty() || std::find(fluids.begin(), fluids.end(), name) != fluids.end()) continue;
    const std::string near = nearestSpelling(name, fluids);
    r.error(placeOf(root, "emitters", k, "fluid"),
            fmt::format("there is no fluid \"{}\"{}", name, near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  }
}

void checkSoundSpeed(Reader& r, const JsonNode& root, const SceneDef& s) {
  const JsonMember *solver = root.find("solver"), *speed = solver ? solver->value.find("sound_speed") : nullptr;
  if (!speed || !r.out.empty()) return;  // what was not read says nothing of speeds
  const std::string mistake = soundSpeedMistake(s);
  if (!mistake.empty()) r.error(speed->line, speed->column, mistake);
}

}  // namespace

Diagnostics checkSceneText(const std::string& text, const std::string& file, SceneDef* scene, bool meshesInHand) {
  Diagnostics out;
  SceneDef s;
  s.file = file;
  Reader r{file, fs::path(file).parent_path().string(), out};
  r.meshesInHand = meshesInHand;
  JsonNode root;
  if (parseJson(file, text, root, out)) {
    sceneTable().read(r, root, s);
    if (root.kind == JsonNode::Kind::object) {
      std::set<std::string> names, openings;
      checkCount(r, root, "fluids", kMostFluids);
      checkCount(r, root, "solids", kMostSolids);
      checkNames(r, root, "fluids", s.fluids, names);
      checkNames(r, root, "solids", s.solids, names);
      checkNames(r, root, "emitters", s.emitters, openings);
      checkNames(r, root, "drains", s.drains, openings);
      checkFluids(r, root, s);
      checkEmitters(r, root, s);
      checkSoundSpeed(r, root, s);
      checkMethodTakes(r, root, s);
      if (s.fluids.empty() && s.solids.empty()) r.error(root, "the scene is empty; add \"fluids\" or \"solids\"");
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  if (scene) *scene = std::move(s);
  return out;
}

Diagnostics checkScene(const std::string& path, SceneDef* scene) {
  std::error_code ec;
  if (fs::is_directory(path, ec)) return {{path, 0, 0, "is a folder; give a scene file"}};
  const std::string text = readTextFile(path);
  if (text.empty()) return {{path, 0, 0, "is empty; a scene starts with {\"meniscus\": 1, ...}"}};
  return checkSceneText(text, path, scene);
}

SceneDef loadScene(const std::string& path) {
  SceneDef scene;
  throwIfAny(checkScene(path, &scene));
  return scene;
}

void makeMeshPathsAbsolute(SceneDef& scene) {
  const auto fix = [](ShapeDef& shape) {
    if (shape.kind == ShapeKind::mesh && !shape.mesh) shape.file = absolutePath(shape.file).lexically_normal().string();
  };
  for (FluidDef& f : scene.fluids)
    for (ShapeDef& shape : f.shapes) fix(shape);
  for (SolidDef& s : scene.solids) fix(s.shape);
}

std::string saveScene(const SceneDef& scene, const std::string& folder) {
  SceneDef copy = scene;
  resetForeignPressureKeys(copy.solver);  // may have been set while the scene ran
  // the method may be the command line's
  if (isGridMethod(copy.solver.method))
    resetForeignCouplingKeys(copy.solver);
  else
    copy.solver.coupling = {};
  const fs::path base = folder.empty() ? fs::path(scene.file).parent_path() : fs::path(folder);
  const auto relative = [&](ShapeDef& shape) {
    if (shape.file.empty()) return;
    const fs::path absolute = absolutePath(shape.file).lexically_normal();
    shape.file = absolute.lexically_proximate(absolutePath(base).lexically_normal()).generic_string();
  };
  for (FluidDef& f : copy.fluids)
    for (ShapeDef& shape : f.shapes) relative(shape);
  for (SolidDef& s : copy.solids) relative(s.shape);
  return sceneTable().write(copy).dump(2) + "\n";
}

std::string sceneSchema() { return schemaDocument(sceneTable().schema()).dump(2) + "\n"; }

}  // namespace meniscus

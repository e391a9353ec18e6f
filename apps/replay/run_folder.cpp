#include "apps/replay/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/output/series_index.h"
#include "engine/scene/load.h"
#include "engine/scene/methods.h"

namespace meniscus::replay {
namespace {

namespace fs = std::filesystem;

bool there(const std::string& path) {
  std::error_code ec;
  return fs::exists(path, ec);
}

bool holdsPly(const std::string& folder) {
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(folder + "/frames", ec))
    if (e.path().extension() == ".ply") return true;
  return false;
}

// That frames were written at all; what is wrong otherwise.
void needFrames(const std::string& folder) {
  for (const FrameKind kind : {FrameKind::particles, FrameKind::grid, FrameKind::solids})
    if (there(SeriesIndex{kind, {}}.path(folder))) return;
  throw Error(ErrorKind::input, holdsPly(folder)
                                    ? fmt::format("{}: has its frames as PLY only, and pictures are made of VTK frames; run the "
                                                  "scene with --format vtk,ply",
                                                  folder)
                                    : fmt::format("{}: is no scene file, and a folder without frames of a run; make some by "
                                                  "meniscus run SCENE.json --out {} --every S",
                                                  folder, folder));
}

void readScene(const std::string& folder, RunFolder& run) {
  const std::string path = folder + "/" + kSceneOfFrames;
  if (!there(path))
    throw Error(ErrorKind::input, fmt::format("{}: is missing, and pictures need of the scene what frames do not hold; run the "
                                              "scene again",
                                              path));
  run.sceneText = readWholeFile(path);
  throwIfAny(checkSceneText(run.sceneText, path, &run.scene, true));
}

// needed: the scene has something of this kind. Without an index there are no entries.
std::vector<SeriesIndex::Entry> entriesOf(const std::string& folder, FrameKind kind, bool needed) {
  SeriesIndex index{kind, {}};
  const std::string path = index.path(folder);
  if (!there(path)) {
    if (!needed) return {};
    throw Error(ErrorKind::input, fmt::format("{}: is missing; a run that goes on from its checkpoint makes it anew", path));
  }
  bool whole = index.parse(readWholeFile(path)) && !index.entries.empty();
  for (std::size_t k = 1; k < index.entries.size(); ++k) whole = whole && index.entries[k - 1].time < index.entries[k].time;
  if (!whole)
    throw Error(ErrorKind::input, fmt::format("{}: is damaged; a run that goes on from its checkpoint makes it anew", path));
  for (SeriesIndex::Entry& e : index.entries) {
    e.file = folder + "/" + e.file;
    if (!there(e.file)) throw Error(ErrorKind::input, fmt::format("{}: is missing, though {} names it", e.file, path));
  }
  return index.entries;
}

// Where there are both kinds, times that one index does not have yet are left out.
std::vector<FrameFiles> merged(const std::vector<SeriesIndex::Entry>& fluid, const std::vector<SeriesIndex::Entry>& solids) {
  std::vector<FrameFiles> frames;
  if (solids.empty())
    for (const SeriesIndex::Entry& p : fluid) frames.push_back({p.time, p.file, ""});
  if (fluid.empty())
    for (const SeriesIndex::Entry& s : solids) frames.push_back({s.time, "", s.file});
  auto s = solids.begin();
  for (const SeriesIndex::Entry& p : fluid) {
    while (s != solids.end() && s->time < p.time) ++s;
    if (s != solids.end() && s->time == p.time) frames.push_back({p.time, p.file, s->file});
  }
  return frames;
}

}  // namespace

RunFolder openRunFolder(const std::string& folder) {
  RunFolder run;
  needFrames(folder);
  readScene(folder, run);
  const std::vector<FluidDef>& fluids = run.scene.fluids;
  const bool filled = std::any_of(fluids.begin(), fluids.end(), [](const FluidDef& f) { return !f.shapes.empty(); });
  const bool grid = isGridScene(run.scene);
  const FrameKind fluid = grid ? FrameKind::grid : FrameKind::particles;
  run.frames = merged(entriesOf(folder, fluid, grid || filled), entriesOf(folder, FrameKind::solids, !run.scene.solids.empty()));
  if (run.frames.empty())
    throw Error(ErrorKind::input, fmt::format("{}: {}.pvd and solids.pvd have no time in common, and so there is no whole frame",
                                              folder, kFrameKinds[std::size_t(fluid)]));
  return run;
}

}  // namespace meniscus::replay

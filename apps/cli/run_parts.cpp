#include "apps/cli/run_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "apps/cli/frame_pictures.h"
#include "apps/cli/say.h"
#include "apps/cli/simulation.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/offline/frames.h"
#include "engine/output/series_index.h"
#include "engine/scene/load.h"
#include "engine/scene/methods.h"
#include "engine/scene/physics.h"
#include "engine/scene/refine.h"

namespace meniscus::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kMostSteps = 1e12;  // more than any machine takes; steps are counted in whole numbers

// Another method than the scene's: only one that takes what is in it.
void takeMethod(const RunOptions& o, SceneDef& scene) {
  if (o.method.empty()) return;
  const std::vector<std::string>& names = methodNames();
  if (std::find(names.begin(), names.end(), o.method) == names.end())
    throw Error(ErrorKind::input,
                fmt::format("the method \"{}\" is not available; this version has: {}", o.method, fmt::join(names, ", ")));
  if (isGridScene(scene) && !isGridMethod(o.method) && !takesBothEngines(scene))
    throw Error(ErrorKind::input,
                fmt::format("{}: the scene is for the method \"{}\", with a grid; \"{}\" cannot run it: for both, "
                            "its fluid must be water with a \"spacing\" and without inflows, in three dimensions, "
                            "beside rigid, static and kinematic solids without guides",
                            o.scene, scene.solver.method, o.method));
  scene.solver.method = o.method;
}

void checkFormats(const SceneDef& scene) {
  checkPictures(scene.output.formats);
  if (isGridScene(scene)) return offline::checkOfflineFormats(scene.output.formats);
  for (const std::string& f : scene.output.formats)
    if (f != "vtk" && f != "ply" && f != "surface" && f != "png")
      throw Error(ErrorKind::input,
                  fmt::format("the format \"{}\" is not available; this version writes: vtk, ply, surface, png", f));
}

// Whether the file is to lie in the folder, which need not be there yet.
bool liesIn(const std::string& file, const std::string& folder) {
  const auto whole = [](const fs::path& p) { return (absolutePath(p) / "").lexically_normal(); };  // with a slash at the end
  return !folder.empty() && whole(fs::path(file).parent_path()) == whole(folder);
}

}  // namespace

void checkSteps(double duration, double dt) {
  const double steps = std::ceil(duration / dt);
  if (!(steps <= kMostSteps))
    throw Error(
        ErrorKind::input,
        fmt::format("a duration of {:g} s in steps of {:g} s takes {:.3g} steps; shorten it or enlarge dt", duration, dt, steps));
}

double stepTowards(double remaining, double dt) {
  const double steps = remaining / dt, roundOff = 1e-6;  // of sums of time, in steps
  if (steps <= roundOff) return 0;
  if (steps >= 2 - roundOff || std::abs(steps - 1) <= roundOff) return dt;
  return steps < 1 ? remaining : 0.5 * remaining;
}

// What is written needs a folder.
void checkFolderGiven(const RunOptions& o) {
  if (!o.out.empty()) return;
  const char* idle = o.every > 0 ? "--every" : o.checkpoint > 0 ? "--checkpoint" : nullptr;
  if (idle) throw Error(ErrorKind::input, fmt::format("{} writes nothing without a folder; give --out DIR as well", idle));
}

SceneDef sceneOfRun(const RunOptions& o) {
  checkFolderGiven(o);
  SceneDef scene = loadCheckedScene(o.scene);
  takeMethod(o, scene);
  if (o.refine != 1) refine(scene, o.refine);
  if (o.dt > 0) scene.solver.dt = o.dt;
  // what emitters need room for; the steps before a resume may have been longer ones
  if (o.steps >= 0) scene.duration = std::max(double(o.steps) * scene.solver.dt, o.resume.empty() ? 0 : scene.duration);
  if (o.duration > 0) scene.duration = o.duration;
  if (o.every >= 0) scene.output.every = o.every;
  if (scene.output.every > 0 && !isGridScene(scene))
    scene.output.every = std::max(scene.output.every, scene.solver.dt);  // one frame a step at most
  if (!o.formats.empty()) scene.output.formats = o.formats;
  checkFormats(scene);
  if (scene.output.formats.empty()) scene.output.formats = {"vtk"};
  return scene;
}

void checkSummary(const RunOptions& o) {
  if (o.summary.empty()) return;
  if (fs::is_directory(o.summary))
    throw Error(ErrorKind::input, fmt::format("{}: is a folder; give --summary the name of a file", o.summary));
  const bool pipe = fs::exists(o.summary) && !fs::is_regular_file(o.summary);
  if (!pipe && !liesIn(o.summary, o.out)) checkFolderExists(fs::absolute(o.summary).parent_path().string());
}

void removeOldFrames(const RunOptions& o, std::uint64_t from) {
  const std::size_t files = removeFrames(o.out, from);
  if (files > 0 && !o.quiet)
    say(stdout, "{}/frames: {} file{} of an earlier run {} taken away\n", o.out, files, files == 1 ? "" : "s",
        files == 1 ? "was" : "were");
}

std::string physicsText(const SceneDef& scene) { return saveScene(physicsOf(scene)); }

void checkPhysics(const std::string& snapshot, const std::string& before, const SceneDef& scene) {
  const std::string difference = firstDifference(physicsText(scene), before);
  if (!difference.empty())
    throw Error(
        ErrorKind::input,
        fmt::format("{}: the snapshot is of other physics: the scene now has {}; a resumed run may change its duration, its "
                    "time step and tolerances, what it writes and expects, and nothing else",
                    snapshot, difference));
}

std::string checkpointPath(const RunOptions& o) {
  return o.out.empty() ? fs::path(o.scene).stem().string() + ".snapshot" : o.out + "/checkpoint.snapshot";
}

}  // namespace meniscus::cli

// Runs a scene by several methods and puts them beside each other: one table, and curves of what the solids do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "apps/cli/compared_run.h"
#include "apps/cli/folder_lock.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_parts.h"
#include "apps/cli/say.h"
#include "apps/validate/findings.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scene/methods.h"
#include "engine/scene/process.h"

namespace meniscus::cli {
namespace {

using validate::Curve;

struct Outcome {
  std::string method, failure;  // why it ended early; empty where it did not
  ComparedTotals totals;
  std::uint64_t steps = 0;
  std::vector<ComparedSolid> solids;
  std::vector<Curve> heights;  // of each solid that moves, along the scene's z [m]
  Curve solves;                // of each step
};

SceneDef sceneFor(const CompareOptions& o, const std::string& method) {
  RunOptions run;
  run.scene = o.scene;
  run.method = method;
  run.steps = o.steps;
  run.duration = o.duration;
  run.dt = o.dt;
  run.refine = o.refine;
  return sceneOfRun(run);
}

void note(Outcome& out, const ComparedRun& run) {
  std::size_t k = 0;
  for (const ComparedSolid& s : run.solids()) {
    if (!s.moves) continue;
    if (k == out.heights.size()) out.heights.push_back({out.method + ": " + s.name, {}});
    out.heights[k++].points.push_back({run.time(), s.x.z});
  }
}

// Steps until the scene's end, an interrupt or a failure, which it keeps the text of.
void advance(const CompareOptions& o, double duration, ComparedRun& run, Outcome& out, Progress& progress, double before) {
  const auto remaining = [&] {
    if (o.steps >= 0) return run.steps() < std::uint64_t(o.steps) ? run.timeStep() : 0.0;
    return stepTowards(duration - run.time(), run.timeStep());
  };
  note(out, run);
  try {
    for (double dt = remaining(); dt > 0 && !interrupted(); dt = remaining()) {
      const int solves = run.step(dt);
      out.solves.points.push_back({run.time(), double(solves)});
      note(out, run);
      const double done = o.steps > 0 ? double(run.steps()) / double(o.steps) : run.time() / duration;
      progress.show(before + std::min(done, 1.0), fmt::format("{}, t = {:.3f} s", out.method, run.time()));
    }
  } catch (const Error& e) {
    if (e.kind != ErrorKind::simulation) throw;
    out.failure = e.what();
  }
}

Outcome runBy(const CompareOptions& o, const std::string& method, Exec& exec, Progress& progress, double before) {
  const SceneDef scene = sceneFor(o, method);
  const std::unique_ptr<ComparedRun> run = ComparedRun::build(scene, exec);
  Outcome out;
  out.method = out.solves.name = method;
  advance(o, scene.duration, *run, out, progress, before);
  out.totals = run->totals();
  out.steps = run->steps();
  out.solids = run->solids();
  return out;
}

// Of the centres of solids that move, in cells or spacings; nothing where one of the two ended early.
std::optional<double> distance(const Outcome& a, const Outcome& b, double cell) {
  if (!a.failure.empty() || !b.failure.empty()) return std::nullopt;
  double most = 0;
  for (std::size_t k = 0; k < a.solids.size(); ++k) most = std::max(most, norm(a.solids[k].x - b.solids[k].x) / cell);
  return most;
}

std::string orDash(std::optional<double> v, const char* format) { return v ? fmt::format(fmt::runtime(format), *v) : "-"; }

void print(const std::vector<Outcome>& all, double cell, const char* unit) {
  say(stdout, "{:<12} {:>6} {:>11} {:>5} {:>12} {:>12} {:>12} {:>10} {:>18}\n", "method", "steps", "solves/step", "most",
      "unconverged", "momentum", "volume", "ms/step", "from the first");
  for (const Outcome& a : all) {
    const ComparedTotals& t = a.totals;
    say(stdout, "{:<12} {:>6} {:>11} {:>5} {:>12} {:>12} {:>12} {:>10.2f} {:>18}\n", a.method, a.steps, orDash(t.solves, "{:.2f}"),
        t.mostSolves, t.unconverged, orDash(t.momentumError, "{:.2e}"), orDash(t.volumeError, "{:.2e}"), t.milliseconds,
        orDash(distance(a, all[0], cell), "{:.2e}") + unit);
    if (!a.failure.empty()) say(stdout, "  {} ended early: {}\n", a.method, a.failure);
  }
}

void write(const std::vector<Outcome>& all, double cell, const std::string& folder) {
  std::string csv =
      "method,steps,mean_solves,most_solves,unconverged_steps,momentum_error,volume_error,ms_per_step,"
      "distance_from_first_cells,state_hash\n";
  validate::Plot heights{"heights", "time [s]", "height of the centre of mass [m]", {}};
  validate::Plot solves{"solves", "time [s]", "fluid solves of the step", {}};
  for (const Outcome& a : all) {
    const ComparedTotals& t = a.totals;
    csv += fmt::format("{},{},{},{},{},{},{},{:.6g},{},{:016x}\n", a.method, a.steps, orDash(t.solves, "{:.6g}"), t.mostSolves,
                       t.unconverged, orDash(t.momentumError, "{:.6g}"), orDash(t.volumeError, "{:.6g}"), t.milliseconds,
                       orDash(distance(a, all[0], cell), "{:.6g}"), t.hash);
    heights.curves.insert(heights.curves.end(), a.heights.begin(), a.heights.end());
    solves.curves.push_back(a.solves);
  }
  writeWholeFile(folder + "/compare.csv", csv);
  for (const validate::Plot* p : {&heights, &solves}) {
    if (p->curves.empty()) continue;
    validate::writePlot(*p, folder);
    constexpr double kPatience = 60;  // s
    const ProcessResult r = runProcess({"gnuplot", p->name + ".gp"}, folder, kPatience);
    if (r.found && r.status != 0) say(stderr, "{}/{}.gp: gnuplot could not draw it: {}\n", folder, p->name, r.output);
  }
}

// Staggered steps are not among them: they break where the fluid is heavier than the solids.
std::vector<std::string> methodsFor(const CompareOptions& o) {
  if (isGridScene(sceneFor(o, ""))) return {"partitioned", "iqn-ils", "xpm", "monolithic"};
  return {"isph-pbd", "partitioned", "iqn-ils", "xpm"};
}

void checkMethods(const CompareOptions& o) {
  for (const std::string& m : o.methods) {
    if (std::count(o.methods.begin(), o.methods.end(), m) > 1)
      throw Error(ErrorKind::input, fmt::format("the method \"{}\" is named twice in --methods", m));
    const SceneDef scene = sceneFor(o, m);
    if (o.steps < 0) checkSteps(scene.duration, scene.solver.dt);
  }
}

}  // namespace

int compare(const CompareOptions& given) {
  CompareOptions o = given;
  if (o.methods.empty()) o.methods = methodsFor(o);
  checkMethods(o);
  std::optional<FolderLock> lock;
  if (!o.out.empty()) lock.emplace(o.out);
  catchInterrupts("\nstopping; what the methods did so far is put beside each other\n");
  Exec exec(o.threads);
  Progress progress(o.quiet, double(o.methods.size()));
  std::vector<Outcome> all;
  for (const std::string& m : o.methods)
    if (!interrupted()) all.push_back(runBy(o, m, exec, progress, double(all.size())));
  progress.finish();
  const SceneDef first = sceneFor(o, o.methods[0]);
  const double cell = spacingCompared(first);
  print(all, cell, isGridScene(first) ? " cells" : " spacings");
  if (!o.out.empty()) write(all, cell, o.out);
  return interrupted() ? 128 + interrupted() : 0;
}

}  // namespace meniscus::cli

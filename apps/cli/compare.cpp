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
#include "engine/base/stop.h"
#include "engine/output/csv_file.h"
#include "engine/scene/methods.h"
#include "engine/scene/process.h"

namespace meniscus::cli {
namespace {

using validate::Curve;

struct Outcome {
  std::string method, fluid, failure;  // failure: why it ended early; empty where it did not
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
  } catch (const Stopped&) {}
}

Outcome runBy(const CompareOptions& o, const std::string& method, Exec& exec, Progress& progress, double before) {
  const SceneDef scene = sceneFor(o, method);
  const std::unique_ptr<ComparedRun> run = ComparedRun::build(scene, exec);
  Outcome out;
  out.method = out.solves.name = method;
  out.fluid = run->fluid();
  advance(o, scene.duration, *run, out, progress, before);
  out.totals = run->totals();
  out.steps = run->steps();
  out.solids = run->solids();
  return out;
}

// Null where the method has none of this name.
const ComparedSolid* solidOf(const Outcome& a, const std::string& name) {
  for (const ComparedSolid& s : a.solids)
    if (s.name == name) return &s;
  return nullptr;
}

// Of the centres of solids that move, in cells or spacings; nothing where one of the two ended early.
std::optional<double> distance(const Outcome& a, const Outcome& b, double cell) {
  if (!a.failure.empty() || !b.failure.empty()) return std::nullopt;
  double most = 0;
  for (const ComparedSolid& s : a.solids)
    if (const ComparedSolid* other = solidOf(b, s.name); other && s.moves) most = std::max(most, norm(s.x - other->x) / cell);
  return most;
}

double secondsOf(const Outcome& a) { return 1e-3 * a.totals.milliseconds * double(a.steps); }

std::string orDash(std::optional<double> v, const char* format) { return v ? fmt::format(fmt::runtime(format), *v) : "-"; }

std::string textOf(const Vec3d& v) { return fmt::format("{:9.5f} {:9.5f} {:9.5f}", v.x, v.y, v.z); }

void printSolids(const std::vector<Outcome>& all) {
  say(stdout, "{:<12} {:<10} {:<16} {:>29} {:>29} {:>11}\n", "method", "fluid", "solid", "position at the end [m]",
      "velocity [m/s]", "holds [m^3]");
  for (const Outcome& a : all)
    for (const ComparedSolid& s : a.solids)
      if (s.moves)
        say(stdout, "{:<12} {:<10} {:<16} {} {} {:>11}\n", a.method, a.fluid, s.name, textOf(s.x), textOf(s.v),
            orDash(s.volume, "{:.6f}"));
}

void print(const std::vector<Outcome>& all, double cell, const char* unit) {
  say(stdout, "{:<12} {:<10} {:>6} {:>11} {:>5} {:>12} {:>12} {:>12} {:>10} {:>10} {:>9} {:>18}\n", "method", "fluid", "steps",
      "solves/step", "most", "unconverged", "momentum", "volume", "p0 [Pa]", "ms/step", "seconds", "from the first");
  for (const Outcome& a : all) {
    const ComparedTotals& t = a.totals;
    say(stdout, "{:<12} {:<10} {:>6} {:>11} {:>5} {:>12} {:>12} {:>12} {:>10} {:>10.2f} {:>9.2f} {:>18}\n", a.method, a.fluid,
        a.steps, orDash(t.solves, "{:.2f}"), t.mostSolves, t.unconverged, orDash(t.momentumError, "{:.2e}"),
        orDash(t.volumeError, "{:.2e}"), orDash(t.enclosedPressure, "{:.4g}"), t.milliseconds, secondsOf(a),
        orDash(distance(a, all[0], cell), "{:.2e}") + " " + unit);
    if (!a.failure.empty()) say(stdout, "  {} ended early: {}\n", a.method, a.failure);
  }
  printSolids(all);
}

std::string csvHeader(const Outcome& first, const char* unit) {
  std::string header = fmt::format(
      "method,steps,mean_solves,most_solves,unconverged_steps,momentum_error,volume_error,ms_per_step,"
      "distance_from_first_{},state_hash,fluid,seconds,enclosed_pressure_pa",
      unit);
  for (const ComparedSolid& s : first.solids) {
    for (const char* column : {"x_m", "y_m", "z_m", "vx_m_s", "vy_m_s", "vz_m_s"})
      if (s.moves) header += fmt::format(",{} {}", column, csvName(s.name));
    if (s.moves && s.volume) header += fmt::format(",volume_m3 {}", csvName(s.name));
  }
  return header + "\n";
}

std::string csvLine(const Outcome& a, const Outcome& first, double cell) {
  const ComparedTotals& t = a.totals;
  std::string line =
      fmt::format("{},{},{},{},{},{},{},{:.6g},{},{:016x},{},{:.6g},{}", a.method, a.steps, orDash(t.solves, "{:.6g}"),
                  t.mostSolves, t.unconverged, orDash(t.momentumError, "{:.6g}"), orDash(t.volumeError, "{:.6g}"), t.milliseconds,
                  orDash(distance(a, first, cell), "{:.6g}"), t.hash, a.fluid, secondsOf(a), orDash(t.enclosedPressure, "{:.9g}"));
  for (const ComparedSolid& f : first.solids) {
    if (!f.moves) continue;
    const ComparedSolid* s = solidOf(a, f.name);
    for (const Vec3d& v : {s ? s->x : Vec3d{}, s ? s->v : Vec3d{}})
      line += s ? fmt::format(",{:.9g},{:.9g},{:.9g}", v.x, v.y, v.z) : ",-,-,-";
    if (f.volume) line += "," + orDash(s ? s->volume : std::nullopt, "{:.9g}");
  }
  return line + "\n";
}

void write(const std::vector<Outcome>& all, double cell, const char* unit, const std::string& folder) {
  std::string csv = csvHeader(all[0], unit);
  validate::Plot heights{"heights", "time [s]", "height of the centre of mass [m]", {}};
  validate::Plot solves{"solves", "time [s]", "fluid solves of the step", {}};
  for (const Outcome& a : all) {
    csv += csvLine(a, all[0], cell);
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
  const SceneDef scene = sceneFor(o, "");
  if (takesBothEngines(scene)) return {"isph-pbd", "partitioned", "iqn-ils", "xpm", "monolithic"};
  if (isGridScene(scene)) return {"partitioned", "iqn-ils", "xpm", "monolithic"};
  return {"isph-pbd", "partitioned", "iqn-ils", "xpm"};
}

void checkMethods(const CompareOptions& o) {
  if (o.steps == 0) throw Error(ErrorKind::input, "--steps is 0: methods are compared by what they do in steps; give 1 or more");
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
  const char* unit = isGridScene(first) ? "cells" : "spacings";
  print(all, cell, unit);
  if (!o.out.empty()) write(all, cell, unit, o.out);
  return interrupted() ? 128 + interrupted() : 0;
}

}  // namespace meniscus::cli

#include "apps/cli/equal_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "apps/cli/mode_run.h"
#include "apps/cli/say.h"

namespace meniscus::cli {
namespace {

constexpr double kNear = 0.1;  // errors that differ by less count as equal
constexpr int kMostTrials = 9;

// A mode's parameter: the error falls, and the time rises, with the work.
struct Parameter {
  NamedMode mode;
  const char* key;
  double start, least, most;  // of the work
  void (*apply)(SolverDef&, double work);
  double (*value)(double work);  // what is printed
};

// Steps as long as the error allows: the path in one is then no limit of its own.
const Parameter kStep = {kPressureModes[0],
                         "dt",
                         500,
                         50,
                         1e5,
                         [](SolverDef& s, double w) {
                           s.dt = 1 / w;
                           s.cfl = 10;
                         },
                         [](double w) { return 1 / w; }};
const Parameter kParameters[] = {
    {kPressureModes[2], "density_variation", 100, 10, 1e6, [](SolverDef& s, double w) { s.densityVariation = 1 / w; },
     [](double w) { return 1 / w; }},
    {kPressureModes[3], "density_iterations", 4, 1, 512, [](SolverDef& s, double w) { s.densityIterations = int(std::lround(w)); },
     [](double w) { return std::round(w); }},
};

struct Found {
  double work = 0;
  ModeRun run;
  bool equal = false;  // to the target; else a run of less error, or the one that went furthest before it was cut
};

bool isNear(double error, double target) { return std::fabs(error / target - 1) <= kNear; }

void printTrial(const Parameter& p, double work, const ModeRun& r) {
  if (!r.failure.empty()) return say(stdout, "    {} {:g}: {}\n", p.key, p.value(work), r.failure);
  say(stdout, "    {} {:g}: density error {:.2e}{}, {:.1f} s\n", p.key, p.value(work), r.densityMean, r.cut ? " and more" : "",
      1e-3 * r.wallMs);
  std::fflush(stdout);
}

// Bisection in the logarithm of the work, from an interval that is doubled until it holds the target. A run is cut short as soon as
// its error cannot come down to the target any more.
Found search(const Parameter& p, const SceneDef& scene, int threads, double seconds, double target) {
  ModeRunOptions cut;
  cut.threads = threads;
  cut.mostDensityError = (1 + kNear) * target;
  cut.mayFail = true;
  double low = 0, high = 0, work = p.start;  // low: error too large; high: too small
  Found best;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    SceneDef s = scene;
    p.apply(s.solver, work);
    cut.steps = int(std::lround(seconds / s.solver.dt));
    const ModeRun r = runMode(s, p.mode, cut);
    printTrial(p, work, r);
    const bool equal = !r.cut && isNear(r.densityMean, target);
    if (!r.cut || (best.run.cut && r.simulated > best.run.simulated) || trial == 0) best = {work, r, equal};
    if (equal) break;
    (r.cut ? low : high) = work;
    const double next = high == 0 ? 4 * work : low == 0 ? work / 4 : std::sqrt(low * high);
    const double clamped = std::clamp(next, p.least, p.most);
    if (clamped == work || p.value(clamped) == p.value(work)) break;
    work = clamped;
  }
  return best;
}

// Times over those of the compatible mode.
struct Factor {
  double wall = 1, cpu = 1;
};

// What a mode's parameter was set to, and how its run compares.
void addFound(BenchTable& table, const std::string& prefix, const char* key, double value, const ModeRun& r, bool equal,
              const Factor& factor, double paper) {
  addModeRun(table, prefix, r);
  if (*key) table.add(prefix + key, value, "");
  table.add(prefix + "reached the error", equal, "1 if so");
  table.add(prefix + "time over that of compatible", factor.wall, "");
  table.add(prefix + "processor time over that of compatible", factor.cpu, "");
  if (paper > 0) table.add(prefix + "time over that of compatible, paper", paper, "");
}

void printResult(const char* name, const std::string& setting, const ModeRun& r) {
  say(stdout,
      "  {:<20} {:<28} {:>9.1f} s ({:.1f} s of processors), {:>7} sub-steps, density error mean {:.2e} max {:.2e}, volume error "
      "{:.2e}\n",
      name, setting, 1e-3 * r.wallMs, 1e-3 * r.cpuMs, r.substeps, r.densityMean, r.densityMax, r.volumeMost);
}

// paper: of its Table 2, or 0.
void printFactor(const Found& f, const Factor& factor, double seconds, double paper) {
  if (f.run.cut)
    say(stdout, "    not at equal error: cut at {:.0f} % of the motion with {:.2e}, after {:.2f} times the time of compatible",
        100 * f.run.simulated / seconds, f.run.densityMean, factor.wall);
  else
    say(stdout, "    {} {:.2f} times as long as compatible", f.equal ? "at equal error" : "at less error:", factor.wall);
  say(stdout, " (by processor time {:.2f})", factor.cpu);
  if (paper > 0) say(stdout, "; the paper's Table 2: {:.2f}", paper);
  say(stdout, "\n");
  std::fflush(stdout);  // long work: what is known is seen, also in a file
}

}  // namespace

void benchAtEqualError(const std::string& file, const SceneDef& scene, const BenchModesOptions& o, BenchTable& table) {
  const double seconds = o.steps > 0 ? o.steps * scene.solver.dt : scene.duration;
  const std::string stem = std::filesystem::path(file).stem().string();
  Found ours;
  if (o.densityError > 0)
    ours = search(kStep, scene, o.threads, seconds, o.densityError);
  else
    ours.run = runMode(scene, kPressureModes[0], {o.threads, int(std::lround(seconds / scene.solver.dt))});
  const bool searched = ours.work > 0;
  const double target = o.densityError > 0 ? o.densityError : ours.run.densityMean;
  say(stdout, "{}: {} particles, {} threads, {:g} s, density error {:.2e}\n", file, ours.run.particles, ours.run.threads, seconds,
      target);
  printResult("compatible", searched ? fmt::format("dt {:g}", 1 / ours.work) : "as the scene has it", ours.run);
  if (searched && !ours.equal)
    say(stdout, "    {}\n",
        ours.run.cut ? "not at this error: its steps cannot be made as short" : "at less error: longer steps do not change it");
  std::fflush(stdout);
  addFound(table, stem + ", compatible: ", searched ? "dt" : "", searched ? 1 / ours.work : 0, ours.run, !searched || ours.equal,
           {}, 0);
  for (const Parameter& p : kParameters) {
    const Found f = search(p, scene, o.threads, seconds, target);
    const Factor factor{f.run.wallMs / ours.run.wallMs, f.run.cpuMs / ours.run.cpuMs};
    const double paper = p.mode.mode == PressureMode::weaklyCompressible ? paperFactor(stem) : 0;
    printResult(p.mode.name, fmt::format("{} {:g}", p.key, p.value(f.work)), f.run);
    printFactor(f, factor, seconds, paper);
    addFound(table, fmt::format("{}, {}: ", stem, p.mode.name), p.key, p.value(f.work), f.run, f.equal, factor, paper);
  }
}

}  // namespace meniscus::cli

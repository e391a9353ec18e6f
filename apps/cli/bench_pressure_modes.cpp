// Runs scenes with every pressure mode from the same settled start, and prints what each costs and how wrong it is.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>

#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/say.h"
#include "apps/cli/simulation.h"
#include "engine/base/file.h"
#include "engine/output/metrics.h"

namespace meniscus::cli {
namespace {

struct Mode {
  PressureMode mode;
  const char* name;
};
constexpr Mode kModes[] = {{PressureMode::compatible, "compatible"},
                           {PressureMode::kernelDiagonal, "kernel-diagonal"},
                           {PressureMode::weaklyCompressible, "weakly-compressible"}};

// Weakly compressible over incompressible, Table 2 of the ISPH-PBD paper [ms]; scenes of that paper by the names they have here.
struct PaperTime {
  const char* scene;
  double weaklyCompressible, incompressible;
};
constexpr PaperTime kPaper[] = {{"water-balloon", 77.9, 42.1}, {"soft-bunny", 123.7, 95.5}, {"flower-pot", 94.4, 39.18}};

struct Result {
  Index particles = 0;
  int threads = 0;
  std::uint64_t substeps = 0, iterations = 0, unconverged = 0;
  double simulated = 0, wallMs = 0;        // s, ms
  double densityMean = 0, densityMax = 0;  // mean over steps of the mean over particles; largest of any particle
  double volumeMost = 0;                   // largest of a step
  double msPerSecond() const { return wallMs / simulated; }
  double substepMs() const { return 1e3 * simulated / double(substeps); }  // mean length
};

struct Stopped {};  // by Ctrl-C

Result runMode(SceneDef scene, const Mode& mode, const BenchModesOptions& o) {
  scene.solver.pressure = mode.mode;
  // the comparison is of sub-steps as long as each mode takes, not of a limit on their number
  scene.solver.maxSubsteps = std::numeric_limits<int>::max();
  Simulation sim(scene, o.threads, "");
  Result r;
  r.threads = sim.threads();
  const double start = sim.world().time;
  Progress progress(false, o.steps);
  for (int i = 0; i < o.steps; ++i) {
    progress.show(i, mode.name);
    const auto begin = std::chrono::steady_clock::now();
    if (!sim.step(scene.solver.dt, [] { return interrupted() != 0; })) throw Stopped{};
    r.wallMs += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    const StepReport& s = sim.world().report;
    r.substeps += std::uint64_t(s.substeps);
    r.iterations += std::uint64_t(s.pressureIterations);
    r.unconverged += !s.converged;
    r.densityMean += s.densityErrorMean / o.steps;
    raise(r.densityMax, s.densityErrorMax);
    raise(r.volumeMost, std::fabs(s.volumeChange));
  }
  r.simulated = sim.world().time - start;
  r.particles = sim.world().fluid.n;
  return r;
}

void printMode(const char* name, const Result& r) {
  say(stdout,
      "  {:<20} sub-step {:>8.4f} ms, {:>6} sub-steps, {:>11.1f} ms a simulated second, density error mean {:.2e} max {:.2e}, "
      "volume "
      "error {:.2e}, {:>6} iterations, {} unconverged steps\n",
      name, r.substepMs(), r.substeps, r.msPerSecond(), r.densityMean, r.densityMax, r.volumeMost, r.iterations, r.unconverged);
}

// Each mode at its own errors: the paper's times are at equal errors of the volume.
void printFactor(const std::string& scene, const Result& incompressible, const Result& weak) {
  say(stdout, "  weakly-compressible takes {:.2f} times as long as compatible", weak.msPerSecond() / incompressible.msPerSecond());
  if (incompressible.volumeMost > 0) say(stdout, ", at {:.2f} times its volume error", weak.volumeMost / incompressible.volumeMost);
  for (const PaperTime& p : kPaper)
    if (scene == p.scene)
      say(stdout, "; the paper's Table 2, at equal errors: {:.2f} times as long", p.weaklyCompressible / p.incompressible);
  say(stdout, "\n");
}

// Prints, and returns the lines of the table.
std::string benchScene(const std::string& file, const SceneDef& scene, const BenchModesOptions& o) {
  std::string csv;
  Result results[std::size(kModes)];
  for (std::size_t k = 0; k < std::size(kModes); ++k) {
    const Result r = results[k] = runMode(scene, kModes[k], o);
    if (k == 0) say(stdout, "{}: {} particles, {} threads, {} steps\n", file, r.particles, r.threads, o.steps);
    printMode(kModes[k].name, r);
    std::fflush(stdout);  // long work: what is known is seen, also in a file
    csv += fmt::format("{},{},{},{},{},{},{:.6f},{:.3f},{:.6e},{:.6e},{:.6e},{},{}\n", file, kModes[k].name, r.particles, r.threads,
                       o.steps, r.substeps, r.substepMs(), r.msPerSecond(), r.densityMean, r.densityMax, r.volumeMost, r.iterations,
                       r.unconverged);
  }
  printFactor(std::filesystem::path(file).stem().string(), results[0], results[2]);
  return csv;
}

}  // namespace

int benchPressureModes(const BenchModesOptions& o) {
  if (!o.csv.empty()) checkFolderExists(std::filesystem::absolute(o.csv).parent_path().string());  // before the time is spent
  std::string csv =
      "scene,mode,particles,threads,steps,substeps,mean_substep_ms,ms_per_simulated_second,density_error_mean,density_error_max,"
      "volume_error_max,iterations,unconverged_steps\n";
  catchInterrupts("\nstopping; the modes that are finished are above\n");
  std::vector<SceneDef> scenes;  // all mistakes before the time is spent
  for (const std::string& file : o.scenes) scenes.push_back(loadCheckedScene(file));
  try {
    for (std::size_t i = 0; i < scenes.size(); ++i) csv += benchScene(o.scenes[i], scenes[i], o);
  } catch (const Stopped&) { return 128 + interrupted(); }
  if (!o.csv.empty()) writeWholeFile(o.csv, csv);
  return 0;
}

}  // namespace meniscus::cli

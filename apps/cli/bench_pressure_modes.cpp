// Runs scenes with every pressure mode from the same settled start, and prints what each costs and how wrong it is.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>

#include "apps/cli/options.h"
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

Result runMode(SceneDef scene, PressureMode mode, const BenchModesOptions& o) {
  scene.solver.pressure = mode;
  // the comparison is of sub-steps as long as each mode takes, not of a limit on their number
  scene.solver.maxSubsteps = std::numeric_limits<int>::max();
  Simulation sim(scene, o.threads, "");
  Result r;
  r.threads = sim.threads();
  const double start = sim.world().time;
  for (int i = 0; i < o.steps; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    sim.step(scene.solver.dt);
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

}  // namespace

int benchPressureModes(const BenchModesOptions& o) {
  if (!o.csv.empty()) checkFolderExists(std::filesystem::absolute(o.csv).parent_path().string());  // before the time is spent
  std::string csv =
      "scene,mode,particles,threads,steps,substeps,mean_substep_ms,ms_per_simulated_second,density_error_mean,density_error_max,"
      "volume_error_max,iterations,unconverged_steps\n";
  for (const std::string& file : o.scenes) {
    const SceneDef scene = loadCheckedScene(file);
    Result results[std::size(kModes)];
    for (std::size_t k = 0; k < std::size(kModes); ++k) {
      const Result r = results[k] = runMode(scene, kModes[k].mode, o);
      if (k == 0) say(stdout, "{}: {} particles, {} threads, {} steps\n", file, r.particles, r.threads, o.steps);
      printMode(kModes[k].name, r);
      csv += fmt::format("{},{},{},{},{},{},{:.6f},{:.3f},{:.6e},{:.6e},{:.6e},{},{}\n", file, kModes[k].name, r.particles,
                         r.threads, o.steps, r.substeps, r.substepMs(), r.msPerSecond(), r.densityMean, r.densityMax, r.volumeMost,
                         r.iterations, r.unconverged);
    }
    printFactor(std::filesystem::path(file).stem().string(), results[0], results[2]);
  }
  if (!o.csv.empty()) writeWholeFile(o.csv, csv);
  return 0;
}

}  // namespace meniscus::cli

// Runs scenes with every pressure mode from the same settled start, and prints what each costs and how wrong it is.
#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/equal_error.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/mode_run.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "engine/base/file.h"

namespace meniscus::cli {
namespace {

void printMode(const char* name, const ModeRun& r) {
  say(stdout,
      "  {:<20} sub-step {:>8.4f} ms, {:>6} sub-steps, {:>11.1f} ms a simulated second, density error mean {:.2e} max {:.2e}, "
      "volume error {:.2e}, {:>6} iterations, {} unconverged steps\n",
      name, r.substepMs(), r.substeps, r.msPerSecond(), r.densityMean, r.densityMax, r.volumeMost, r.iterations, r.unconverged);
}

// Each mode at its own errors: the paper's times are at equal errors of the volume.
void printFactor(const char* mode, const std::string& scene, const ModeRun& incompressible, const ModeRun& other, bool inPaper) {
  say(stdout, "  {} takes {:.2f} times as long as compatible", mode, other.msPerSecond() / incompressible.msPerSecond());
  if (incompressible.densityMean > 0)
    say(stdout, ", at {:.2f} times its density error", other.densityMean / incompressible.densityMean);
  if (inPaper && paperFactor(scene) > 0)
    say(stdout, "; the paper's Table 2, at equal errors (--equal-error): {:.2f} times as long", paperFactor(scene));
  say(stdout, "\n");
}

// Prints, and returns the lines of the table.
std::string benchScene(const std::string& file, const SceneDef& scene, const BenchModesOptions& o) {
  const int steps = o.steps > 0 ? o.steps : 50;
  std::string csv;
  ModeRun results[std::size(kPressureModes)];
  for (std::size_t k = 0; k < std::size(kPressureModes); ++k) {
    const ModeRun r = results[k] = runMode(scene, kPressureModes[k], {o.threads, steps});
    if (k == 0) say(stdout, "{}: {} particles, {} threads, {} steps\n", file, r.particles, r.threads, steps);
    printMode(kPressureModes[k].name, r);
    std::fflush(stdout);  // long work: what is known is seen, also in a file
    csv += fmt::format("{},{},{},{},{},{},{:.6f},{:.3f},{:.6e},{:.6e},{:.6e},{},{}\n", file, kPressureModes[k].name, r.particles,
                       r.threads, steps, r.substeps, r.substepMs(), r.msPerSecond(), r.densityMean, r.densityMax, r.volumeMost,
                       r.iterations, r.unconverged);
  }
  const std::string stem = std::filesystem::path(file).stem().string();
  for (const std::size_t k : {2, 3}) printFactor(kPressureModes[k].name, stem, results[0], results[k], k == 2);
  return csv;
}

}  // namespace

int benchPressureModes(const BenchModesOptions& o) {
  if (!o.csv.empty()) checkFolderExists(std::filesystem::absolute(o.csv).parent_path().string());  // before the time is spent
  std::string csv = o.equalError ? equalErrorHeader()
                                 : "scene,mode,particles,threads,steps,substeps,mean_substep_ms,ms_per_simulated_second,"
                                   "density_error_mean,density_error_max,volume_error_max,iterations,unconverged_steps\n";
  catchInterrupts("\nstopping; the modes that are finished are above\n");
  const std::vector<SceneDef> scenes = loadScenesWithFluid(o.scenes);
  try {
    for (std::size_t i = 0; i < scenes.size(); ++i)
      csv += o.equalError ? benchAtEqualError(o.scenes[i], scenes[i], o) : benchScene(o.scenes[i], scenes[i], o);
  } catch (const ModeRunStopped&) { return 128 + interrupted(); }
  if (!o.csv.empty()) writeWholeFile(o.csv, csv);
  return 0;
}

}  // namespace meniscus::cli

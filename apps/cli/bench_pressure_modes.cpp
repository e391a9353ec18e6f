// Runs scenes with every pressure mode from the same settled start, and prints what each costs and how wrong it is.
#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/bench_table.h"
#include "apps/cli/equal_error.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/mode_run.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"

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

void benchScene(const std::string& file, const SceneDef& scene, const BenchModesOptions& o, BenchTable& table) {
  const int steps = o.steps > 0 ? o.steps : 50;
  const std::string stem = std::filesystem::path(file).stem().string();
  ModeRun results[std::size(kPressureModes)];
  for (std::size_t k = 0; k < std::size(kPressureModes); ++k) {
    const ModeRun r = results[k] = runMode(scene, kPressureModes[k], {o.threads, steps});
    if (k == 0) say(stdout, "{}: {} particles, {} threads, {} steps\n", file, r.particles, r.threads, steps);
    printMode(kPressureModes[k].name, r);
    std::fflush(stdout);  // long work: what is known is seen, also in a file
    addModeRun(table, fmt::format("{}, {}: ", stem, kPressureModes[k].name), r);
  }
  for (const std::size_t k : {2, 3}) printFactor(kPressureModes[k].name, stem, results[0], results[k], k == 2);
}

}  // namespace

int benchPressureModes(const BenchModesOptions& o) {
  BenchTable table(o.table, o.threads);
  catchInterrupts("\nstopping; the modes that are finished are above\n");
  const std::vector<SceneDef> scenes = loadScenesWithFluid(o.scenes);
  try {
    for (std::size_t i = 0; i < scenes.size(); ++i)
      (o.equalError ? benchAtEqualError : benchScene)(o.scenes[i], scenes[i], o, table);
  } catch (const ModeRunStopped&) { return 128 + interrupted(); }
  return table.finish();
}

}  // namespace meniscus::cli

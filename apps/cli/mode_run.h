// A scene run in one pressure mode: what it costs and how wrong it is.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "apps/cli/bench_table.h"
#include "engine/scene/scene.h"

namespace meniscus::cli {

struct NamedMode {
  PressureMode mode;
  const char* name;
};
constexpr NamedMode kPressureModes[] = {{PressureMode::compatible, "compatible"},
                                        {PressureMode::kernelDiagonal, "kernel-diagonal"},
                                        {PressureMode::weaklyCompressible, "weakly-compressible"},
                                        {PressureMode::positionBased, "position-based"}};

struct ModeRun {
  Index particles = 0;
  int threads = 0;
  std::uint64_t substeps = 0, iterations = 0, unconverged = 0;
  double simulated = 0, wallMs = 0;        // s, ms
  double cpuMs = 0;                        // of all threads: what a shared machine does not stretch
  double densityMean = 0, densityMax = 0;  // mean over steps of the mean over particles; largest of any particle
  double volumeMost = 0;                   // largest of a step
  bool cut = false;                        // ended early, by the error or by a failure
  std::string failure;                     // of the simulation, or ""
  std::string hash;                        // of the state at the end
  double msPerSecond() const { return wallMs / simulated; }
  double substepMs() const { return 1e3 * simulated / double(substeps); }  // mean length
};

struct ModeRunOptions {
  int threads = 0, steps = 1;
  // the run ends where densityMean can no longer be below this
  double mostDensityError = std::numeric_limits<double>::infinity();
  bool mayFail = false;  // a simulation that ends in an error is reported, not thrown
};

struct ModeRunStopped {};  // thrown after Ctrl-C

// Sub-steps are as long as the mode takes, whatever the scene's max_substeps. Throws Error as stepping does, and ModeRunStopped.
ModeRun runMode(SceneDef scene, const NamedMode& mode, const ModeRunOptions& options);

// prefix: of the figures' names.
void addModeRun(BenchTable& table, const std::string& prefix, const ModeRun& run);

// Scenes of the files, all mistakes before any time is spent; a scene without fluid, of which nothing could be compared, is one.
// Throws Error(input).
std::vector<SceneDef> loadScenesWithFluid(const std::vector<std::string>& files);

// Weakly compressible over incompressible, Table 2 of the ISPH-PBD paper, or 0 for a scene that is not in it. scene: file's stem.
double paperFactor(const std::string& scene);

}  // namespace meniscus::cli

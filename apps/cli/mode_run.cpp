#include "apps/cli/mode_run.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>

#include "apps/cli/interrupt.h"
#include "apps/cli/progress.h"
#include "apps/cli/simulation.h"
#include "engine/base/error.h"
#include "engine/output/metrics.h"
#include "engine/world/hash.h"

namespace meniscus::cli {
namespace {

// C Ttotal of Table 2 [ms].
struct PaperTime {
  const char* scene;
  double weaklyCompressible, incompressible;
};
constexpr PaperTime kPaper[] = {{"water-balloon", 77.9, 42.1}, {"deformable-bodies", 123.7, 95.5}, {"flower-pot", 94.4, 39.18}};

void add(ModeRun& r, const StepReport& s, int steps) {
  r.substeps += std::uint64_t(s.substeps);
  r.iterations += std::uint64_t(s.pressureIterations);
  r.unconverged += !s.converged;
  r.densityMean += s.densityErrorMean / steps;
  raise(r.densityMax, s.densityErrorMax);
  raise(r.volumeMost, std::fabs(s.volumeChange));
}

}  // namespace

ModeRun runMode(SceneDef scene, const NamedMode& mode, const ModeRunOptions& o) {
  scene.solver.pressure = mode.mode;
  // the comparison is of sub-steps as long as each mode takes, not of a limit on their number
  scene.solver.maxSubsteps = std::numeric_limits<int>::max();
  Simulation sim(scene, o.threads, "");
  ModeRun r;
  r.threads = sim.threads();
  const double start = sim.world().time;
  const std::clock_t cpu = std::clock();
  Progress progress(false, o.steps);
  for (int i = 0; i < o.steps && !r.cut; ++i) {
    progress.show(i, mode.name);
    const auto begin = std::chrono::steady_clock::now();
    try {
      if (!sim.step(scene.solver.dt, [] { return interrupted() != 0; })) throw ModeRunStopped{};
    } catch (const Error& e) {
      if (!o.mayFail || e.kind != ErrorKind::simulation) throw;
      r.failure = e.what();
      r.cut = true;
    }
    r.wallMs += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (r.cut) break;
    add(r, sim.world().report, o.steps);
    r.cut = !(r.densityMean <= o.mostDensityError);
  }
  r.cpuMs = 1e3 * double(std::clock() - cpu) / CLOCKS_PER_SEC;
  r.simulated = sim.world().time - start;
  r.particles = sim.world().fluid.n;
  r.hash = hexHash(sim.hash());
  return r;
}

void addModeRun(BenchTable& table, const std::string& prefix, const ModeRun& r) {
  table.add(prefix + "time", r.wallMs, "ms", r.hash);
  table.add(prefix + "processor time of all threads", r.cpuMs, "ms", r.hash);
  table.add(prefix + "simulated", r.simulated, "simulated s");
  table.add(prefix + "particles", r.particles, "");
  table.add(prefix + "sub-steps", double(r.substeps), "");
  table.add(prefix + "mean density error", r.densityMean, "");
  table.add(prefix + "largest density error", r.densityMax, "");
  table.add(prefix + "largest change of volume", r.volumeMost, "");
  table.add(prefix + "iterations", double(r.iterations), "");
  table.add(prefix + "unconverged steps", double(r.unconverged), "");
}

std::vector<SceneDef> loadScenesWithFluid(const std::vector<std::string>& files) {
  std::vector<SceneDef> scenes;
  for (const std::string& file : files) {
    scenes.push_back(loadParticleScene(file));
    if (scenes.back().fluids.empty())
      throw Error(ErrorKind::input, fmt::format("{}: the scene has no fluid, so there is no pressure mode to compare", file));
  }
  return scenes;
}

double paperFactor(const std::string& scene) {
  for (const PaperTime& p : kPaper)
    if (scene == p.scene) return p.weaklyCompressible / p.incompressible;
  return 0;
}

}  // namespace meniscus::cli

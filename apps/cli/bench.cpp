// Times scenes. Every repeat starts from the same state, so its last hash must be the same too.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "apps/cli/simulation.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/output/metrics.h"
#include "engine/world/hash.h"

namespace meniscus::cli {
namespace {

struct Result {
  std::vector<double> milliseconds;                    // of all timed steps
  std::vector<std::pair<std::string, double>> stages;  // ms a step, of the fastest repeat
  double fastestMean = 0;                              // ms a step
  std::uint64_t hash = 0;
  Index particles = 0;
  int threads = 0;
};

double msSince(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t).count();
}

void repeatOnce(const SceneDef& scene, const BenchOptions& o, bool first, Result& result) {
  Simulation sim(scene, o.threads, "");
  const double dt = scene.solver.dt;
  for (int i = 0; i < o.warmUp; ++i) sim.step(dt);
  sim.resetStages();
  double sum = 0;
  for (int i = 0; i < o.steps; ++i) {
    const auto t = std::chrono::steady_clock::now();
    sim.step(dt);
    result.milliseconds.push_back(msSince(t));
    sum += result.milliseconds.back();
  }
  const std::uint64_t hash = sim.hash();
  if (!first && hash != result.hash)
    throw Error(ErrorKind::internal, fmt::format("{}: two repeats end in different states ({} and {})", scene.file,
                                                 hexHash(result.hash), hexHash(hash)));
  result.hash = hash;
  result.particles = sim.world().fluid.n;
  result.threads = sim.threads();
  if (!first && sum / o.steps >= result.fastestMean) return;
  result.fastestMean = sum / o.steps;
  result.stages = sim.stageSeconds();
  for (auto& [name, seconds] : result.stages) seconds *= 1e3 / o.steps;
}

}  // namespace

int bench(const BenchOptions& o) {
  if (!o.csv.empty()) checkFolderExists(std::filesystem::absolute(o.csv).parent_path().string());  // before the time is spent
  std::string csv = "scene,particles,threads,repeats,steps,median_ms,mean_ms_of_fastest_repeat,p95_ms,state_hash,stages_ms\n";
  for (const std::string& file : o.scenes) {
    const SceneDef scene = loadCheckedScene(file);
    Result r;
    for (int k = 0; k < o.repeat; ++k) repeatOnce(scene, o, k == 0, r);
    const double median = quantile(r.milliseconds, 0.5).value_or(0), p95 = quantile(r.milliseconds, 0.95).value_or(0);
    say(stdout, "{}: {} particles, {} threads: median {:.3f} ms a step, p95 {:.3f}, fastest repeat {:.3f}, hash {}\n", file,
        r.particles, r.threads, median, p95, r.fastestMean, hexHash(r.hash));
    std::string stages;
    for (const auto& [name, ms] : r.stages) {
      say(stdout, "  {:<28}{:>9.3f} ms\n", name, ms);
      stages += fmt::format("{}{}={:.4g}", stages.empty() ? "" : ";", name, ms);
    }
    csv += fmt::format("{},{},{},{},{},{:.4f},{:.4f},{:.4f},{},{}\n", file, r.particles, r.threads, o.repeat, o.steps, median,
                       r.fastestMean, p95, hexHash(r.hash), stages);
  }
  if (!o.csv.empty()) writeWholeFile(o.csv, csv);
  return 0;
}

}  // namespace meniscus::cli

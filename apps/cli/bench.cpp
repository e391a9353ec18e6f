// Times scenes. Every repeat starts from the same state, so its last hash must be the same too.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "apps/cli/bench_table.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "apps/cli/simulation.h"
#include "engine/base/error.h"
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
  BenchTable table(o.table, o.threads);
  for (const std::string& file : o.shard.of(o.scenes)) {
    const SceneDef scene = loadParticleScene(file);
    Result r;
    for (int k = 0; k < o.repeat; ++k) repeatOnce(scene, o, k == 0, r);
    const double median = quantile(r.milliseconds, 0.5).value_or(0), p95 = quantile(r.milliseconds, 0.95).value_or(0);
    say(stdout, "{}: {} particles, {} threads: median {:.3f} ms a step, p95 {:.3f}, fastest repeat {:.3f}, hash {}\n", file,
        r.particles, r.threads, median, p95, r.fastestMean, hexHash(r.hash));
    const std::string stem = std::filesystem::path(file).stem().string();
    table.add(stem + ": median", median, "ms a step", hexHash(r.hash));
    table.add(stem + ": mean of the fastest repeat", r.fastestMean, "ms a step", hexHash(r.hash));
    table.add(stem + ": 95th percentile", p95, "ms a step", hexHash(r.hash));
    table.add(stem + ": particles", r.particles, "");
    for (const auto& [name, ms] : r.stages) {
      say(stdout, "  {:<28}{:>9.3f} ms\n", name, ms);
      table.add(stem + ": " + name, ms, "ms a step");
    }
  }
  return table.finish();
}

}  // namespace meniscus::cli

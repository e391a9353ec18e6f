#include "apps/cli/kernel_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/world/build.h"
#include "engine/world/hash.h"

namespace meniscus::cli {
namespace {

double secondsSince(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

struct ReadBlock {
  const float* data;
  void operator()(Index begin, Index end, double* acc) const {
    float sum[16] = {};
    for (Index i = begin; i + 16 <= end; i += 16)
      for (int k = 0; k < 16; ++k) sum[k] += data[i + k];
    for (const float s : sum) acc[0] += double(s);
  }
};

}  // namespace

KernelRun::KernelRun(const SceneDef& scene, int threads)
    : exec_(threads), start_(std::make_unique<World>(buildWorld(scene, exec_, nullptr))) {}

void KernelRun::keepFastest(const std::map<std::string, double>& now, std::map<std::string, double>& best) const {
  for (const auto& [name, seconds] : now) {
    const auto [it, fresh] = best.try_emplace(name, seconds);
    if (!fresh) it->second = std::min(it->second, seconds);
  }
}

void KernelRun::repeat(int steps, bool timed) {
  World w = *start_;
  ParticleSolver solver(exec_, w);
  const double dt = w.scene.solver.dt;
  solver.step(w, dt);  // makes memory and a warm start
  exec_.resetStats();
  solver.resetStages();
  double substeps = 0, iterations = 0, solves = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < steps; ++k) {
    solver.step(w, dt);
    substeps += w.report.substeps;
    iterations += w.report.pressureIterations;
    solves += w.report.pressureSolves;
  }
  const double seconds = secondsSince(begin) / substeps;
  solverBytes_ = solver.bytes();
  hash_ = hexHash(stateHash(w));
  iterations_ = solves > 0 ? iterations / solves : 0;
  if (!timed) return;
  substep_ = substep_ > 0 ? std::min(substep_, seconds) : seconds;
  std::map<std::string, double> all, calls, stages;
  for (const LaunchStats& s : exec_.stats()) {
    all[s.name] += s.seconds;
    calls[s.name] += double(s.calls);
  }
  std::map<std::string, double> perCall = all;
  for (auto& [name, sum] : perCall) sum /= calls[name];
  for (auto& [name, sum] : all) sum /= substeps;
  for (const auto& [name, sum] : solver.stageSeconds()) stages[name] = sum / substeps;
  keepFastest(perCall, perCall_);
  keepFastest(all, perSubstep_);
  keepFastest(stages, stages_);
}

void KernelRun::measure(int steps, int repeats) {
  repeat(steps, false);
  for (int k = 0; k < repeats; ++k) repeat(steps, true);
}

double KernelRun::perCall(const char* launch) const {
  const auto it = perCall_.find(launch);
  if (it == perCall_.end()) throw Error(ErrorKind::internal, fmt::format("bench kernels: no launch is called \"{}\"", launch));
  return it->second;
}

double KernelRun::perCall(std::initializer_list<const char*> launches) const {
  double sum = 0;
  for (const char* launch : launches) sum += perCall(launch);
  return sum;
}

double KernelRun::perSubstep(std::initializer_list<const char*> launches) const {
  double sum = 0;
  for (const char* launch : launches) {
    const auto it = perSubstep_.find(launch);
    if (it != perSubstep_.end()) sum += it->second;
  }
  if (!(sum > 0)) throw Error(ErrorKind::internal, fmt::format("bench kernels: no launch is called \"{}\"", *launches.begin()));
  return sum;
}

double KernelRun::stage(const char* name) const {
  const auto it = stages_.find(name);
  if (it == stages_.end()) throw Error(ErrorKind::internal, fmt::format("bench kernels: no stage is called \"{}\"", name));
  return it->second;
}

// Of the start, by cells of the support's size.
double KernelRun::pairs() const {
  const FluidState& f = start_->fluid;
  const float H = float(start_->scene.solver.support * start_->dx);
  std::map<std::array<int, 3>, std::vector<Vec3f>> cells;
  const auto cellOf = [H](const Vec3f& x) {
    return std::array<int, 3>{int(std::floor(x.x / H)), int(std::floor(x.y / H)), int(std::floor(x.z / H))};
  };
  for (Index i = 0; i < f.n; ++i) cells[cellOf(f.x[i].xyz())].push_back(f.x[i].xyz());
  double count = 0;
  for (const auto& [c, own] : cells)
    for (int k = 0; k < 27; ++k) {
      const auto other = cells.find({c[0] + k % 3 - 1, c[1] + k / 3 % 3 - 1, c[2] + k / 9 - 1});
      if (other == cells.end()) continue;
      for (const Vec3f& a : own)
        for (const Vec3f& b : other->second) count += norm2(a - b) < H * H;
    }
  return count - double(f.n);
}

double KernelRun::readBandwidth(std::size_t bytes) {
  constexpr int kRounds = 20;
  Buffer<float> data(bytes / sizeof(float));
  std::fill(data.begin(), data.end(), 1.f);
  double best = std::numeric_limits<double>::infinity(), sum[1];
  for (int k = 0; k < kRounds; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    parallelBlockSums<1>(exec_, "bench: read", Index(data.size()), ReadBlock{data.data()}, sum);
    best = std::min(best, secondsSince(begin));
  }
  return double(data.size() * sizeof(float)) / best;
}

}  // namespace meniscus::cli

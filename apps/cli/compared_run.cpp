#include "apps/cli/compared_run.h"

#include <chrono>
#include <cmath>

#include "apps/cli/interrupt.h"
#include "apps/cli/simulation.h"
#include "engine/base/stop.h"
#include "engine/offline/metrics.h"
#include "engine/output/metrics.h"
#include "engine/scene/methods.h"

namespace meniscus::cli {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point t) { return 1e3 * std::chrono::duration<double>(Clock::now() - t).count(); }

std::optional<double> known(double v) { return v >= 0 ? std::optional<double>(v) : std::nullopt; }

double meanOf(const std::vector<double>& values) {
  double mean = 0;
  for (const double v : values) mean += v / double(values.size());
  return mean;
}

class GridRun : public ComparedRun {
 public:
  GridRun(const SceneDef& scene, Exec& exec) : run_(offline::OfflineRun::build(scene, exec, nullptr)), metrics_(*run_) {}

  const char* fluid() const override { return "grid"; }
  double time() const override { return run_->time(); }
  std::uint64_t steps() const override { return run_->steps(); }
  double timeStep() const override { return run_->timeStep(); }
  int step(double dt) override {
    const Clock::time_point start = Clock::now();
    const StopScope scope([] { return interrupted() != 0; });
    const auto note = [&](const offline::StepReport& r) { metrics_.add(r, millisecondsSince(start)); };
    try {
      const offline::StepReport r = run_->step(dt);
      note(r);
      enclosed_ = r.p0;
      return r.coupling.fluidSolves;
    } catch (const offline::FailedStep& e) {
      note(e.report);
      throw;
    }
  }
  std::vector<ComparedSolid> solids() const override {
    std::vector<ComparedSolid> list;
    for (const offline::SolidReport& s : run_->solids())
      list.push_back({s.name, s.x, s.v, s.moves, s.fills ? std::optional<double>(s.volume) : std::nullopt});
    return list;
  }
  ComparedTotals totals() const override {
    std::optional<double> pressure;
    for (const double p : enclosed_)
      if (!pressure || std::abs(p) > std::abs(*pressure)) pressure = p;
    return {metrics_.couplingIterations.mean(),
            metrics_.couplingIterations.max,
            metrics_.unconvergedSteps,
            meanOf(metrics_.milliseconds),
            known(run_->momentumError()),
            known(run_->volumeError()),
            run_->hash(),
            pressure};
  }

 private:
  std::unique_ptr<offline::OfflineRun> run_;
  offline::OfflineMetrics metrics_;
  std::vector<double> enclosed_;  // Pa, of the last step
};

class ParticleRun : public ComparedRun {
 public:
  ParticleRun(const SceneDef& scene, int threads) : simulation_(scene, threads, ""), metrics_(simulation_.world()) {}

  const char* fluid() const override { return "particles"; }
  double time() const override { return simulation_.world().time; }
  std::uint64_t steps() const override { return simulation_.world().steps; }
  double timeStep() const override { return simulation_.world().scene.solver.dt; }
  int step(double dt) override {
    const Clock::time_point start = Clock::now();
    if (!simulation_.step(dt, [] { return interrupted() != 0; })) throw Stopped{};
    metrics_.add(simulation_.world(), millisecondsSince(start));
    return simulation_.world().report.couplingIterations;
  }
  std::vector<ComparedSolid> solids() const override {
    std::vector<ComparedSolid> list;
    for (const RigidBody& r : simulation_.world().solid.rigid) list.push_back({r.name, r.x, r.v, r.invMass > 0, {}});
    return list;
  }
  ComparedTotals totals() const override {
    return {metrics_.couplingIterations.mean(),
            metrics_.couplingIterations.max,
            metrics_.unconvergedSteps,
            meanOf(metrics_.milliseconds),
            metrics_.momentumError(simulation_.world()),
            std::abs(metrics_.volumeChange),
            simulation_.hash()};
  }

 private:
  Simulation simulation_;
  RunMetrics metrics_;
};

}  // namespace

std::unique_ptr<ComparedRun> ComparedRun::build(const SceneDef& scene, Exec& exec) {
  if (isGridScene(scene)) return std::make_unique<GridRun>(scene, exec);
  return std::make_unique<ParticleRun>(scene, exec.threads());
}

double spacingCompared(const SceneDef& scene) {
  const GridDef& grid = scene.solver.grid;
  if (!isGridScene(scene)) return scene.fluids.empty() ? 1.0 : scene.fluids[0].spacing;
  return grid.cellSize > 0 ? grid.cellSize : (scene.domain.max.x - scene.domain.min.x) / grid.cells;
}

}  // namespace meniscus::cli

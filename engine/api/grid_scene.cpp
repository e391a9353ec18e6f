#include "engine/api/grid_scene.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "engine/api/convert.h"
#include "engine/base/error.h"
#include "engine/base/heap.h"
#include "engine/coupling/coupling.h"
#include "engine/offline/snapshot.h"
#include "engine/scene/methods.h"

namespace meniscus::api {
namespace {

constexpr int kMostSubsteps = 10000;  // of a step: beyond it the fluid is faster than anything of this engine's

std::unique_ptr<Exec> threadsOf(const Settings& s) {
  return s.tasks.run ? std::make_unique<Exec>(s.threads, s.tasks) : std::make_unique<Exec>(s.threads);
}

void needCpu(const mnsScene& s) {
  if (s.context->settings.needDevice)
    fail(MNS_ERROR_DEVICE_NOT_AVAILABLE, "CUDA cannot be used: the method \"{}\" runs on the CPU only", s.def.solver.method);
}

std::shared_ptr<GridRunning> built(mnsScene& s, std::vector<std::string>& notes) {
  needCpu(s);
  return std::make_shared<GridRunning>(s.def, threadsOf(s.context->settings), &notes);
}

// Cannot fail but for memory: the scene is started.
void adopt(mnsScene& s, std::shared_ptr<GridRunning> running, const std::vector<std::string>& notes) {
  std::string all;
  for (const std::string& note : notes) {
    all += (all.empty() ? "" : "\n") + note;
    MNS_LOG(*s.context, MNS_LOG_INFO, "scene", note);
  }
  s.notes = std::move(all);
  s.grid = std::move(running);
}

void addEvent(mnsScene& s, mnsEventKind kind, double value) {
  mnsEvent e{};
  e.kind = kind;
  e.value = value;
  s.events.push_back(e);
}

double residualOf(const offline::StepReport& r) { return r.coupling.passes.empty() ? 0 : r.coupling.passes.back().residual; }

void noteUnconverged(mnsScene& s) {
  const offline::StepReport& r = s.grid->last.report;
  if (s.grid->last.converged) {
    s.status.clear();
    return;
  }
  if (!r.enclosedConverged)
    s.status = fmt::format("an enclosed region gained or lost {:g} of volume beside its inflow", r.volumeError);
  else if (!r.contacts.converged)
    s.status = fmt::format("contacts of solids are {:g} m off after {} solves", r.contacts.error, r.contacts.iterations);
  else
    s.status = fmt::format("the coupling ended short of its tolerance: {}", r.coupling.text());
  addEvent(s, MNS_EVENT_UNCONVERGED, residualOf(r));
}

// One sub-step of at most `left`.
double advance(GridRunning& g, double left) {
  const double pieces = std::ceil(left / g.run->timeStep() - 1e-6);
  if (!(pieces <= kMostSubsteps))
    throw Error(ErrorKind::simulation, fmt::format("the step would be cut into {:.0f}; the fluid is too fast for it", pieces));
  const double dt = left / std::max(1., pieces);
  GridStep& step = g.last;
  step.report = g.run->step(dt);
  ++step.substeps;
  step.converged = step.converged && step.report.converged();
  step.pressureIterations = std::max(step.pressureIterations, step.report.pressureIterations);
  if (step.report.coupling.fluidSolves >= step.fluidSolves) {
    step.fluidSolves = step.report.coupling.fluidSolves;
    step.solidSolves = step.report.coupling.solidSolves;
  }
  return pieces <= 1 ? left : dt;
}

// Back to where the scene was before the step. What the host's heap does not give for it comes from the C library: there is no
// state to be in without it.
void undo(mnsScene& s, GridStep& last) {
  const HeapFallback needed;
  s.grid->run->setState(s.grid->before);
  s.grid->last = std::move(last);
  s.grid->published.renew();
}

void noteFailure(mnsScene& s) {
  const HeapFallback needed;
  s.events.clear();
  addEvent(s, MNS_EVENT_NOT_FINITE, 0);
}

// What tells of the last step is not of the state that was taken.
void forgetStep(mnsScene& s) {
  GridRunning& g = *s.grid;
  g.last = {};
  g.published.renew();
  s.status.clear();
  s.events.clear();
  s.milliseconds = 0;
}

Running::Stages sumOf(const Running::Stages& a, const Running::Stages& b, double sign) {
  Running::Stages sum = b;
  for (auto& [name, seconds] : sum)
    for (const auto& [other, more] : a)
      if (other == name) seconds += sign * more;
  return sum;
}

}  // namespace

GridRunning::GridRunning(const SceneDef& def, std::unique_ptr<Exec> threads, std::vector<std::string>* notes)
    : exec(std::move(threads)), run(offline::OfflineRun::build(def, *exec, notes)), model(run->modelHash()) {
  for (const offline::SolidReport& r : run->solids()) rotation.push_back(r.rotation);
}

Running::Stages GridRunning::stages() const { return sumOf(reset, sumOf(earlier, run->stageSeconds(), 1), -1); }

void GridRunning::resetStages() { reset = sumOf(earlier, run->stageSeconds(), 1); }

bool onGrid(const mnsScene& s) { return isGridScene(s.def); }

void needParticles(const mnsScene& s) {
  if (onGrid(s)) notOnGrid("this is for scenes");
}

GridRunning& startedGrid(mnsScene& s) {
  if (!onGrid(s)) fail(MNS_ERROR_WRONG_KIND, "this is for scenes with a fluid on a grid, and this scene is of particles");
  if (!s.grid) fail(MNS_ERROR_NOT_STARTED, "the scene has not been started: call mnsScene_Start, or step it");
  return *s.grid;
}

void startGrid(mnsScene& s) {
  if (s.grid) fail(MNS_ERROR_STARTED, "this is only possible before the scene is started");
  std::vector<std::string> notes;
  adopt(s, built(s, notes), notes);
}

mnsResult stepGrid(mnsScene& s, double dt, bool (*stop)()) {
  if (!s.grid) startGrid(s);
  GridRunning& g = *s.grid;
  const auto begin = std::chrono::steady_clock::now();
  g.before = g.run->state();
  GridStep earlier = std::exchange(g.last, {});
  try {
    for (double left = dt; left > 0;) {
      if (stop()) {
        undo(s, earlier);
        return MNS_INTERRUPTED;
      }
      const double done = advance(g, left);
      left = done < left ? left - done : 0;
    }
    s.events.clear();
    noteUnconverged(s);
  } catch (const Error& e) {
    undo(s, earlier);
    if (e.kind != ErrorKind::simulation) throw;
    noteFailure(s);
    throw Failure(MNS_ERROR_SIMULATION, e.what());
  } catch (...) {
    undo(s, earlier);
    throw;
  }
  g.published.renew();
  s.milliseconds = 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return MNS_OK;
}

void restoreGrid(mnsScene& s, std::string_view bytes, const std::string& name, std::string* record) {
  std::vector<std::string> notes;
  const std::shared_ptr<GridRunning> running = s.grid ? s.grid : built(s, notes);
  const offline::OfflineRun::State before = s.grid ? s.grid->run->state() : offline::OfflineRun::State();
  try {
    offline::unpackSnapshot(*running->run, running->model, bytes, name, record);
    running->run->takeInflows();
  } catch (...) {
    const HeapFallback needed;  // as where a step is undone: half of the state may have been taken
    if (s.grid) s.grid->run->setState(before);
    try {
      throw;
    } catch (const Error& e) { throw Failure(MNS_ERROR_SNAPSHOT, e.what()); }
  }
  if (!s.grid) adopt(s, running, notes);
  forgetStep(s);
}

void rebuildGrid(mnsScene& s) {
  GridRunning& g = *s.grid;
  std::unique_ptr<offline::OfflineRun> run = offline::OfflineRun::build(s.def, *g.exec, nullptr);
  run->setState(g.run->state());
  run->takeInflows();
  g.earlier = sumOf(g.earlier, g.run->stageSeconds(), 1);
  g.run = std::move(run);
  g.published.renew();
}

mnsStatistics gridStatistics(const mnsScene& s) {
  mnsStatistics t{};
  if (!s.grid) return t;
  const GridRunning& g = *s.grid;
  t.time = g.run->time();
  t.steps = g.run->steps();
  t.nodes = std::int64_t(g.run->nodes());
  t.milliseconds = s.milliseconds;
  t.substeps = g.last.substeps;
  t.pressureIterations = g.last.pressureIterations;
  t.pressureSolves = g.last.fluidSolves;
  t.couplingIterations = g.last.fluidSolves;
  t.couplingResidual = residualOf(g.last.report) * double(g.run->cells().x) / (s.def.domain.max.x - s.def.domain.min.x);
  t.converged = g.last.converged;
  t.volumeChange = std::max(0., g.run->volumeError());
  t.maxSpeed = g.run->largestSpeed();
  for (const auto& [name, numbers] : g.before) t.memoryBytes += 4 * numbers.size() * sizeof(double);  // and the boxes' copies
  return t;
}

mnsCoupling gridCoupling(const mnsScene& s) {
  const GridRunning& g = *s.grid;
  mnsCoupling c{};
  c.fluidSolves = g.last.fluidSolves;
  c.solidSolves = g.last.solidSolves;
  c.residual = residualOf(g.last.report);
  c.tolerance = g.last.report.coupling.tolerance;
  if (g.last.substeps > 0) std::snprintf(c.stop, sizeof c.stop, "%s", coupling::nameOf(g.last.report.coupling.stop));
  c.regions = std::int32_t(g.last.report.p0.size());
  for (const double p : g.last.report.p0)
    if (std::abs(p) > std::abs(c.enclosedPressure)) c.enclosedPressure = p;
  c.volumeError = g.last.report.volumeError;
  c.kineticEnergy = g.run->kineticEnergy();
  c.fluidMomentum = fromVec(g.run->fluidMomentum());
  c.solidMomentum = fromVec(g.run->solidMomentum());
  c.nextStep = g.run->timeStep();
  c.owedMomentum = fromVec(g.run->owedMomentum());
  return c;
}

}  // namespace meniscus::api

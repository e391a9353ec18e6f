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
  const offline::StepReport& r = s.grid->report;
  if (s.grid->converged) {
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
  g.report = g.run->step(dt);
  ++g.substeps;
  g.converged = g.converged && g.report.converged();
  g.pressureIterations = std::max(g.pressureIterations, g.report.pressureIterations);
  if (g.report.coupling.fluidSolves >= g.fluidSolves) {
    g.fluidSolves = g.report.coupling.fluidSolves;
    g.solidSolves = g.report.coupling.solidSolves;
  }
  return pieces <= 1 ? left : dt;
}

void beginStep(GridRunning& g) {
  g.before = g.run->state();
  g.substeps = g.fluidSolves = g.solidSolves = g.pressureIterations = 0;
  g.converged = true;
}

void undo(mnsScene& s) {
  s.grid->run->setState(s.grid->before);
  s.grid->published.renew();
}

// What tells of the last step is not of the state that was taken.
void forgetStep(mnsScene& s) {
  GridRunning& g = *s.grid;
  g.report = {};
  g.substeps = g.fluidSolves = g.solidSolves = g.pressureIterations = 0;
  g.converged = true;
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
  beginStep(g);
  s.events.clear();
  try {
    for (double left = dt; left > 0;) {
      if (stop()) {
        undo(s);
        return MNS_INTERRUPTED;
      }
      const double done = advance(g, left);
      left = done < left ? left - done : 0;
    }
    noteUnconverged(s);
  } catch (const Error& e) {
    undo(s);
    if (e.kind != ErrorKind::simulation) throw;
    addEvent(s, MNS_EVENT_NOT_FINITE, 0);
    throw Failure(MNS_ERROR_SIMULATION, e.what());
  } catch (...) {
    undo(s);
    throw;
  }
  g.published.renew();
  s.milliseconds = 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return MNS_OK;
}

void restoreGrid(mnsScene& s, std::string_view bytes, const std::string& name, std::string* record) {
  std::vector<std::string> notes;
  const std::shared_ptr<GridRunning> running = s.grid ? s.grid : built(s, notes);
  try {
    offline::unpackSnapshot(*running->run, running->model, bytes, name, record);
  } catch (const Error& e) { throw Failure(MNS_ERROR_SNAPSHOT, e.what()); }
  running->run->takeInflows();
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
  t.substeps = g.substeps;
  t.pressureIterations = g.pressureIterations;
  t.pressureSolves = g.fluidSolves;
  t.couplingIterations = g.fluidSolves;
  t.couplingResidual = residualOf(g.report) * double(g.run->cells().x) / (s.def.domain.max.x - s.def.domain.min.x);
  t.converged = g.converged;
  t.volumeChange = std::max(0., g.run->volumeError());
  t.maxSpeed = g.run->largestSpeed();
  for (const auto& [name, numbers] : g.before) t.memoryBytes += 4 * numbers.size() * sizeof(double);  // and the boxes' copies
  return t;
}

mnsCoupling gridCoupling(const mnsScene& s) {
  const GridRunning& g = *s.grid;
  mnsCoupling c{};
  c.fluidSolves = g.fluidSolves;
  c.solidSolves = g.solidSolves;
  c.residual = residualOf(g.report);
  c.tolerance = g.report.coupling.tolerance;
  if (g.substeps > 0) std::snprintf(c.stop, sizeof c.stop, "%s", coupling::nameOf(g.report.coupling.stop));
  c.regions = std::int32_t(g.report.p0.size());
  for (const double p : g.report.p0)
    if (std::abs(p) > std::abs(c.enclosedPressure)) c.enclosedPressure = p;
  c.volumeError = g.report.volumeError;
  c.kineticEnergy = g.run->kineticEnergy();
  c.fluidMomentum = fromVec(g.run->fluidMomentum());
  c.solidMomentum = fromVec(g.run->solidMomentum());
  c.nextStep = g.run->timeStep();
  return c;
}

}  // namespace meniscus::api

// How a scene is doing: figures of the last step, why it did not converge, what was mended, where the time goes.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "engine/api/defs.h"
#include "engine/api/grid_scene.h"
#include "engine/api/objects.h"
#include "engine/world/memory.h"

using namespace meniscus;
using namespace meniscus::api;

namespace meniscus::api {
namespace {

void addTo(Running::Stages& sum, const Running::Stages& more) {
  for (const auto& [name, seconds] : more) {
    const auto same = std::find_if(sum.begin(), sum.end(), [&n = name](const auto& s) { return s.first == n; });
    if (same == sum.end())
      sum.emplace_back(name, seconds);
    else
      same->second += seconds;
  }
}

// Names of stages as texts that hold: there are few, the same in all scenes, and they must not be of the host's heap, which may
// be exchanged while no context exists.
const char* lasting(const std::string& name) {
  constexpr std::size_t kMost = 64, kLength = 64;
  static std::mutex mutex;
  static char names[kMost][kLength];
  const std::lock_guard<std::mutex> lock(mutex);
  for (auto& known : names) {
    if (!known[0]) std::snprintf(known, kLength, "%s", name.c_str());
    if (std::strncmp(known, name.c_str(), kLength - 1) == 0) return known;
  }
  return "others";
}

Running::Stages stagesOf(const mnsScene& s) {
  if (s.grid) return s.grid->stages();
  return s.running ? s.running->stages() : Running::Stages{};
}

mnsStatistics statisticsOf(const mnsScene& s) {
  if (onGrid(s)) return gridStatistics(s);
  mnsStatistics t{};
  if (!s.running) return t;
  const World& w = s.running->world;
  const StepReport& r = w.report;
  t.time = w.time;
  t.steps = w.steps;
  t.particles = w.fluid.n;
  t.particleCapacity = w.fluid.capacity;
  t.peakParticles = s.peakParticles;
  t.nodes = std::int64_t(w.solid.x.size());
  t.constraints = std::int64_t(w.solid.constraints.items.size());
  t.milliseconds = s.milliseconds;
  t.substeps = r.substeps;
  t.substepsUndone = r.undone;
  t.pressureIterations = r.pressureIterations;
  t.pressureSolves = r.pressureSolves;
  t.couplingIterations = r.couplingIterations;
  t.couplingResidual = r.couplingResidual;
  t.converged = r.converged;
  t.densityErrorMean = r.densityErrorMean;
  t.densityErrorMax = r.densityErrorMax;
  t.volumeChange = r.volumeChange;
  t.divergenceError = r.divergenceError;
  t.maxSpeed = r.maxSpeed;
  t.contacts = r.contacts;
  t.emitted = r.emitted;
  t.drained = r.drained;
  t.escaped = r.escaped;
  t.blocked = r.blocked;
  t.leaked = r.leaked;
  t.memoryBytes = bytesOf(w) + s.running->before.bytes() + (s.running->solver ? s.running->solver->bytes() : 0) +
                  (s.running->coupled ? s.running->coupled->bytes() : 0);
  return t;
}

}  // namespace

void Running::dropSolver() noexcept {
  device.reset();
  if (!solver) return;
  try {
    addTo(earlier, solver->stageSeconds());
    if (coupled) addTo(earlier, coupled->stageSeconds());
  } catch (...) {}  // no memory for a few numbers: they are lost, which no step depends on
  coupled.reset();
  solver.reset();
}

Running::Stages Running::stages() const {
  Stages all = earlier;
  if (solver) addTo(all, solver->stageSeconds());
  if (coupled) addTo(all, coupled->stageSeconds());
  if (deviceSeconds > 0) addTo(all, {{"device", deviceSeconds}});
  return all;
}

}  // namespace meniscus::api

extern "C" {

mnsResult mnsScene_GetStatistics(mnsScene* scene, mnsStatistics* statistics) {
  return read(scene, [&](mnsScene& s) {
    needPointer(statistics, "mnsStatistics");
    giveOut(statistics, statisticsOf(s), "mnsStatistics");
    return MNS_OK;
  });
}

mnsResult mnsScene_GetStatusText(mnsScene* scene, const char** text) {
  return read(scene, [&](mnsScene& s) {
    needPointer(text, "text");
    *text = s.status.c_str();
    return MNS_OK;
  });
}

mnsResult mnsScene_GetNotes(mnsScene* scene, const char** notes) {
  return read(scene, [&](mnsScene& s) {
    needPointer(notes, "notes");
    *notes = s.notes.c_str();
    return MNS_OK;
  });
}

mnsResult mnsScene_GetStages(mnsScene* scene, mnsStage* stages, int32_t capacity, int32_t* count) {
  return read(scene, [&](mnsScene& s) {
    needPointer(count, "count");
    if (capacity < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "capacity is {}", capacity);
    const Running::Stages all = stagesOf(s);
    *count = std::int32_t(all.size());
    for (std::int32_t k = 0; stages && k < std::min(*count, capacity); ++k)
      stages[k] = {lasting(all[std::size_t(k)].first), all[std::size_t(k)].second};
    return MNS_OK;
  });
}

mnsResult mnsScene_ResetStages(mnsScene* scene) {
  return write(scene, [](mnsScene& s) {
    if (s.grid) s.grid->resetStages();
    if (!s.running) return MNS_OK;
    s.running->earlier.clear();
    s.running->deviceSeconds = 0;
    if (s.running->solver) s.running->solver->resetStages();
    if (s.running->coupled) s.running->coupled->resetStages();
    return MNS_OK;
  });
}

}  // extern "C"

#include "apps/cli/simulation.h"

#include <new>

#include "apps/cli/call.h"
#include "engine/base/error.h"
#include "engine/output/summary.h"
#include "engine/scene/load.h"
#include "engine/scene/methods.h"

namespace meniscus::cli {

Simulation::Simulation(const SceneDef& scene, int threads, const std::string& snapshot, mnsDevice device) {
  mnsContextDef def = mnsDefaultContextDef();
  def.device = device;
  def.threads = threads;
  need(mnsCreateContext(MNS_VERSION, &def, &context_));
  try {
    need(api::adoptScene(context_, SceneDef(scene), &scene_));
    need(snapshot.empty() ? mnsScene_Start(scene_) : api::startFrom(scene_, snapshot, &record_));
  } catch (...) {
    mnsDestroyContext(context_);
    throw;
  }
}

Simulation::~Simulation() { mnsDestroyContext(context_); }

bool Simulation::step(double dt, bool (*stop)()) {
  constexpr double kLook = 0.05;  // s between looks whether to stop
  mnsTicket ticket{};
  need(mnsScene_StepAsync(scene_, dt, &ticket));
  for (;;) {
    const mnsResult result = mnsScene_Wait(scene_, ticket, stop ? kLook : -1);
    if (result == MNS_INTERRUPTED) return false;
    if (result != MNS_PENDING) return need(result), true;
    if (stop && stop()) need(mnsScene_Cancel(scene_));
  }
}

double Simulation::time() const {
  mnsStatistics s{};
  s.structSize = sizeof s;
  need(mnsScene_GetStatistics(scene_, &s));
  return s.time;
}

void Simulation::save(const std::string& path, const std::string& record) const { need(api::saveWithRecord(scene_, path, record)); }

std::string Simulation::notes() const {
  const char* notes = "";
  need(mnsScene_GetNotes(scene_, &notes));
  return notes;
}

std::uint64_t Simulation::hash() const {
  std::uint64_t hash = 0;
  need(mnsScene_GetHash(scene_, &hash));
  return hash;
}

std::vector<std::pair<std::string, double>> Simulation::stageSeconds() const {
  std::int32_t count = 0;
  need(mnsScene_GetStages(scene_, nullptr, 0, &count));
  std::vector<mnsStage> stages(std::size_t(count), mnsStage{});
  need(mnsScene_GetStages(scene_, stages.data(), count, &count));
  std::vector<std::pair<std::string, double>> all;
  for (const mnsStage& s : stages) all.emplace_back(s.name, s.seconds);
  return all;
}

void Simulation::resetStages() { need(mnsScene_ResetStages(scene_)); }

SceneDef loadCheckedScene(const std::string& path) {
  SceneDef scene = loadScene(path);
  throwIfAny(checkExpectNames(scene));
  return scene;
}

SceneDef loadParticleScene(const std::string& path) {
  SceneDef scene = loadCheckedScene(path);
  refuseGridScene(scene);
  return scene;
}

}  // namespace meniscus::cli

// Scenes: made, loaded, saved, started, stepped, put back.
#include <cstring>

#include "tests/fuzz/targets/api_session.h"
#include "tests/fuzz/targets/api_texts.h"

namespace meniscus::fuzz {
namespace {

constexpr int kMostParticles = 600, kMostSteps = 12, kMostStarts = 8;

mnsSceneDef sceneDef(Bytes& b) {
  mnsSceneDef def = mnsDefaultSceneDef();
  def.domain.max = {b.number(0.2, 0.24), 0.2, b.number(0.2, 0.24)};
  def.spacing = b.byte() < 240 ? 0.02 : b.number(0.02, 0.05);
  def.maxParticles = b.below(2) ? kMostParticles : 0;
  def.maxStep = b.number(0.002, 0.01);
  def.openSides = b.below(2) ? 0 : b.byte();
  def.pressure = b.below(2) ? MNS_PRESSURE_COMPATIBLE : mnsPressureMode(b.below(6) - 1);
  def.krylov = mnsKrylov(b.seldom() ? b.byte() : b.below(2));
  def.maxSubsteps = 8;
  if (def.spacing < 0.02) def.spacing = 0.02;  // a finer one asks for more particles than a fuzzer has time for
  return def;
}

void createScene(ApiSession& s) {
  mnsSceneDef def = sceneDef(s.b);
  mnsScene* made = nullptr;
  if (MNS_TRY(s, mnsCreateScene, s.context(), s.damaged(def), &made) == MNS_OK) s.adopt(made, false);
}

void destroyScene(ApiSession& s) {
  if (s.b.byte() < 150) return;
  mnsScene* const scene = s.scene();
  if (MNS_TRY(s, mnsDestroyScene, scene) != MNS_OK || !scene) return;
  s.forget(scene);
  if (mnsDestroyScene(scene) != MNS_ERROR_INVALID_HANDLE) broken("a scene that was destroyed is not followed");
}

// The other scene comes forward: ids are now foreign.
void exchange(ApiSession& s) {
  std::swap(s.scenes[0], s.scenes[1]);
  std::swap(s.onGrid[0], s.onGrid[1]);
}

void loadSceneText(ApiSession& s) {
  bool grid = false;
  std::string text = sceneText(s.b, grid);
  if (s.b.seldom()) text[std::size_t(s.b.byte()) * 5 % text.size()] = char(s.b.byte());
  mnsScene* made = nullptr;
  const char* const folder = s.b.below(2) ? nullptr : s.folder().c_str();
  const std::size_t length = s.b.seldom() ? text.size() / 2 : text.size();
  if (MNS_TRY(s, mnsLoadSceneText, s.context(), text.c_str(), length, folder, &made) == MNS_OK) s.adopt(made, grid);
}

// Names of files that are there, and of some that are not.
std::string file(ApiSession& s, const char* name) {
  return s.folder() + (s.b.seldom() ? "/no/such/" : "/") + name + (s.b.seldom() ? "\xff" : "");
}

void save(ApiSession& s) {
  if (s.b.byte() < 128) return;
  const std::string path = file(s, s.onGrid[0] ? "grid.json" : "particles.json");
  MNS_TRY(s, mnsScene_Save, s.scene(), s.b.seldom() ? nullptr : path.c_str());
}

void loadScene(ApiSession& s) {
  const bool grid = s.b.below(2);
  const std::string path = file(s, grid ? "grid.json" : "particles.json");
  mnsScene* made = nullptr;
  if (MNS_TRY(s, mnsLoadScene, s.context(), path.c_str(), &made) == MNS_OK) s.adopt(made, grid);
}

void getDef(ApiSession& s) {
  mnsSceneDef def = mnsDefaultSceneDef();
  const std::uint32_t whole = def.structSize;
  if (MNS_TRY(s, mnsScene_GetDef, s.scene(), s.sized(def)) == MNS_OK && def.structSize >= whole) s.touch(MNS_OK, def.name);
}

void estimateMemory(ApiSession& s) {
  mnsSceneDef def = sceneDef(s.b);
  std::uint64_t bytes = 0;
  MNS_TRY(s, mnsEstimateMemory, s.damaged(def), std::int64_t(s.b.byte()) << s.b.below(55), s.b.byte() - 5, s.to(bytes));
}

void start(ApiSession& s) {
  if (++s.starts <= kMostStarts) MNS_TRY(s, mnsScene_Start, s.scene());
}

double dt(Bytes& b) { return b.number(0.0005, 0.004); }

void step(ApiSession& s) {
  if (++s.steps <= kMostSteps) MNS_TRY(s, mnsScene_Step, s.scene(), dt(s.b));
}

// Another call meanwhile is busy or comes in time, and a ticket is good once.
void stepAsync(ApiSession& s) {
  if (++s.steps > kMostSteps) return;
  mnsTicket ticket{};
  mnsScene* const scene = s.scene();
  if (MNS_TRY(s, mnsScene_StepAsync, scene, dt(s.b), &ticket) != MNS_OK) return;
  mnsView view{};
  s.check("mnsScene_GetParticles", mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view));
  if (s.b.below(3) == 0) MNS_TRY(s, mnsScene_Cancel, scene);
  if (s.b.below(3) == 0) MNS_TRY(s, mnsScene_Wait, scene, mnsTicket{ticket.value + 1 + s.b.byte()}, s.b.number(0, 0.001));
  if (s.b.below(8) == 0 && mnsDestroyScene(scene) == MNS_OK) return s.forget(scene);
  const mnsResult result = mnsScene_Wait(scene, ticket, -1);
  if (result == MNS_PENDING) broken("a wait without an end ends with the step");
  if (mnsScene_Wait(scene, ticket, 0) != MNS_ERROR_INVALID_HANDLE) broken("a ticket is good once");
  s.check("mnsScene_Wait", result);
}

void wait(ApiSession& s) { MNS_TRY(s, mnsScene_Wait, s.scene(), mnsTicket{s.b.byte()}, s.b.number(0, 0.001)); }
void cancel(ApiSession& s) { MNS_TRY(s, mnsScene_Cancel, s.scene()); }

void snapshot(ApiSession& s) {
  std::size_t size = 0;
  mnsScene* const scene = s.scene();
  if (MNS_TRY(s, mnsScene_Snapshot, scene, nullptr, 0, s.to(size)) != MNS_OK) return;
  std::vector<char> bytes(s.b.seldom() ? size / 2 : size);
  if (MNS_TRY(s, mnsScene_Snapshot, scene, bytes.data(), bytes.size(), &size) != MNS_OK) return;
  s.kept = std::move(bytes);
  s.keptOf = scene;
  if (mnsScene_GetHash(scene, &s.keptHash) != MNS_OK) broken("a scene with a snapshot has a hash");
}

void restore(ApiSession& s) {
  if (s.kept.empty()) return;
  std::vector<char> copy = s.kept;
  const bool damaged = s.b.below(3) == 0;
  if (damaged) copy[std::size_t(s.b.byte()) * 37 % copy.size()] ^= char(s.b.byte());
  const std::size_t size = s.b.seldom() ? copy.size() / 2 : copy.size();
  mnsScene* const scene = s.scene();
  const bool grid = scene && scene == s.scenes[0] && s.onGrid[0];
  if (MNS_TRY(s, mnsScene_Restore, scene, copy.data(), size) != MNS_OK || damaged || grid) return;
  // on a grid the inflows are those of the parameters now
  std::uint64_t hash = 0;
  if (mnsScene_GetHash(scene, &hash) != MNS_OK || hash != s.keptHash) broken("a restored state is the one that was kept");
}

void saveSnapshot(ApiSession& s) {
  if (s.b.byte() < 128) return;
  MNS_TRY(s, mnsScene_SaveSnapshot, s.scene(), file(s, "state").c_str());
}
void loadSnapshot(ApiSession& s) { MNS_TRY(s, mnsScene_LoadSnapshot, s.scene(), file(s, "state").c_str()); }

void getHash(ApiSession& s) {
  std::uint64_t hash = 0;
  MNS_TRY(s, mnsScene_GetHash, s.scene(), s.to(hash));
}

}  // namespace

ApiCalls sceneCalls() {
  return {{createScene, 8, kChanges},  {destroyScene, 1, kChanges}, {exchange, 3, kChanges},  {loadSceneText, 8, kChanges},
          {save, 1, kReads},           {loadScene, 1, kChanges},    {getDef, 1, kReads},      {estimateMemory, 1, kReads},
          {start, 6, kChanges},        {step, 24, kChanges},        {stepAsync, 6, kChanges}, {wait, 1, kReads},
          {cancel, 1, kReads},         {snapshot, 4, kReads},       {restore, 5, kChanges},   {saveSnapshot, 1, kReads},
          {loadSnapshot, 2, kChanges}, {getHash, 1, kReads}};
}

}  // namespace meniscus::fuzz

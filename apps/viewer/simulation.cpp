#include "apps/viewer/simulation.h"

#include <meniscus/meniscus_cuda.h>

#include "apps/picture/check.h"
#include "apps/viewer/text.h"

namespace meniscus::viewer {

using picture::check;

Simulation::Simulation(int threads, mnsDevice device, Log& log)
    : log_(log), threads_(threads), device_(device), context_(newContext(device)) {}

mnsContext* Simulation::newContext(mnsDevice device) const {
  mnsContextDef def = mnsDefaultContextDef();
  def.device = device;
  def.threads = threads_;
  def.log = Log::receive;
  def.logUser = &log_;
  mnsContext* context = nullptr;
  check(mnsCreateContext(MNS_VERSION, &def, &context));
  return context;
}

Simulation::~Simulation() { mnsDestroyContext(context_); }

// A scene with all that is shown of it, made whole before anything of the one before is given up; then what was before, which ends
// here. context: its own, where that is another one.
struct Simulation::Fresh {
  mnsContext* context = nullptr;
  mnsScene* scene = nullptr;
  std::shared_ptr<const picture::SceneFacts> facts;
  std::shared_ptr<const SceneView> view;
  std::optional<picture::FrameReader> reader;
  std::string path, device, notes;
  bool onCard = false;

  Fresh() = default;
  Fresh(const Fresh&) = delete;
  ~Fresh() {
    mnsDestroyScene(scene);
    mnsDestroyContext(context);
  }
};

void Simulation::open(const std::string& path) {
  Fresh fresh;
  load(context_, path, fresh);
  show(fresh);
}

void Simulation::setDevice(mnsDevice device) {
  if (device == device_) return;
  Fresh fresh;
  fresh.context = newContext(device);
  if (scene_) {
    load(fresh.context, path_, fresh);
    show(fresh);
  } else {
    std::swap(context_, fresh.context);
  }
  device_ = device;
}

// All that may fail.
void Simulation::load(mnsContext* context, const std::string& path, Fresh& fresh) const {
  check(mnsLoadScene(context, path.c_str(), &fresh.scene));
  fresh.facts = std::make_shared<const picture::SceneFacts>(picture::factsOf(fresh.scene));
  fresh.view = std::make_shared<const SceneView>(sceneViewOf(fresh.scene));
  check(mnsScene_Start(fresh.scene));
  fresh.reader.emplace(*fresh.facts);
  fresh.path = path;
  std::int32_t card = 0;
  fresh.onCard = mnsScene_GetCudaStream(fresh.scene, &card, nullptr) >= 0;
  // what steps it, in the library's words where that is the CPU
  fresh.device = fresh.onCard        ? text("the scene runs on CUDA device %d", int(card))
                 : fresh.facts->grid ? "the scene runs on the CPU, because fluids on a grid do"
                                     : mnsGetLastError();
  const char* notes = "";
  check(mnsScene_GetNotes(fresh.scene, &notes));
  fresh.notes = notes;
}

// Together with its context, if that is another one: a scene ends with its context.
void Simulation::show(Fresh& fresh) {
  leavePositions();
  {
    std::lock_guard<std::mutex> lock(sceneMutex_);
    std::swap(scene_, fresh.scene);
  }
  if (fresh.context) std::swap(context_, fresh.context);
  facts_.swap(fresh.facts);
  view_.swap(fresh.view);
  reader_.swap(fresh.reader);
  path_.swap(fresh.path);
  deviceWords_.swap(fresh.device);
  onCard_ = fresh.onCard;
  selected_.clear();
  ++load_;
  rewind_.clear();
  grip_.forget();
  playing = false;
  afterJump();
  if (!fresh.notes.empty()) log_.say(MNS_LOG_INFO, fresh.notes);
}

// The state is another one than the last step left.
void Simulation::afterJump() {
  const mnsStatistics s = statistics();
  stepError_.clear();
  time_ = s.time;
  steps_ = picture::stepsOf(s, *facts_);
  stagesBefore_.clear();
  stages_.clear();
  considerSnapshot();
}

// Where there is no room for one, everything else goes on.
void Simulation::considerSnapshot() {
  try {
    rewind_.consider(scene_, steps_, time_);
  } catch (const std::exception& e) { log_.say(MNS_LOG_WARNING, text("no snapshot for rewinding: %s", e.what())); }
}

void Simulation::saveScene(const std::string& path, const render::Look& look, const render::Camera& camera) {
  if (!scene_) throw Error(ErrorKind::input, "there is no scene to save; open one first");
  setSceneView(scene_, look, colouring_, camera);
  check(mnsScene_Save(scene_, path.c_str()));
  log_.say(MNS_LOG_INFO, "saved " + path);
}

void Simulation::setParameter(const std::string& name, double value) {
  if (scene_) check(mnsScene_SetValue(scene_, name.c_str(), value));
}

void Simulation::reset() { rewind(0); }

void Simulation::rewind(std::size_t k) {
  if (!scene_ || k >= rewind_.count()) return;
  grip_.release(scene_);
  rewind_.restore(scene_, k);
  afterJump();
}

Pick Simulation::pick(const Sight& sight) const {
  if (!scene_) return {};
  const glm::vec3 middle = (facts_->low + facts_->high) * .5f;
  const float reach = glm::distance(sight.eye, middle) + glm::distance(facts_->low, facts_->high);
  Sight seen = sight;
  seen.fluid = seen.fluid && !facts_->grid;  // smoke is everywhere
  return viewer::pick(scene_, seen, double(reach));
}

void Simulation::step() {
  try {
    grip_.pull(scene_, facts_->dt);
  } catch (const Error& e) {  // what cannot be pulled is let go; the scene goes on
    grip_.forget();
    log_.say(MNS_LOG_WARNING, e.what());
  }
  const mnsResult result = mnsScene_Step(scene_, facts_->dt);
  if (result < 0) {
    stepError_ = mnsGetLastError();
    playing = false;
    log_.say(MNS_LOG_ERROR, stepError_);
    return;
  }
  if (result == MNS_INTERRUPTED) return;
  const mnsStatistics s = statistics();
  time_ = s.time;
  steps_ = picture::stepsOf(s, *facts_);
  considerSnapshot();
}

void Simulation::cancelStep() {
  std::lock_guard<std::mutex> lock(sceneMutex_);
  if (scene_) mnsScene_Cancel(scene_);
}

void Simulation::shareWith(SharedContext& context) {
  context.makeCurrent();
  shared_ = &context;
}

// What is between the states' buffers and the scene, which is about to go.
void Simulation::leavePositions() {
  for (const auto& p : positions_) p->leave();
}

void Simulation::endSharing() {
  if (!shared_) return;
  leavePositions();
  shared_->release();
  shared_ = nullptr;
}

}  // namespace meniscus::viewer

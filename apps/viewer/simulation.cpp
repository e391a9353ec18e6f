#include "apps/viewer/simulation.h"

#include <meniscus/meniscus_cuda.h>

#include "apps/picture/check.h"
#include "apps/viewer/text.h"

namespace meniscus::viewer {

using picture::check;

namespace {

mnsStatistics statisticsOf(mnsScene* scene) {
  mnsStatistics s{};
  s.structSize = sizeof s;
  check(mnsScene_GetStatistics(scene, &s));
  return s;
}

mnsCoupling couplingOf(mnsScene* scene) {
  mnsCoupling c{};
  c.structSize = sizeof c;
  check(mnsScene_GetCoupling(scene, &c));
  return c;
}

glm::dvec3 toGlm(const mnsVec3& v) { return {v.x, v.y, v.z}; }

// What steps it, in the library's words where that is the CPU.
std::string deviceOf(mnsScene* scene) {
  std::int32_t card = 0;
  if (mnsScene_GetCudaStream(scene, &card, nullptr) >= 0) return text("the scene runs on CUDA device %d", int(card));
  return mnsGetLastError();
}

}  // namespace

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

void Simulation::open(const std::string& path) { openIn(context_, path); }

void Simulation::setDevice(mnsDevice device) {
  if (device == device_) return;
  mnsContext* other = newContext(device);
  try {
    if (scene_) openIn(other, path_);
  } catch (...) {
    mnsDestroyContext(other);
    throw;
  }
  std::swap(context_, other);
  device_ = device;
  mnsDestroyContext(other);
}

void Simulation::openIn(mnsContext* context, const std::string& path) {
  struct Fresh {  // destroys what did not get as far as being shown
    mnsScene* scene = nullptr;
    ~Fresh() { mnsDestroyScene(scene); }
  } fresh;
  check(mnsLoadScene(context, path.c_str(), &fresh.scene));
  auto facts = std::make_shared<const picture::SceneFacts>(picture::factsOf(fresh.scene));
  auto view = std::make_shared<const SceneView>(sceneViewOf(fresh.scene));
  check(mnsScene_Start(fresh.scene));
  {
    std::lock_guard<std::mutex> lock(sceneMutex_);
    std::swap(scene_, fresh.scene);
  }
  facts_ = facts;
  view_ = view;
  reader_.emplace(*facts);
  path_ = path;
  deviceWords_ = deviceOf(scene_);
  selected_.clear();
  ++load_;
  rewind_.clear();
  grip_.forget();
  playing = false;
  afterJump();
  const char* notes = "";
  if (mnsScene_GetNotes(scene_, &notes) >= 0 && *notes) log_.say(MNS_LOG_INFO, notes);
}

// The state is another one than the last step left.
void Simulation::afterJump() {
  const mnsStatistics s = statisticsOf(scene_);
  stepError_.clear();
  time_ = s.time;
  steps_ = picture::stepsOf(s, *facts_);
  stagesBefore_.clear();
  stages_.clear();
  rewind_.consider(scene_, steps_, time_);
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
  const mnsStatistics s = statisticsOf(scene_);
  time_ = s.time;
  steps_ = picture::stepsOf(s, *facts_);
  try {
    rewind_.consider(scene_, steps_, time_);
  } catch (const std::exception& e) { log_.say(MNS_LOG_WARNING, text("no snapshot for rewinding: %s", e.what())); }
}

void Simulation::cancelStep() {
  std::lock_guard<std::mutex> lock(sceneMutex_);
  if (scene_) mnsScene_Cancel(scene_);
}

void Simulation::describeStages(State& state) {
  std::int32_t count = 0;
  check(mnsScene_GetStages(scene_, nullptr, 0, &count));
  stages_.resize(std::size_t(count));
  check(mnsScene_GetStages(scene_, stages_.data(), count, &count));
  stagesBefore_.resize(stages_.size(), 0);
  state.stages.clear();
  for (std::size_t k = 0; k < stages_.size(); ++k) {
    state.stages.push_back({stages_[k].name, 1e3 * (stages_[k].seconds - stagesBefore_[k])});
    stagesBefore_[k] = stages_[k].seconds;
  }
}

void Simulation::describeSelected(State& state) {
  BodyInfo& info = state.selected;
  std::string name = std::move(info.name);  // its memory is used again
  info = {};
  info.name = std::move(name);
  info.name.clear();
  mnsBodyId body;
  if (selected_.empty() || mnsScene_FindBody(scene_, selected_.c_str(), &body) < 0) return;
  info.name = selected_;
  mnsVec3 x{}, v{}, w{}, f{};
  check(mnsBody_GetKind(scene_, body, &info.kind));
  check(mnsBody_GetTransform(scene_, body, &x, nullptr));
  check(mnsBody_GetVelocity(scene_, body, &v, &w));
  check(mnsBody_GetMass(scene_, body, &info.mass));
  info.position = toGlm(x);
  info.velocity = toGlm(v);
  info.angularVelocity = toGlm(w);
  info.hasForce = mnsBody_GetFluidForce(scene_, body, &f) >= 0;
  info.fluidForce = toGlm(f);
  info.hasVolume = mnsBody_GetVolume(scene_, body, &info.volume) >= 0;
  const std::string pressure = "solids." + selected_ + ".pressure";
  info.hasPressure = mnsScene_GetValue(scene_, pressure.c_str(), &info.pressure) >= 0;
  for (const picture::BodyFrame& b : state.frame.bodies)
    if (b.name == selected_) {
      info.nodes = b.position.size();
      info.triangles = b.triangles.size() / 3;
    }
}

void Simulation::fill(State& state) {
  if (state.load != load_)  // a body of the same name is another one now
    for (picture::BodyFrame& body : state.frame.bodies) body.triangles.clear();
  state.load = load_;
  state.path = path_;
  state.device = deviceWords_;
  state.deviceChosen = device_;
  state.facts = facts_;
  state.view = view_;
  state.playing = playing;
  state.stepError = stepError_;
  if (!scene_) return;
  reader_->read(scene_, colouring_, state.frame);
  state.statistics = statisticsOf(scene_);
  state.coupling = facts_->grid ? couplingOf(scene_) : mnsCoupling{};
  describeStages(state);
  const char* words = "";
  check(mnsScene_GetStatusText(scene_, &words));
  state.status = words;
  check(mnsScene_GetNotes(scene_, &words));
  state.notes = words;
  std::int32_t count = 0;
  check(mnsScene_GetParameterCount(scene_, &count));
  state.parameters.resize(std::size_t(count));
  for (std::int32_t k = 0; k < count; ++k) {
    state.parameters[std::size_t(k)].structSize = sizeof(mnsParameter);
    check(mnsScene_GetParameter(scene_, k, &state.parameters[std::size_t(k)]));
  }
  describeSelected(state);
  rewind_.describe(state.timeline);
  state.grip = grip_.line(scene_);
}

}  // namespace meniscus::viewer

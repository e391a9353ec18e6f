// What the window is told of the scene.
#include "apps/picture/check.h"
#include "apps/picture/scene_picture.h"
#include "apps/viewer/simulation.h"

namespace meniscus::viewer {

using picture::check;

namespace {

mnsCoupling couplingOf(mnsScene* scene) {
  mnsCoupling c{};
  c.structSize = sizeof c;
  check(mnsScene_GetCoupling(scene, &c));
  return c;
}

glm::dvec3 toGlm(const mnsVec3& v) { return {v.x, v.y, v.z}; }

}  // namespace

mnsStatistics Simulation::statistics() const {
  mnsStatistics s{};
  s.structSize = sizeof s;
  check(mnsScene_GetStatistics(scene_, &s));
  return s;
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

// Each state has a buffer of its own: the window draws from one while the next one is written.
void Simulation::readFrame(State& state) {
  const bool shares = shared_ && onCard_;
  if (shares && !state.positions) positions_.push_back(state.positions = std::make_shared<picture::GlPositions>());
  reader_->read(scene_, colouring_, state.frame, shares ? state.positions.get() : nullptr);
  if (!shares) return;
  const std::string& why = state.positions->why();
  const bool drawn = !state.frame.fluids.empty() && state.frame.fluids[0].buffer;
  state.device += drawn         ? "; it writes the particles where they are drawn from"
                  : why.empty() ? "; particles of several fluids are copied"
                                : "; particles are copied, because " + why;
  if (drawn && energies_) reader_->readEnergies(scene_, state.frame);
}

void Simulation::fill(State& state) {
  if (state.load != load_)  // a body of the same name is another one now
    for (picture::BodyFrame& body : state.frame.bodies) body.triangles.clear();
  state.load = load_;
  state.path = path_;
  state.device = deviceWords_;
  state.onCard = onCard_;
  state.deviceChosen = device_;
  state.facts = facts_;
  state.view = view_;
  state.playing = playing;
  state.stepError = stepError_;
  if (!scene_) return;
  readFrame(state);
  state.onPath.reset();
  if (view_->path && !picture::sceneCamera(scene_, state.frame.time, state.onPath.emplace())) state.onPath.reset();
  state.statistics = statistics();
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

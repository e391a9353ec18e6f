#include "apps/viewer/app.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "apps/viewer/paths.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

constexpr double kSecondsToSave = 30;  // that the end waits for scenes to be saved: a step ends after its sub-step

// A thin handle between two panels that changes the size of one of them [points].
void splitter(const char* name, const ImVec2& at, const ImVec2& size, bool upright, float direction, float scale, float low,
              float high, float& value) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin(name, nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::InvisibleButton("handle", size);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y}, accentColour());
  }
  if (ImGui::IsItemActive()) {
    const ImVec2 by = ImGui::GetIO().MouseDelta;
    value = std::clamp(value + direction * (upright ? by.x : by.y) / scale, low, high);
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

struct Tab {
  const char* name;
  void (*show)(App&);
};

// Tabs without room become narrower than their names.
void markTab(App& app, const char* name) {
  Mark& mark = app.mark("tab", name);
  if (ImGui::GetItemRectSize().x < ImGui::CalcTextSize(name).x + 2 * ImGui::GetStyle().FramePadding.x - 1) mark.clipped = true;
}

bool beginPanel(const char* name, const ImVec2& at, const ImVec2& size) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(size);
  return ImGui::Begin(name, nullptr,
                      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                          ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
}

}  // namespace

App::App(const Options& options, Settings& s, Log& l, Window& w)
    : settings(s),
      log(l),
      window(w),
      renderer(options.shaders),
      sim(options.threads, options.device, l),
      shaderWatch_(options.shaders) {
  askedDevice_.device = options.device;
  setPace(settings.pace);
  sim.post([bytes = std::size_t(settings.rewindMegabytes) << 20, colouring = settings.colouring](Simulation& simulation) {
    simulation.setRewindBound(bytes);
    simulation.setColouring(colouring);
  });
  if (!options.scene.empty()) openScene(options.scene);
}

App::~App() { leaveView(); }

bool App::end(double seconds) {
  stopRecording();
  remember();
  thumbnails.askToEnd();
  sim.askToEnd();
  const auto begin = std::chrono::steady_clock::now();
  const auto busy = [&] { return thumbnails.making() || sim.busySeconds() > 0; };
  const auto saving = [&] { return !saving_.empty() && sim.done() < saving_.back().command; };
  for (double waited = 0; (busy() && waited < seconds) || (saving() && waited < kSecondsToSave);
       waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    sim.askToEnd();
  }
  tellLost();
  return !busy();
}

// What was still to be saved when the end was asked for, and is not.
void App::tellLost() {
  const std::uint64_t done = sim.done();  // before the errors: those of what is done are then among them
  for (const CommandError& error : sim.takeErrors())
    for (std::size_t k = saving_.size(); k-- > 0;)
      if (saving_[k].command == error.command) {
        lost.push_back(error.words);
        saving_.erase(saving_.begin() + std::ptrdiff_t(k));
      }
  tellSaved(done);
  for (const Saving& s : saving_)
    lost.push_back(text("%s: was not saved: what went on before did not end in %g s", s.path.c_str(), kSecondsToSave));
}

Mark& App::mark(std::string_view kind, std::string_view name) {
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  const ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (marked == marks.size()) marks.emplace_back();
  Mark& m = marks[marked++];
  m.name = kind;
  if (!name.empty()) m.name.append(" ").append(name);
  m.where = {a.x, a.y, b.x - a.x, b.y - a.y};
  m.clipped = a.x < draw.GetClipRectMin().x - 1 || b.x > draw.GetClipRectMax().x + 1;
  m.hidden = a.y < draw.GetClipRectMin().y - 1 || b.y > draw.GetClipRectMax().y + 1;
  return m;
}

// What the scene has said of how it is shown holds for it alone.
void App::leaveView() {
  if (view_) view_->takeBack(settings, ownShown_);
  view_ = nullptr;
}

void App::remember() {
  leaveView();
  if (hasScene()) settings.views[state->path][0] = camera.camera;
  settings.width = window.width();
  settings.height = window.height();
}

void App::takeErrors() {
  for (const CommandError& error : sim.takeErrors()) {
    if (!loading.empty() && error.command == loadCommand_) {  // the state that follows it may not have come yet
      loadError = error.words;
      loadErrorPath = loading;
      loading.clear();
      log.say(MNS_LOG_ERROR, error.words);
    } else {
      saving_.erase(std::remove_if(saving_.begin(), saving_.end(), [&](const Saving& s) { return s.command == error.command; }),
                    saving_.end());
      fail(error.words);
    }
  }
}

void App::sceneArrived() {
  loadSeen_ = state->load;
  loadError.clear();
  selected.clear();
  history.clear();
  pending_.clear();
  samples.clear();
  addRecent(settings, state->path);
  settings.sceneFolder = state->path.substr(0, state->path.find_last_of('/'));
  window.setTitle(std::string(stemOf(state->path)) + " - Meniscus");
  fluidRange_ = state->frame.fluidRange;
  meshRange_ = state->frame.meshRange;
  const picture::Colouring before = settings.colouring;
  leaveView();
  ownShown_ = settings;
  view_ = state->view;
  view_->apply(settings);
  if (!same(before, settings.colouring)) recolour();
  const float aspect = viewArea.height > 0 ? viewArea.width / viewArea.height : 1.6f;
  render::Camera first;
  picture::firstView(state->frame, *state->facts, aspect, first.eye, first.target, first.up, particlesInBuffer());
  const auto views = settings.views.find(state->path);
  const bool remembered = views != settings.views.end() && views->second[0];
  camera.camera = state->view->camera ? *state->view->camera : remembered ? *views->second[0] : first;
  camera.camera.up = first.up;
  alongPath = view_->path;
  followed_.reset();
}

// done: the last command that was carried out. Those without an error, which would have come before, have saved their scene.
void App::tellSaved(std::uint64_t done) {
  while (!saving_.empty() && done >= saving_.front().command) {
    addRecent(settings, absolutePath(saving_.front().path));
    say("Saved " + saving_.front().path);
    saving_.erase(saving_.begin());
  }
}

void App::takeState() {
  const auto before = state;
  state = sim.latest();
  if (!state) return;
  if (state->onCard && !triedToShare_) shareWithCard();
  if (state->load != loadSeen_) {
    if (before && before->load > 0 && before->path != state->path) settings.views[before->path][0] = camera.camera;
    sceneArrived();
  }
  takeErrors();
  if (!loading.empty() && state->done >= loadCommand_) loading.clear();
  tellSaved(state->done);
  for (auto it = pending_.begin(); it != pending_.end();)
    it = state->done >= it->second.command ? pending_.erase(it) : std::next(it);
  sim.takeSamples(newSamples_);
  if (plotsPaused) return;
  for (const Sample& sample : newSamples_) samples.add(sample);
}

// A second context takes a moment and is of use to cards alone: it is made when the first scene runs on one.
void App::shareWithCard() {
  triedToShare_ = true;
  try {
    shared = window.share();
    sim.post([context = shared.get()](Simulation& simulation) { simulation.shareWith(*context); });
  } catch (const std::exception& e) {
    log.say(MNS_LOG_WARNING, text("particles are copied for the picture, because %s", e.what()));
  }
}

// Of the state, for what is not done by OpenGL.
const std::vector<glm::vec4>& App::particlesInBuffer() {
  inBuffer_.clear();
  const auto& fluids = state->frame.fluids;
  if (state->positions && !fluids.empty() && fluids[0].buffer) {
    state->positions->await();
    state->positions->read(inBuffer_);
  }
  return inBuffer_;
}

void App::updateRanges() {
  const picture::Frame& frame = state->frame;
  const bool other = frame.fluidQuantity != rangedFluid_ || frame.meshQuantity != rangedMesh_;
  fluidRange_ = other ? frame.fluidRange : picture::follow(fluidRange_, frame.fluidRange);
  meshRange_ = other ? frame.meshRange : picture::follow(meshRange_, frame.meshRange);
  rangedFluid_ = frame.fluidQuantity;
  rangedMesh_ = frame.meshQuantity;
}

void App::frame(double seconds) {
  marked = 0;
  takeState();
  if (energiesAsked_ != settings.showBottom) {
    energiesAsked_ = settings.showBottom;
    sim.post([wanted = energiesAsked_](Simulation& simulation) { simulation.setEnergies(wanted); });
  }
  for (const std::string& path : window.takeDrops()) openScene(path);
  if (shaderWatch_.watching() && ImGui::GetFrameCount() % 20 == 0 && shaderWatch_.changed()) reloadShaders();
  keys();
  camera.update(float(seconds));
  followPath();
  layout();
  viewInput(seconds);
  drawView();
  fileDialog.show(window.scale());
  showHelp(*this);
  thumbnails.setPaused(state && state->playing);
  thumbnails.drawOne(renderer);
}

bool App::idle() const {
  if (!state || state->playing || camera.gliding() || recorder.recording() || !loading.empty() || !notices.empty()) return false;
  if (thumbnails.working()) return false;  // pictures come up, and a ring turns
  return drag_ == Drag::none && !ImGui::IsAnyItemActive() && pending_.empty();
}

void App::layout() {
  showMenu(*this);
  const float s = window.scale(), top = ImGui::GetFrameHeight(), handle = std::round(4 * s);
  const ImVec2 room = ImGui::GetIO().DisplaySize;
  const float transport = std::round(ImGui::GetFrameHeight() * 1.25f + ImGui::GetTextLineHeight() + 30 * s);
  // where the window is narrow for its letters one panel has its place: the scenes until one is open, then the tools
  const bool narrow = room.x < 700 * s, oneSide = narrow && settings.showLeft && settings.showRight;
  const bool leftShown = settings.showLeft && !(oneSide && hasScene()),
             rightShown = settings.showRight && !(oneSide && !hasScene());
  const float most = room.x * (narrow ? 0.6f : 0.4f) / s;
  const float left = leftShown ? std::round(std::min(settings.leftWidth, most) * s) : 0;
  const float right = rightShown ? std::round(std::min(settings.rightWidth, most) * s) : 0;
  const float middle = room.y - top - transport;
  const float bottom = settings.showBottom ? std::round(std::min(settings.bottomHeight * s, middle * 0.6f)) : 0;
  if (left > 0) {
    if (beginPanel("##left", {0, top}, {left, middle})) showScenes(*this);
    ImGui::End();
    splitter("##leftHandle", {left, top}, {handle, middle}, true, 1, s, 160, most, settings.leftWidth);
  }
  if (right > 0) {
    if (beginPanel("##right", {room.x - right, top}, {right, middle}) && ImGui::BeginTabBar("tools")) {
      for (const Tab& tab :
           {Tab{"Parameters", showParameters}, Tab{"Look", showLook}, Tab{"Body", showBody}, Tab{"Record", showRecording}}) {
        const bool open = ImGui::BeginTabItem(tab.name);
        markTab(*this, tab.name);
        if (!open) continue;
        ImGui::BeginChild("content");
        tab.show(*this);
        ImGui::EndChild();
        ImGui::EndTabItem();
      }
      ImGui::EndTabBar();
    }
    ImGui::End();
    splitter("##rightHandle", {room.x - right - handle, top}, {handle, middle}, true, -1, s, 220, most, settings.rightWidth);
  }
  const float x = left > 0 ? left + handle : 0, width = room.x - x - (right > 0 ? right + handle : 0);
  if (bottom > 0) {
    if (beginPanel("##bottom", {x, top + middle - bottom}, {width, bottom}) && ImGui::BeginTabBar("records")) {
      for (const Tab& tab : {Tab{"Plots", showPlots}, Tab{"Log", showLog}}) {
        const bool open = ImGui::BeginTabItem(tab.name);
        markTab(*this, tab.name);
        if (!open) continue;
        tab.show(*this);
        ImGui::EndTabItem();
      }
      ImGui::EndTabBar();
    }
    ImGui::End();
    splitter("##bottomHandle", {x, top + middle - bottom - handle}, {width, handle}, false, -1, s, 110, middle * .6f / s,
             settings.bottomHeight);
  }
  if (beginPanel("##transport", {0, room.y - transport}, {room.x, transport})) showTransport(*this);
  ImGui::End();
  transportTop = room.y - transport;
  viewArea = {x, top, width, middle - (bottom > 0 ? bottom + handle : 0)};
}

}  // namespace meniscus::viewer

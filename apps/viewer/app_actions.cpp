// What the program can be asked to do.
#include <imgui.h>

#include <filesystem>

#include "apps/viewer/app.h"
#include "apps/viewer/paths.h"
#include "apps/viewer/text.h"

namespace meniscus::viewer {

void App::say(const std::string& words) {
  notices.push_back({words, false, ImGui::GetTime() + 5});
  if (notices.size() > 5) notices.pop_front();
  log.say(MNS_LOG_INFO, words);
}

void App::fail(const std::string& words) {
  notices.push_back({words, true, ImGui::GetTime() + 12});
  if (notices.size() > 5) notices.pop_front();
  log.say(MNS_LOG_ERROR, words);
}

void App::openScene(const std::string& path) {
  stopRecording();
  loading = absolutePath(path);
  loadCommand_ = sim.postNow([whole = loading](Simulation& simulation) { simulation.open(whole); });
}

void App::reload() {
  if (hasScene()) openScene(state->path);
}

void App::saveSceneAs(const std::string& path) {
  saving_.push_back({path, sim.postToKeep([path, look = settings.look, from = camera.camera](Simulation& simulation) {
                       simulation.saveScene(path, look, from);
                     })});
}

void App::askForScene() {
  const std::string folder = settings.sceneFolder.empty() ? scenesFolder() : settings.sceneFolder;
  fileDialog.ask(FileDialog::Purpose::open, "Open scene", folder, "", ".json",
                 [this](const std::string& path) { openScene(path); });
}

void App::askWhereToSave() {
  if (!hasScene()) return fail("There is no scene to save; open one first");
  const std::filesystem::path path(state->path);
  fileDialog.ask(FileDialog::Purpose::save, "Save scene with the parameters as they are", path.parent_path().string(),
                 std::string(stemOf(state->path)) + "-changed.json", ".json", [this](const std::string& to) { saveSceneAs(to); });
}

void App::play(bool on) {
  if (!hasScene()) return;
  if (on && !state->stepError.empty()) return fail("The last step failed: reset the scene or rewind it first");
  // a step in progress is given up, and done anew when it goes on: pausing does not wait for its end
  const auto command = [on](Simulation& simulation) { simulation.playing = on; };
  askedToPlay_ = {on, on ? sim.post(command) : sim.postNow(command)};
}

bool App::playing() const {
  if (!state) return false;
  return state->done < askedToPlay_.command ? askedToPlay_.on : state->playing;
}

void App::singleStep() {
  sim.postStep([](Simulation& simulation) {
    simulation.playing = false;
    if (simulation.canStep()) simulation.step();
  });
}

void App::reset() {
  stopRecording();
  samples.clear();
  sim.postNow([](Simulation& simulation) {
    simulation.playing = false;
    simulation.reset();
  });
}

void App::rewindTo(std::size_t snapshot) {
  sim.postNow([snapshot](Simulation& simulation) {
    simulation.playing = false;
    simulation.rewind(snapshot);
  });
}

void App::setPace(const Pace& pace) {
  settings.pace = pace;
  sim.setPace(pace);
}

// A device that a scene refuses leaves everything as it was, and is told.
void App::chooseDevice(mnsDevice chosen) {
  if (chosen == device()) return;  // not even the step in progress is given up
  stopRecording();
  askedDevice_ = {chosen, sim.postNow([chosen](Simulation& simulation) { simulation.setDevice(chosen); })};
}

mnsDevice App::device() const {
  if (!state) return askedDevice_.device;
  return state->done < askedDevice_.command ? askedDevice_.device : state->deviceChosen;
}

double App::valueOf(const mnsParameter& parameter) const {
  const auto asked = pending_.find(parameter.name);
  return asked != pending_.end() ? asked->second.value : parameter.value;
}

void App::setParameter(const mnsParameter& parameter, double value, int gesture) {
  const std::string name = parameter.name;
  history.add({name, valueOf(parameter), value}, gesture);
  pending_[name] = {value, sim.post([name, value](Simulation& simulation) { simulation.setParameter(name, value); })};
}

void App::undo() {
  const auto change = history.undo();
  if (!change) return;
  pending_[change->name] = {change->before,
                            sim.post([c = *change](Simulation& simulation) { simulation.setParameter(c.name, c.before); })};
  say(text("Undone: %s is %.6g again", change->name.c_str(), change->before));
}

void App::redo() {
  const auto change = history.redo();
  if (!change) return;
  pending_[change->name] = {change->after,
                            sim.post([c = *change](Simulation& simulation) { simulation.setParameter(c.name, c.after); })};
  say(text("Done again: %s is %.6g", change->name.c_str(), change->after));
}

void App::frameAll() {
  if (!hasScene() || viewArea.height <= 0) return;
  glm::vec3 low, high;
  picture::boundsOf(state->frame, *state->facts, low, high, particlesInBuffer());
  render::Camera all = camera.camera;
  all.frame(low, high, viewArea.width / viewArea.height);
  camera.glideTo(all);
}

void App::recallView(int slot) {
  if (!hasScene()) return;
  const auto& view = settings.views[state->path][std::size_t(slot)];
  if (!view) return say(text("No view is stored as %d; Ctrl+%d stores the present one", slot, slot));
  camera.glideTo(*view);
}

void App::storeView(int slot) {
  if (!hasScene()) return;
  settings.views[state->path][std::size_t(slot)] = camera.camera;
  say(text("View stored: %d brings it back", slot));
}

void App::select(const std::string& body) {
  selected = body;
  sim.post([body](Simulation& simulation) { simulation.select(body); });
}

void App::recolour() {
  sim.post([colouring = settings.colouring](Simulation& simulation) { simulation.setColouring(colouring); });
}

void App::screenshot() { screenshotWanted_ = true; }

void App::startRecording() {
  if (!hasScene()) return fail("There is nothing to record; open a scene first");
  const std::string path = freeName(settings.pictureFolder, std::string(stemOf(state->path)), extensionOf(settings.film.format));
  try {
    recorder.begin(path, settings.film);
  } catch (const std::exception& e) { return fail(e.what()); }
  recordedStep_ = 0;
  sim.holdEvery(settings.film.everyNth);
  if (!state->playing) play(true);
}

void App::stopRecording() {
  if (!recorder.recording()) return;
  sim.holdEvery(0);
  const int frames = recorder.frames();
  if (recorder.finish()) {
    say(text("Recorded %d frames: %s", frames, recorder.path().c_str()));
  } else {
    fail(recorder.error());
  }
}

void App::reloadShaders() {
  std::string error;
  if (renderer.reloadShaders(&error)) {
    shaderError.clear();
    say("Shaders read again");
  } else {
    shaderError = error;
    log.say(MNS_LOG_ERROR, error);
  }
  drawn_.forced = true;
}

}  // namespace meniscus::viewer

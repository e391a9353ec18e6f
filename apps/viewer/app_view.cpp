// The view: the mouse in it, and the picture.
#include <epoxy/gl.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "apps/picture/frame_picture.h"
#include "apps/viewer/allocations.h"
#include "apps/viewer/app.h"
#include "apps/viewer/paths.h"
#include "apps/viewer/text.h"

namespace meniscus::viewer {
namespace {

bool same(const render::ColourScale& a, const render::ColourScale& b) {
  return a.map == b.map && a.low == b.low && a.high == b.high && a.label == b.label && a.unit == b.unit;
}

bool same(const render::Look& a, const render::Look& b) {
  return a.fluid == b.fluid && a.environment == b.environment && same(a.fluidScale, b.fluidScale) &&
         same(a.meshScale, b.meshScale) && a.meshes == b.meshes && a.wireframe == b.wireframe && a.edges == b.edges &&
         a.shadows == b.shadows && a.ground == b.ground && a.tank == b.tank && a.sheetOpacity == b.sheetOpacity &&
         a.smoothing == b.smoothing && a.refraction == b.refraction && a.exposure == b.exposure && a.textScale == b.textScale &&
         a.dark == b.dark && a.sliceAxis == b.sliceAxis && a.sliceShare == b.sliceShare && a.smokeDensity == b.smokeDensity;
}

bool same(const render::Camera& a, const render::Camera& b) {
  return a.eye == b.eye && a.target == b.target && a.up == b.up && a.fieldOfView == b.fieldOfView;
}

}  // namespace

// Films and the view then show what `meniscus render` would.
void App::followPath() {
  if (!hasScene() || !state->onPath) alongPath = false;
  render::Camera& now = camera.camera;
  if (alongPath && followed_ && (now.eye != followed_->eye || now.target != followed_->target)) {
    alongPath = false;
    say("The camera no longer goes along the scene's path; the menu View brings it back");
  }
  if (!alongPath) return followed_.reset();
  const glm::vec3 up = now.up;
  now = *state->onPath;
  now.up = up;
  followed_ = now;
}

glm::vec3 App::rayThrough(const glm::vec2& mouse) const {
  return camera.camera.ray((mouse.x - viewArea.x) / viewArea.width, (mouse.y - viewArea.y) / viewArea.height,
                           viewArea.width / viewArea.height);
}

float App::sceneRadius() const { return facts() ? glm::length(facts()->high - facts()->low) / 2 : 1.f; }

int App::selectedIndex() const {
  for (std::size_t k = 0; state && k < state->frame.bodies.size(); ++k)
    if (state->frame.bodies[k].name == selected && !selected.empty()) return int(k);
  return -1;
}

void App::pressInView(const glm::vec2& mouse) {
  const ImGuiIO& io = ImGui::GetIO();
  pressedAt_ = lastMouse_ = mouse;
  if (io.MouseClicked[2] || (io.KeyShift && (io.MouseClicked[0] || io.MouseClicked[1]))) {
    drag_ = Drag::pan;
  } else if (io.MouseClicked[1] || !hasScene() || io.KeyCtrl) {
    drag_ = Drag::orbit;
  } else {
    pressedSight_ = sightThrough(mouse);
    pressQuestion_ = sim.look(pressedSight_);
    pressTime_ = ImGui::GetTime();
    drag_ = Drag::asked;
  }
}

Sight App::sightThrough(const glm::vec2& mouse) const {
  return {camera.camera.eye, rayThrough(mouse), settings.look.fluid != render::FluidLook::hidden, settings.look.meshes};
}

// A body is selected, and pulled as long as the button is down; elsewhere the view turns.
void App::pressAnswered(const Pick& found) {
  const bool down = drag_ == Drag::asked;
  hovered = found;
  if (down) drag_ = Drag::orbit;
  if (!found.hit()) {
    if (!down && !selected.empty()) select("");  // a click on nothing selects nothing
    return;
  }
  if (found.body != selected) select(found.body);
  if (!found.holds() || !down || state->facts->grid) return;  // beside a grid nothing but the fluid pulls
  drag_ = Drag::pull;
  const glm::vec3 forward = glm::normalize(camera.camera.target - camera.camera.eye);
  pullDepth_ = found.distance * glm::dot(pressedSight_.direction, forward);
  const float spacing = state->facts->spacing;
  sim.post([body = found.body, point = found.point, spacing](Simulation& simulation) {
    simulation.grip().take(simulation.scene(), body, point, 5 * spacing, spacing);
  });
}

// The scene answers between two steps. Where a step takes long a drag does not wait for that and turns the view.
void App::awaitAnswer(const glm::vec2& mouse) {
  if (pressQuestion_ == 0) return;
  sim.takeSeen(seen_);
  if (seen_.number >= pressQuestion_) {
    pressQuestion_ = 0;
    pressAnswered(seen_.pick);
  } else if (drag_ == Drag::asked && ImGui::GetTime() > pressTime_ + 0.2 && glm::distance(mouse, pressedAt_) > 4 * window.scale()) {
    pressQuestion_ = 0;
    drag_ = Drag::orbit;
  }
}

// The cursor tells what a press would do.
void App::hover(const glm::vec2& mouse) {
  if (pressQuestion_ != 0) return;
  const Sight sight = sightThrough(mouse);
  if (!(sight == hoverSight_) || state->number != hoverState_) {
    hoverSight_ = sight;
    hoverState_ = state->number;
    sim.look(sight);
  }
  sim.takeSeen(seen_);
  hovered = seen_.pick;
  if (hovered.holds() && !state->facts->grid) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

void App::dragInView(const glm::vec2& mouse, const glm::vec2& by) {
  const float height = viewArea.height;
  if (drag_ == Drag::orbit) camera.orbit(by, height);
  if (drag_ == Drag::pan) camera.pan(by, height);
  if (drag_ == Drag::look) camera.look(by, height);
  if (drag_ != Drag::pull) return;
  pullDepth_ *= std::pow(1.05f, ImGui::GetIO().MouseWheel);
  const glm::vec3 ray = rayThrough(mouse), forward = glm::normalize(camera.camera.target - camera.camera.eye);
  const float along = std::max(0.05f, glm::dot(ray, forward));
  const glm::vec3 to = camera.camera.eye + ray * (pullDepth_ / along);
  const glm::vec3 target = glm::clamp(to, state->facts->low, state->facts->high);
  if (by != glm::vec2(0) || ImGui::GetIO().MouseWheel != 0)
    sim.post([target](Simulation& simulation) { simulation.grip().moveTo(target); });
}

void App::releaseInView() {
  if (drag_ == Drag::pull) {
    if (glm::distance(pressedAt_, lastMouse_) > 20 * window.scale() && !state->playing)
      say("It moves while the scene plays: press Space");
    sim.post([](Simulation& simulation) { simulation.grip().release(simulation.scene()); });
  }
  // a click on nothing selects nothing
  if (drag_ == Drag::orbit && !hovered.hit() && glm::distance(pressedAt_, lastMouse_) < 3 * window.scale() && !selected.empty())
    select("");
  drag_ = Drag::none;
}

void App::viewInput(double seconds) {
  const float w = std::max(16.f, viewArea.width), h = std::max(16.f, viewArea.height);
  ImGui::SetNextWindowPos({viewArea.x, viewArea.y});
  ImGui::SetNextWindowSize({w, h});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("##view", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (target_.texture()) ImGui::Image(reinterpret_cast<ImTextureID>(std::uintptr_t(target_.texture())), {w, h}, {0, 1}, {1, 0});
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("picture", {w, h},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  ImGui::SetItemAllowOverlap();
  mark("view");
  const ImGuiIO& io = ImGui::GetIO();
  const glm::vec2 mouse(io.MousePos.x, io.MousePos.y);
  const bool over = ImGui::IsItemHovered(), clicked = io.MouseClicked[0] || io.MouseClicked[1] || io.MouseClicked[2];
  if (over && clicked && drag_ == Drag::none) pressInView(mouse);
  awaitAnswer(mouse);
  if (drag_ != Drag::none) {
    if (io.MouseDown[1]) flyInView(seconds);
    dragInView(mouse, mouse - lastMouse_);
    lastMouse_ = mouse;
    if (!io.MouseDown[0] && !io.MouseDown[1] && !io.MouseDown[2]) releaseInView();
  } else if (over && io.MouseWheel != 0) {
    camera.wheel(io.MouseWheel);
  }
  if (over && drag_ == Drag::none && hasScene()) {
    hover(mouse);
  } else if (drag_ == Drag::none) {
    hovered = {};
  }
  showOverlays(*this);
  ImGui::End();
}

// What is drawn of the state has been drawn (glFinish, or pixels that were read) before another state is taken.
void App::preparePicture(int selectedBody) {
  if (state->positions) state->positions->await();
  picture::pictureOf(state->frame, *state->facts, selectedBody, picture_);
}

void App::drawPicture() {
  render::Look look = settings.look;
  look.textScale = window.scale();
  if (state->number != drawn_.number) updateRanges();
  picture::setScales(state->frame, settings.colouring, fluidRange_, meshRange_, look);
  const bool stale = drawn_.forced || state->number != drawn_.number || !same(drawn_.camera, camera.camera) ||
                     !same(drawn_.look, look) || drawn_.width != target_.width() || drawn_.height != target_.height() ||
                     drawn_.selected != selected;
  if (!stale) return;
  preparePicture(selectedIndex());
  const auto begin = std::chrono::steady_clock::now();
  const float textScale = look.textScale;
  look.textScale *= share_;
  {
    const Uncounted driver;
    renderer.draw(picture_, look, camera.camera, target_.width(), target_.height(), target_.frameBuffer());
    glFinish();
  }
  look.textScale = textScale;
  pictureSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (settings.automaticResolution) share_ = target_.adapt(pictureSeconds);
  drawn_.number = state->number;
  drawn_.camera = camera.camera;
  drawn_.look = look;
  drawn_.width = target_.width();
  drawn_.height = target_.height();
  drawn_.selected = selected;
  drawn_.forced = false;
}

void App::drawView() {
  if (!hasScene()) return;
  if (!settings.automaticResolution) share_ = settings.resolution;
  target_.resize(int(viewArea.width), int(viewArea.height), share_);
  recordFrame();
  drawPicture();
  if (screenshotWanted_) takeScreenshot();
}

void App::takeScreenshot() {
  if (settings.screenshotWithPanels && window.shown().empty()) {  // the next frame is kept, and taken then
    window.keepShown = true;
    return;
  }
  screenshotWanted_ = false;
  const std::string path = freeName(settings.pictureFolder, std::string(stemOf(state->path)), ".png");
  try {
    if (settings.screenshotWithPanels) {
      image_.width = window.width();
      image_.height = window.height();
      image_.rgb = window.shown();
      if (!window.mouse.active) window.keepShown = false;
    } else {
      render::Look look = drawn_.look;
      renderer.drawImage(picture_, look, camera.camera, int(viewArea.width), int(viewArea.height), image_);
    }
    render::writePng(path, image_);
    say("Screenshot: " + path);
  } catch (const std::exception& e) { fail(e.what()); }
}

// A state that the simulation waits with becomes a frame of the film.
void App::recordFrame() {
  if (!recorder.recording()) return;
  const std::uint64_t nth = std::uint64_t(settings.film.everyNth);
  if (state->frame.steps == recordedStep_ || state->frame.steps == 0 || state->frame.steps % nth != 0) return;
  recordedStep_ = state->frame.steps;
  render::Look look = settings.look;
  look.textScale = picture::textScaleOf(settings.film.height);
  updateRanges();
  picture::setScales(state->frame, settings.colouring, fluidRange_, meshRange_, look);
  preparePicture(-1);
  renderer.drawImage(picture_, look, camera.camera, settings.film.width, settings.film.height, image_);
  const bool good = recorder.add(image_);
  sim.release(state->number);
  if (!good) {
    sim.holdEvery(0);
    fail(recorder.error());
  } else if (settings.film.frames > 0 && recorder.frames() >= settings.film.frames) {
    stopRecording();
    play(false);
  }
}

}  // namespace meniscus::viewer

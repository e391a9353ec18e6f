// Keys. What they do is told by the help panel; keep the two together.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "apps/viewer/app.h"

namespace meniscus::viewer {

void App::keys() {
  const auto presses = window.takeKeys();
  if (fileDialog.open()) return;
  for (const KeyPress& press : presses) {
    // letters belong to a field that is being edited; function keys and what goes with Ctrl do not
    const bool editing = ImGui::GetIO().WantTextInput;
    if (press.ctrl) {
      if (!editing) controlKey(press);
    } else if (!editing || (press.key >= GLFW_KEY_F1 && press.key <= GLFW_KEY_F12)) {
      key(press);
    }
  }
}

void App::key(const KeyPress& press) {
  const bool flying = drag_ == Drag::look || drag_ == Drag::orbit;
  if (press.key >= GLFW_KEY_1 && press.key <= GLFW_KEY_9) return recallView(press.key - GLFW_KEY_0);
  switch (press.key) {
    case GLFW_KEY_SPACE:
      return play(!playing());
    case GLFW_KEY_PERIOD:
    case GLFW_KEY_RIGHT:
      return singleStep();
    case GLFW_KEY_COMMA:
    case GLFW_KEY_LEFT: {
      if (!hasScene()) return;
      const auto& times = state->timeline.times;
      const auto later = std::lower_bound(times.begin(), times.end(), state->frame.time - 1e-9);
      if (later != times.begin()) rewindTo(std::size_t(later - times.begin()) - 1);
      return;
    }
    case GLFW_KEY_R:
      return reset();
    case GLFW_KEY_HOME:
      return frameAll();
    case GLFW_KEY_F:
      if (!flying) frameAll();
      return;
    case GLFW_KEY_V:
      settings.look.fluid = render::FluidLook((int(settings.look.fluid) + 1) % 3);
      return;
    case GLFW_KEY_TAB:
      settings.showLeft = settings.showRight = !(settings.showLeft || settings.showRight);
      return;
    case GLFW_KEY_P:
      settings.showBottom = !settings.showBottom;
      return;
    case GLFW_KEY_ESCAPE:
      if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) {
        ImGui::SetWindowFocus(nullptr);  // which closes menus and lists
      } else if (helpOpen) {
        helpOpen = false;
      } else {
        select("");
      }
      return;
    case GLFW_KEY_F1:
      helpOpen = !helpOpen;
      return;
    case GLFW_KEY_F5:
      return reloadShaders();
    case GLFW_KEY_F9:
      return recorder.recording() ? stopRecording() : startRecording();
    case GLFW_KEY_F12:
      return screenshot();
    default:
      return;
  }
}

void App::controlKey(const KeyPress& press) {
  if (press.key >= GLFW_KEY_1 && press.key <= GLFW_KEY_9) return storeView(press.key - GLFW_KEY_0);
  const auto scaleFont = [&](float factor) { settings.fontScale = std::clamp(settings.fontScale * factor, 0.5f, 3.f); };
  switch (press.key) {
    case GLFW_KEY_O:
      return askForScene();
    case GLFW_KEY_S:
      return askWhereToSave();
    case GLFW_KEY_R:
      return reload();
    case GLFW_KEY_Z:
      return press.shift ? redo() : undo();
    case GLFW_KEY_Y:
      return redo();
    case GLFW_KEY_Q:
      wantQuit = true;
      return;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
      return scaleFont(1.1f);
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
      return scaleFont(1 / 1.1f);
    case GLFW_KEY_0:
    case GLFW_KEY_KP_0:
      settings.fontScale = 1;
      return;
    default:
      return;
  }
}

void App::flyInView(double seconds) {
  const bool* down = ImGui::GetIO().KeysDown;
  FlyKeys keys;
  keys.forward = int(down[GLFW_KEY_W]) - int(down[GLFW_KEY_S]);
  keys.right = int(down[GLFW_KEY_D]) - int(down[GLFW_KEY_A]);
  keys.up = int(down[GLFW_KEY_E]) - int(down[GLFW_KEY_Q]);
  if (keys.any()) drag_ = Drag::look;
  camera.fly(keys, float(seconds), sceneRadius(), ImGui::GetIO().KeyShift);
}

}  // namespace meniscus::viewer

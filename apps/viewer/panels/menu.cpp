// The menu along the top.
#include <imgui.h>

#include "apps/viewer/app.h"
#include "apps/viewer/device_menu.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

bool item(App& app, const char* label, const char* keys = nullptr, bool enabled = true) {
  const bool chosen = ImGui::MenuItem(label, keys, false, enabled);
  app.mark("menu", label);
  return chosen;
}

void toggle(App& app, const char* label, bool& value, const char* keys = nullptr) {
  ImGui::MenuItem(label, keys, &value);
  app.mark("menu", label);
}

void fileMenu(App& app) {
  if (item(app, "Open...", "Ctrl+O")) app.askForScene();
  if (ImGui::BeginMenu("Open recent", !app.settings.recent.empty())) {
    const std::string* chosen = nullptr;
    for (const std::string& path : app.settings.recent)
      if (ImGui::MenuItem(path.c_str())) chosen = &path;
    if (chosen) app.openScene(*chosen);
    ImGui::Separator();
    if (ImGui::MenuItem("Forget these")) app.settings.recent.clear();
    ImGui::EndMenu();
  }
  if (item(app, "Load again", "Ctrl+R", app.hasScene())) app.reload();
  ImGui::Separator();
  if (item(app, "Save scene as...", "Ctrl+S", app.hasScene())) app.askWhereToSave();
  if (item(app, "Screenshot", "F12", app.hasScene())) app.screenshot();
  const bool recording = app.recorder.recording();
  if (item(app, recording ? "Stop recording" : "Record a film", "F9", app.hasScene())) {
    if (recording) {
      app.stopRecording();
    } else {
      app.startRecording();
    }
  }
  ImGui::Separator();
  if (item(app, "Quit", "Ctrl+Q")) app.wantQuit = true;
}

void editMenu(App& app) {
  if (item(app, "Undo", "Ctrl+Z", app.history.canUndo())) app.undo();
  if (item(app, "Redo", "Ctrl+Shift+Z", app.history.canRedo())) app.redo();
}

void viewMenu(App& app) {
  Settings& s = app.settings;
  if (item(app, "Frame all", "F", app.hasScene())) app.frameAll();
  if (app.hasScene() && app.state->onPath) toggle(app, "Along the scene's path", app.alongPath);
  if (ImGui::BeginMenu("Stored views", app.hasScene())) {
    for (int k = 1; k <= 9; ++k) {
      const auto& views = s.views[app.state->path];
      if (ImGui::MenuItem(Line("View %d", k).c_str(), Line("%d", k).c_str(), false, views[std::size_t(k)].has_value()))
        app.recallView(k);
    }
    ImGui::Separator();
    for (int k = 1; k <= 9; ++k)
      if (ImGui::MenuItem(Line("Store as %d", k).c_str(), Line("Ctrl+%d", k).c_str())) app.storeView(k);
    ImGui::EndMenu();
  }
  ImGui::Separator();
  toggle(app, "Scenes", s.showLeft);
  toggle(app, "Tools", s.showRight);
  toggle(app, "Plots and log", s.showBottom, "P");
  ImGui::Separator();
  toggle(app, "Dark", s.dark);
  if (ImGui::MenuItem("Larger text", "Ctrl +")) s.fontScale = s.fontScale < 2.7f ? s.fontScale * 1.1f : 3.f;
  if (ImGui::MenuItem("Smaller text", "Ctrl -")) s.fontScale = s.fontScale > 0.55f ? s.fontScale / 1.1f : 0.5f;
  if (ImGui::MenuItem("Normal text", "Ctrl 0")) s.fontScale = 1;
}

void runMenu(App& app) {
  const bool playing = app.playing();
  if (item(app, playing ? "Pause" : "Play", "Space", app.hasScene())) app.play(!playing);
  if (item(app, "One step", "Right", app.hasScene())) app.singleStep();
  if (item(app, "Reset", "R", app.hasScene())) app.reset();
  ImGui::Separator();
  deviceMenu(app);
  ImGui::Separator();
  ImGui::TextDisabled("Memory for rewinding");
  ImGui::SetNextItemWidth(160 * app.window.scale());
  int& megabytes = app.settings.rewindMegabytes;
  if (ImGui::SliderInt("##rewind", &megabytes, 64, 8192, "%d MB", ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
    app.sim.post([bytes = std::size_t(megabytes) << 20](Simulation& simulation) { simulation.setRewindBound(bytes); });
}

}  // namespace

void showMenu(App& app) {
  if (!ImGui::BeginMainMenuBar()) return;
  const auto menu = [&](const char* name, void (*show)(App&)) {
    const bool open = ImGui::BeginMenu(name);
    app.mark("menu", name);
    if (!open) return;
    show(app);
    ImGui::EndMenu();
  };
  menu("File", fileMenu);
  menu("Edit", editMenu);
  menu("View", viewMenu);
  menu("Simulation", runMenu);
  if (ImGui::BeginMenu("Help")) {
    if (ImGui::MenuItem("Keys and mouse", "F1")) app.helpOpen = true;
    ImGui::Separator();
    ImGui::TextDisabled("Meniscus %s", mnsGetVersionText());
    ImGui::EndMenu();
  }
  if (app.hasScene()) {
    const std::string& name = app.state->facts->name;
    Line title;
    title.append(stemOf(app.state->path));
    if (!name.empty() && name != std::string_view(title)) title.append("  -  %s", name.c_str());
    const float width = ImGui::CalcTextSize(title.c_str()).x;
    const float x = (ImGui::GetIO().DisplaySize.x - width) / 2;
    if (x > ImGui::GetCursorPosX()) {
      ImGui::SetCursorPosX(x);
      ImGui::TextDisabled("%s", title.c_str());
      app.mark("title", title);
    }
  }
  ImGui::EndMainMenuBar();
}

}  // namespace meniscus::viewer

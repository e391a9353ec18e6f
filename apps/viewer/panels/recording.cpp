// Screenshots and films.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "apps/viewer/app.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

void folder(App& app) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  ImGui::TextWrapped("Pictures and films are kept in");
  ImGui::PopStyleColor();
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 5);
  ImGui::InputText("##folder", &app.settings.pictureFolder);
  ImGui::SameLine();
  if (ImGui::Button("Choose", {-FLT_MIN, 0}))
    app.fileDialog.ask(FileDialog::Purpose::folder, "Folder for pictures", app.settings.pictureFolder, "", "",
                       [&app](const std::string& path) { app.settings.pictureFolder = path; });
}

void size(FilmSettings& film) {
  static const std::pair<int, int> sizes[] = {{640, 360}, {1280, 720}, {1920, 1080}, {3840, 2160}};
  if (!ImGui::BeginCombo("Size", Line("%d x %d", film.width, film.height).c_str())) return;
  for (const auto& [w, h] : sizes)
    if (ImGui::Selectable(Line("%d x %d", w, h).c_str(), w == film.width && h == film.height)) {
      film.width = w;
      film.height = h;
    }
  ImGui::EndCombo();
}

void film(App& app) {
  FilmSettings& f = app.settings.film;
  const bool recording = app.recorder.recording();
  ImGui::BeginDisabled(recording);
  ImGui::PushItemWidth(-ImGui::GetFontSize() * 8);
  int format = int(f.format);
  if (ImGui::Combo("Format", &format, "mp4\0webm\0gif\0PNG frames\0")) f.format = FilmSettings::Format(format);
  size(f);
  ImGui::SliderInt("Frames a second", &f.framesPerSecond, 1, 120, "%d", ImGuiSliderFlags_AlwaysClamp);
  ImGui::SliderInt("Every nth step", &f.everyNth, 1, 100, "%d", ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic);
  ImGui::InputInt("Frames, 0: any", &f.frames, 10, 100);
  f.frames = std::max(f.frames, 0);
  ImGui::PopItemWidth();
  ImGui::EndDisabled();
  if (const auto* facts = app.facts()) {
    const double speed = facts->dt * f.everyNth * f.framesPerSecond;
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::TextWrapped("The film runs at %.2g times the true speed.", speed);
    ImGui::PopStyleColor();
  }
  if (app.hasScene() && app.state->onPath) {
    ImGui::Checkbox("Along the scene's path", &app.alongPath);
    app.mark("check", "Along the scene's path");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("The scene file has a path of cameras, which the film then is seen along");
  }
  if (recording) {
    if (ImGui::Button("Stop recording (F9)", {-FLT_MIN, 0})) app.stopRecording();
    app.mark("record");
    if (!app.recorder.recording()) return;
    const int taken = app.recorder.frames();
    const double seconds = double(taken) / f.framesPerSecond;
    if (f.frames > 0)
      ImGui::ProgressBar(float(taken) / float(f.frames), {-FLT_MIN, 0}, Line("%d of %d frames", taken, f.frames).c_str());
    ImGui::TextWrapped("%d frames, %.1f s of film: %s", taken, seconds, app.recorder.path().c_str());
  } else {
    ImGui::BeginDisabled(!app.hasScene());
    if (ImGui::Button("Record (F9)", {-FLT_MIN, 0})) app.startRecording();
    app.mark("record");
    ImGui::EndDisabled();
    if (!app.recorder.error().empty()) {
      ImGui::PushStyleColor(ImGuiCol_Text, toVector(errorColour()));
      ImGui::TextWrapped("%s", app.recorder.error().c_str());
      ImGui::PopStyleColor();
    }
  }
}

}  // namespace

void showRecording(App& app) {
  folder(app);
  ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  if (ImGui::CollapsingHeader("Screenshot")) {
    ImGui::Checkbox("With the panels", &app.settings.screenshotWithPanels);
    ImGui::BeginDisabled(!app.hasScene());
    if (ImGui::Button("Take a screenshot (F12)", {-FLT_MIN, 0})) app.screenshot();
    app.mark("screenshot");
    ImGui::EndDisabled();
  }
  ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  if (ImGui::CollapsingHeader("Film")) film(app);
}

}  // namespace meniscus::viewer

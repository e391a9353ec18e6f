// What is written and drawn over the view: the way in, errors, notices, what is held, that a film is recorded.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "apps/viewer/app.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

// Where a point of the scene is in the window; false where it is behind the eye.
bool toWindow(const App& app, const glm::vec3& point, ImVec2& at) {
  const Rectangle& view = app.viewArea;
  const auto& facts = *app.facts();
  const glm::vec3 middle = (facts.low + facts.high) * .5f;
  const render::Camera& camera = app.camera.camera;
  const glm::vec4 clip = camera.projection(view.width / view.height, middle, glm::length(facts.high - facts.low) / 2) *
                         camera.view() * glm::vec4(point, 1);
  if (clip.w <= 0) return false;
  at = {view.x + (clip.x / clip.w * .5f + .5f) * view.width, view.y + (.5f - clip.y / clip.w * .5f) * view.height};
  return true;
}

void grip(const App& app) {
  if (!app.hasScene() || !app.state->grip.active) return;
  ImVec2 a, b;
  if (!toWindow(app, app.state->grip.from, a) || !toWindow(app, app.state->grip.to, b)) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float s = app.window.scale();
  draw.AddLine(a, b, accentColour(), 2 * s);
  draw.AddCircleFilled(a, 4 * s, accentColour());
  draw.AddCircle(b, 6 * s, accentColour(), 0, 2 * s);
}

void centred(const Rectangle& view, float y, const char* words, ImU32 colour) {
  const float width = ImGui::CalcTextSize(words).x;
  ImGui::GetWindowDrawList()->AddText({view.x + (view.width - width) / 2, y}, colour, words);
}

void welcome(App& app) {
  const Rectangle& view = app.viewArea;
  const float s = app.window.scale(), y = view.y + view.height * .4f;
  centred(view, y, "Choose a scene on the left", ImGui::GetColorU32(ImGuiCol_Text));
  centred(view, y + 24 * s, "or drop a scene file here", dimColour());
  ImGui::SetCursorScreenPos({view.x + view.width / 2 - 70 * s, y + 58 * s});
  if (ImGui::Button("Open a file...", {140 * s, 0})) app.askForScene();
  centred(view, y + 100 * s, "F1: keys and mouse", dimColour());
}

void loading(App& app) {
  const Rectangle& view = app.viewArea;
  const float s = app.window.scale();
  Line words("Loading ");
  words.append(stemOf(app.loading));
  words.append("  (%.1f s)", app.sim.busySeconds());
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  const ImVec2 c{view.x + view.width / 2, view.y + view.height / 2};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled({c.x - size.x / 2 - 44 * s, c.y - 20 * s}, {c.x + size.x / 2 + 16 * s, c.y + 20 * s},
                     ImGui::GetColorU32(ImGuiCol_PopupBg), 6 * s);
  const float turn = float(ImGui::GetTime()) * 5;
  draw.PathArcTo({c.x - size.x / 2 - 22 * s, c.y}, 8 * s, turn, turn + 4.5f, 24);
  draw.PathStroke(accentColour(), 0, 2.5f * s);
  draw.AddText({c.x - size.x / 2, c.y - size.y / 2}, ImGui::GetColorU32(ImGuiCol_Text), words.c_str());
}

// Where errors are shown: the view, or where that is small for its letters all between the menu and the time line.
Rectangle roomForErrors(const App& app) {
  const Rectangle& view = app.viewArea;
  const float s = app.window.scale();
  if (view.width >= 400 * s && view.height >= 240 * s) return view;
  const float top = ImGui::GetFrameHeight();
  return {0, top, ImGui::GetIO().DisplaySize.x, app.transportTop - top};
}

// A box with an error that stays until it is dealt with. Returns where the next one may begin.
float banner(App& app, const char* id, float y, const char* title, const std::string& words, const char* action, bool& acted,
             bool& dismissed) {
  const Rectangle room = roomForErrors(app);
  const float s = app.window.scale(), width = std::min(room.width - 32 * s, 680 * s);
  const float wrap = width - 24 * s, row = ImGui::GetFrameHeightWithSpacing();
  const auto heightOf = [&](const char* text) { return ImGui::CalcTextSize(text, nullptr, false, wrap).y; };
  const float around = heightOf(title) + row + 34 * s;
  const float height = std::min(heightOf(words.c_str()) + around, std::max(room.y + room.height - y - 8 * s, around + 2 * row));
  ImGui::SetNextWindowPos({room.x + (room.width - width) / 2, y});
  ImGui::SetNextWindowSize({width, height});
  ImVec4 ground = ImGui::GetStyleColorVec4(ImGuiCol_PopupBg);
  ground.w = 1;  // what is below is to be read through nothing
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.f, std::round(s)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ground);
  ImGui::PushStyleColor(ImGuiCol_Border, toVector(errorColour()));
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PushTextWrapPos(0);
  ImGui::PushStyleColor(ImGuiCol_Text, toVector(errorColour()));
  ImGui::TextUnformatted(title);
  ImGui::PopStyleColor();
  ImGui::BeginChild("words", {0, -row});
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
  ImGui::PopTextWrapPos();
  acted = ImGui::Button(action);
  app.mark("act", id);
  ImGui::SameLine();
  if (ImGui::Button("Copy")) ImGui::SetClipboardText(words.c_str());
  ImGui::SameLine();
  dismissed = ImGui::Button("Close");
  app.mark("close", id);
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
  return y + height + 8 * s;
}

void errors(App& app) {
  float y = roomForErrors(app).y + 12 * app.window.scale();
  bool acted = false, closed = false;
  if (!app.loadError.empty()) {
    Line title;
    title.append(stemOf(app.loadErrorPath));
    title.append(" could not be opened");
    y = banner(app, "load error", y, title.c_str(), app.loadError, "Try again", acted, closed);
    if (acted) app.openScene(app.loadErrorPath);
    if (closed || acted) app.loadError.clear();
  }
  if (!app.shaderError.empty()) {
    y = banner(app, "shader error", y, "A shader does not compile; the ones before stay in use", app.shaderError, "Read again",
               acted, closed);
    if (acted) app.reloadShaders();
    if (closed) app.shaderError.clear();
  }
  static std::string dismissedStep;
  if (app.hasScene() && !app.state->stepError.empty() && app.state->stepError != dismissedStep) {
    banner(app, "step error", y, "The step failed; the scene is as it was before it", app.state->stepError, "Reset the scene",
           acted, closed);
    if (acted) app.reset();
    if (closed) dismissedStep = app.state->stepError;
  } else if (app.hasScene() && app.state->stepError.empty()) {
    dismissedStep.clear();
  }
}

void notices(App& app) {
  const Rectangle& view = app.viewArea;
  const double now = ImGui::GetTime();
  while (!app.notices.empty() && app.notices.front().until < now) app.notices.pop_front();
  const float s = app.window.scale(), wrap = std::min(view.width * .7f, 560 * s);
  float y = view.y + view.height - 10 * s;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (auto it = app.notices.rbegin(); it != app.notices.rend(); ++it) {
    const ImVec2 size = ImGui::CalcTextSize(it->text.c_str(), nullptr, false, wrap);
    const float x = view.x + 12 * s;
    y -= size.y + 16 * s;
    draw.AddRectFilled({x, y}, {x + size.x + 20 * s, y + size.y + 12 * s}, ImGui::GetColorU32(ImGuiCol_PopupBg, 0.93f), 4 * s);
    draw.AddRectFilled({x, y}, {x + 3 * s, y + size.y + 12 * s}, it->error ? errorColour() : accentColour());
    draw.AddText(nullptr, 0, {x + 10 * s, y + 6 * s}, ImGui::GetColorU32(ImGuiCol_Text), it->text.c_str(), nullptr, wrap);
  }
}

void recording(App& app) {
  if (!app.recorder.recording()) return;
  const float s = app.window.scale();
  const Line words("recording: %d frames", app.recorder.frames());
  const float width = ImGui::CalcTextSize(words.c_str()).x, x = app.viewArea.x + app.viewArea.width - width - 24 * s,
              y = app.viewArea.y + 12 * s;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled({x - 20 * s, y - 4 * s}, {x + width + 10 * s, y + ImGui::GetTextLineHeight() + 4 * s},
                     ImGui::GetColorU32(ImGuiCol_PopupBg, 0.9f), 4 * s);
  draw.AddCircleFilled({x - 9 * s, y + ImGui::GetTextLineHeight() / 2}, 5 * s, errorColour());
  draw.AddText({x, y}, ImGui::GetColorU32(ImGuiCol_Text), words.c_str());
}

}  // namespace

void showOverlays(App& app) {
  if (!app.hasScene() && app.loading.empty()) welcome(app);
  grip(app);
  if (!app.loading.empty() && app.busyForLong()) loading(app);
  recording(app);
  errors(app);
  notices(app);
}

}  // namespace meniscus::viewer

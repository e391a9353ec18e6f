// The scenes that come along and those opened lately, as small pictures.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "apps/viewer/app.h"
#include "apps/viewer/paths.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> scenesIn(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".json") paths.push_back(it->path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool isIn(const std::vector<std::string>& paths, const std::string& path) {
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

// What fits into the width [pixels], with an ellipsis in its middle where that is not all: names differ at their ends.
Line shortened(std::string_view name, float width) {
  const auto widthOf = [](std::string_view words) { return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x; };
  Line words;
  words.append(name);
  for (std::size_t kept = name.size(); kept-- > 3 && widthOf(words) > width;) {
    words = Line();
    words.append(name.substr(0, (kept + 1) / 2));
    words.append("\u2026");
    words.append(name.substr(name.size() - kept / 2));
  }
  return words;
}

// Where there is no picture yet: a ring that turns while it is made, three dots while it waits.
void drawWithoutPicture(const App& app, Thumbnails::Stage stage, const ImVec2& at, const ImVec2& end) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float s = app.window.scale();
  const ImVec2 c{(at.x + end.x) / 2, (at.y + end.y) / 2};
  if (stage == Thumbnails::Stage::failed) {
    const char* words = "no picture";
    const ImVec2 size = ImGui::CalcTextSize(words);
    draw.AddText({c.x - size.x / 2, c.y - size.y / 2}, dimColour(), words);
  } else if (stage == Thumbnails::Stage::waiting) {
    for (int k = -1; k <= 1; ++k) draw.AddCircleFilled({c.x + float(k) * 9 * s, c.y}, 2 * s, dimColour());
  } else {
    const float turn = float(ImGui::GetTime()) * 5;
    draw.PathArcTo(c, 9 * s, turn, turn + 4.5f, 24);
    draw.PathStroke(accentColour(), 0, 2.5f * s);
  }
}

// A picture with the scene's name below it.
void card(App& app, const std::string& path, float width, const char* group) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float height = width * float(Thumbnails::kHeight) / float(Thumbnails::kWidth), line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos(), end{at.x + width, at.y + height};
  ImGui::PushID(group);
  const bool chosen = ImGui::InvisibleButton(path.c_str(), {width, height + line + 4});
  ImGui::PopID();
  app.mark(group, stemOf(path));
  const bool over = ImGui::IsItemHovered(), current = app.hasScene() && app.state->path == path, seen = ImGui::IsItemVisible();
  const float rounding = ImGui::GetStyle().FrameRounding;
  draw.AddRectFilled(at, end, ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
  if (seen) {
    const Thumbnails::Answer picture = app.thumbnails.show(path);
    const auto texture = reinterpret_cast<ImTextureID>(std::uintptr_t(picture.texture));
    if (texture) {
      draw.AddImageRounded(texture, at, end, {0, 0}, {1, 1}, IM_COL32_WHITE, rounding);
    } else {
      drawWithoutPicture(app, picture.stage, at, end);
    }
  }
  if (current || over) draw.AddRect(at, end, current ? accentColour() : dimColour(), rounding, 0, current ? 2.5f : 1.5f);
  const Line name = shortened(stemOf(path), width - 2);
  draw.PushClipRect({at.x, end.y}, {end.x, end.y + line + 4}, true);
  draw.AddText({at.x + 2, end.y + 2}, current ? accentColour() : ImGui::GetColorU32(ImGuiCol_Text), name.c_str());
  draw.PopClipRect();
  if (over) ImGui::SetTooltip("%s", path.c_str());
  if (chosen) app.openScene(path);
}

// Those of the paths that are not among `others`.
void grid(App& app, const std::vector<std::string>& paths, const char* group, const std::vector<std::string>& others = {}) {
  const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
  const int columns = std::max(1, int(room / (105 * app.window.scale())));
  const float width = std::floor((room - gap * float(columns - 1)) / float(columns));
  int shown = 0;
  for (const std::string& path : paths) {
    if (isIn(others, path)) continue;
    if (shown++ % columns != 0) ImGui::SameLine();
    card(app, path, width, group);
  }
}

}  // namespace

void showScenes(App& app) {
  static const std::vector<std::string> shipped = scenesIn(scenesFolder());
  app.thumbnails.beginFrame();
  if (ImGui::Button("Open a file...", {-1, 0})) app.askForScene();
  app.mark("Open a file");
  ImGui::BeginChild("scenes");
  const auto& recent = app.settings.recent;
  const bool any = std::any_of(recent.begin(), recent.end(), [&](const std::string& path) { return !isIn(shipped, path); });
  if (any && ImGui::CollapsingHeader("Recent", ImGuiTreeNodeFlags_DefaultOpen)) grid(app, recent, "recent", shipped);
  if (ImGui::CollapsingHeader("Example scenes", ImGuiTreeNodeFlags_DefaultOpen)) {
    if (shipped.empty()) ImGui::TextWrapped("The example scenes were not found. Open a scene file, or drop one on the window.");
    grid(app, shipped, "scene");
  }
  ImGui::EndChild();
}

}  // namespace meniscus::viewer

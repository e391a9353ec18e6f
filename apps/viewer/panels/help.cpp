// What keys and the mouse do.
#include <imgui.h>

#include <algorithm>

#include "apps/viewer/app.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

struct Line {
  const char* keys;
  const char* what;  // null: keys is a heading
};

constexpr Line kLines[] = {
    {"Run", nullptr},
    {"Space", "play, pause"},
    {"Right  or  .", "one step"},
    {"Left  or  ,", "back to the snapshot before"},
    {"R", "reset to the start; parameters stay"},
    {"Ctrl+R", "load the scene file again"},
    {"Mouse in the view", nullptr},
    {"Left drag on a body", "pull it; the wheel moves it nearer or farther"},
    {"Left drag on fluid", "pull the fluid around the mouse"},
    {"Left drag elsewhere, right drag", "turn the view"},
    {"Ctrl+left drag", "turn the view, also on a body"},
    {"Middle drag, Shift+drag", "move the view"},
    {"Wheel", "nearer, farther"},
    {"Right button + W A S D Q E", "fly; Shift: faster"},
    {"View", nullptr},
    {"F  or  Home", "all of it in the view"},
    {"1 ... 9", "a stored view"},
    {"Ctrl+1 ... 9", "store the view, for this scene"},
    {"V", "spheres, surface, no fluid"},
    {"Tab", "panels away, panels back"},
    {"P", "plots and log"},
    {"Ctrl +  Ctrl -  Ctrl 0", "larger, smaller, normal text"},
    {"Esc", "closes a menu, a list or this help; else selects nothing"},
    {"Files", nullptr},
    {"Ctrl+O", "open a scene; or drop a file on the window"},
    {"Ctrl+S", "save the scene with the sliders as they are"},
    {"Ctrl+Z,  Ctrl+Shift+Z", "undo, redo a slider"},
    {"F12", "screenshot"},
    {"F9", "record a film, stop"},
    {"F5", "read the shaders again"},
    {"Ctrl+Q", "quit"},
    {"Sliders", nullptr},
    {"Double click", "back to the first value"},
    {"Ctrl+click", "type a value"},
};

}  // namespace

void showHelp(App& app) {
  if (!app.helpOpen) return;
  const float s = app.window.scale();
  const ImVec2 room = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({room.x / 2, room.y / 2}, ImGuiCond_Appearing, {.5f, .5f});
  ImGui::SetNextWindowSize({std::min(520 * s, room.x * 0.96f), room.y * 0.84f}, ImGuiCond_Appearing);
  if (ImGui::Begin("Keys and mouse", &app.helpOpen, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings) &&
      ImGui::BeginTable("keys", 2)) {
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthStretch, 0.42f);
    ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 0.58f);
    for (const Line& line : kLines) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      if (!line.what) {
        ImGui::Spacing();
        ImGui::TextColored(toVector(accentColour()), "%s", line.keys);
        continue;
      }
      ImGui::TextUnformatted(line.keys);
      ImGui::TableNextColumn();
      ImGui::TextWrapped("%s", line.what);
    }
    ImGui::EndTable();
  }
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::End();
  Mark& mark = app.mark("help");
  mark.where = {at.x, at.y, size.x, size.y};
  mark.clipped = at.x < 0 || at.y < 0 || at.x + size.x > room.x || at.y + size.y > room.y;
}

}  // namespace meniscus::viewer

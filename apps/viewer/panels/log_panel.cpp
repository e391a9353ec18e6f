// What was said.
#include <imgui.h>
#include <imgui_stdlib.h>

#include "apps/viewer/app.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {

void showLog(App& app) {
  static std::deque<LogLine> lines;
  static std::size_t seen = 0;
  const std::size_t before = seen;
  app.log.copySince(seen, lines);
  if (ImGui::Button("Copy")) {
    std::string all;
    for (const LogLine& line : lines) all += line.time + "  " + line.text + "\n";
    ImGui::SetClipboardText(all.c_str());
  }
  ImGui::SameLine();
  if (ImGui::Button("Clear")) lines.clear();
  ImGui::BeginChild("lines", {0, 0}, true);
  for (const LogLine& line : lines) {
    const ImVec4 colour = line.level == MNS_LOG_ERROR     ? toVector(errorColour())
                          : line.level == MNS_LOG_WARNING ? toVector(warningColour())
                                                          : ImGui::GetStyleColorVec4(ImGuiCol_Text);
    ImGui::TextDisabled("%s", line.time.c_str());
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextWrapped("%s", line.text.c_str());
    ImGui::PopStyleColor();
  }
  if (seen != before) ImGui::SetScrollHereY(1);
  ImGui::EndChild();
}

}  // namespace meniscus::viewer

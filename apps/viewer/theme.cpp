#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

bool isDark = true;

ImVec4 grey(float v, float alpha = 1) { return {v, v * 1.01f, v * 1.03f, alpha}; }

void setColours(ImVec4* c, bool dark) {
  // a step away from the background of a panel, towards the text
  const auto step = [&](float s) { return dark ? grey(0.115f + s) : grey(0.945f - s); };
  const ImVec4 accent = dark ? ImVec4(0.24f, 0.56f, 0.86f, 1) : ImVec4(0.10f, 0.42f, 0.74f, 1);
  const auto faded = [&](float alpha) { return ImVec4(accent.x, accent.y, accent.z, alpha); };
  c[ImGuiCol_Text] = dark ? grey(0.90f) : grey(0.12f);
  c[ImGuiCol_TextDisabled] = dark ? grey(0.55f) : grey(0.45f);
  c[ImGuiCol_WindowBg] = c[ImGuiCol_MenuBarBg] = step(0);
  c[ImGuiCol_ChildBg] = {0, 0, 0, 0};
  c[ImGuiCol_PopupBg] = dark ? grey(0.14f, 0.99f) : grey(0.985f, 0.99f);
  c[ImGuiCol_Border] = step(dark ? 0.10f : 0.14f);
  c[ImGuiCol_FrameBg] = step(0.075f);
  c[ImGuiCol_FrameBgHovered] = step(0.12f);
  c[ImGuiCol_FrameBgActive] = step(0.15f);
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = step(0.03f);
  c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  c[ImGuiCol_ScrollbarGrab] = step(0.14f);
  c[ImGuiCol_ScrollbarGrabHovered] = step(0.22f);
  c[ImGuiCol_ScrollbarGrabActive] = step(0.30f);
  c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = accent;
  c[ImGuiCol_Button] = step(0.10f);
  c[ImGuiCol_ButtonHovered] = step(0.16f);
  c[ImGuiCol_ButtonActive] = faded(0.8f);
  c[ImGuiCol_Header] = step(0.06f);
  c[ImGuiCol_HeaderHovered] = faded(0.35f);
  c[ImGuiCol_HeaderActive] = faded(0.5f);
  c[ImGuiCol_Separator] = step(0.08f);
  c[ImGuiCol_SeparatorHovered] = faded(0.6f);
  c[ImGuiCol_SeparatorActive] = accent;
  c[ImGuiCol_Tab] = c[ImGuiCol_TabUnfocused] = step(0.02f);
  c[ImGuiCol_TabHovered] = faded(0.5f);
  c[ImGuiCol_TabActive] = c[ImGuiCol_TabUnfocusedActive] = step(0.12f);
  c[ImGuiCol_TextSelectedBg] = faded(0.4f);
  c[ImGuiCol_PlotLines] = accent;
  c[ImGuiCol_TableHeaderBg] = step(0.05f);
  c[ImGuiCol_TableBorderLight] = c[ImGuiCol_TableBorderStrong] = step(0.08f);
  c[ImGuiCol_ModalWindowDimBg] = {0, 0, 0, 0.45f};
}

}  // namespace

void applyTheme(bool dark, float scale) {
  isDark = dark;
  ImGuiStyle style;
  if (dark) {
    ImGui::StyleColorsDark(&style);
  } else {
    ImGui::StyleColorsLight(&style);
  }
  style.WindowRounding = 0;
  style.ChildRounding = 4;
  style.FrameRounding = style.GrabRounding = style.PopupRounding = 4;
  style.TabRounding = 4;
  style.WindowBorderSize = 0;
  style.WindowPadding = {8, 8};
  style.FramePadding = {7, 4};
  style.ItemSpacing = {7, 5};
  style.ItemInnerSpacing = {5, 4};
  style.ScrollbarSize = 11;
  style.GrabMinSize = 9;
  style.IndentSpacing = 14;
  style.ScaleAllSizes(scale);
  setColours(style.Colors, dark);
  ImGui::GetStyle() = style;
}

void besideIfRoom(const char* label, bool box) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float text = ImGui::CalcTextSize(label).x;
  const float width = box ? text + ImGui::GetFrameHeight() + style.ItemInnerSpacing.x : text + 2 * style.FramePadding.x;
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (ImGui::GetItemRectMax().x + style.ItemSpacing.x + width <= right) ImGui::SameLine();
}

ImU32 accentColour() { return isDark ? IM_COL32(92, 168, 236, 255) : IM_COL32(20, 100, 185, 255); }
ImU32 warningColour() { return isDark ? IM_COL32(240, 190, 80, 255) : IM_COL32(160, 100, 0, 255); }
ImU32 errorColour() { return isDark ? IM_COL32(245, 110, 100, 255) : IM_COL32(190, 35, 30, 255); }
ImU32 dimColour() { return ImGui::GetColorU32(ImGuiCol_TextDisabled); }
ImVec4 toVector(ImU32 colour) { return ImGui::ColorConvertU32ToFloat4(colour); }

}  // namespace meniscus::viewer

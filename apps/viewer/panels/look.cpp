// How the scene is drawn.
#include <imgui.h>

#include <algorithm>

#include "apps/viewer/app.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

// A row of buttons of which one is on. True where another was chosen.
template <class Enum>
bool choice(App& app, const char* group, Enum& value, std::initializer_list<const char*> names) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, room = ImGui::GetContentRegionAvail().x;
  const float width = (room - gap * float(names.size() - 1)) / float(names.size());
  bool any = false;
  int k = 0;
  ImGui::PushID(group);
  for (const char* name : names) {
    if (k > 0) ImGui::SameLine(0, gap);
    const bool on = int(value) == k;
    if (on) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    if (ImGui::Button(name, {width, 0}) && !on) {
      value = Enum(k);
      any = true;
    }
    app.mark("look", name);
    if (on) ImGui::PopStyleColor();
    ++k;
  }
  ImGui::PopID();
  return any;
}

template <class Enum>
bool combo(App& app, const char* label, Enum& value, int count, const char* (*nameOf)(Enum)) {
  bool any = false;
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 5);
  if (ImGui::BeginCombo(label, nameOf(value))) {
    for (int k = 0; k < count; ++k) {
      if (ImGui::Selectable(nameOf(Enum(k)), int(value) == k)) {
        any = int(value) != k;
        value = Enum(k);
      }
      app.mark("choose", nameOf(Enum(k)));
    }
    ImGui::EndCombo();
  } else {
    app.mark("combo", label);
  }
  return any;
}

const char* fluidName(picture::FluidQuantity q) { return picture::nameOf(q).label; }
const char* meshName(picture::MeshQuantity q) { return picture::nameOf(q).label; }
const char* mapName(render::ColourMap map) {
  static const char* const names[] = {"Viridis", "Cool to warm", "Turbo", "Grey"};
  return names[int(map)];
}

void colours(App& app) {
  picture::Colouring& c = app.settings.colouring;
  ImGui::PushID("colours");  // headings of the same names are other items
  bool other = combo(app, "Fluid", c.fluid, picture::kFluidQuantities, fluidName);
  other |= combo(app, "Bodies", c.mesh, picture::kMeshQuantities, meshName);
  ImGui::PopID();
  if (other) app.recolour();
  if (c.fluid == picture::FluidQuantity::none && c.mesh == picture::MeshQuantity::none) return;
  combo(app, "Map", c.map, 4, mapName);
  if (c.fluid == picture::FluidQuantity::none) return;  // the range is the fluid's; bodies have their own
  ImGui::Checkbox("Range follows the values", &c.automatic);
  if (c.automatic && app.hasScene()) {
    c.low = app.state->frame.fluidRange.low;
    c.high = app.state->frame.fluidRange.high;
  }
  ImGui::BeginDisabled(c.automatic);
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 5);
  ImGui::DragFloatRange2("Range", &c.low, &c.high, std::max(1e-5f, 0.005f * (c.high - c.low)), 0, 0, "%.4g", "%.4g");
  app.mark("range");
  ImGui::EndDisabled();
}

void quality(App& app) {
  Settings& s = app.settings;
  ImGui::Checkbox("Coarser where drawing is slow", &s.automaticResolution);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Draws at down to half the resolution when a picture takes more than 50 ms");
  ImGui::BeginDisabled(s.automaticResolution);
  float percent = s.resolution * 100;
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 7);
  if (ImGui::SliderFloat("Resolution", &percent, 25, 100, "%.0f %%", ImGuiSliderFlags_AlwaysClamp)) s.resolution = percent / 100;
  ImGui::EndDisabled();
}

}  // namespace

void showLook(App& app) {
  render::Look& look = app.settings.look;
  const float label = ImGui::GetFontSize() * 7;
  const auto slider = [&](const char* name, float& value, float low, float high) {
    ImGui::SetNextItemWidth(-label);
    ImGui::SliderFloat(name, &value, low, high, "%.2f", ImGuiSliderFlags_AlwaysClamp);
  };
  const auto check = [&](const char* name, bool& value) {
    ImGui::Checkbox(name, &value);
    app.mark("check", name);
  };
  ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  if (ImGui::CollapsingHeader("Fluid")) {
    choice(app, "fluid", look.fluid, {"Spheres", "Surface", "Hidden"});
    if (look.fluid == render::FluidLook::surface) {
      slider("Smoothing", look.smoothing, 0, 3);
      slider("Refraction", look.refraction, 1, 2);
    }
  }
  ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  if (ImGui::CollapsingHeader("Colour by")) colours(app);
  ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  if (ImGui::CollapsingHeader("Bodies")) {
    check("Show bodies", look.meshes);
    check("Wireframe", look.wireframe);
    check("Edges", look.edges);
    slider("Sheet opacity", look.sheetOpacity, 0, 1);
  }
  ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  if (ImGui::CollapsingHeader("Surroundings")) {
    choice(app, "environment", look.environment, {"Studio", "Sky"});
    check("Dark studio", look.dark);
    check("Tank", look.tank);
    check("Ground", look.ground);
    check("Shadows", look.shadows);
    slider("Exposure", look.exposure, 0.2f, 3);
  }
  ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  if (ImGui::CollapsingHeader("Window")) {
    check("Dark", app.settings.dark);
    quality(app);
  }
  if (ImGui::Button("Looks as at first")) {
    look = {};
    app.settings.colouring = {};
    app.recolour();
  }
}

}  // namespace meniscus::viewer

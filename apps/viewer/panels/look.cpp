// How the scene is drawn.
#include <imgui.h>

#include <algorithm>

#include "apps/viewer/app.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

bool isGrid(const App& app) { return app.facts() && app.facts()->grid; }

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
bool combo(App& app, const char* label, Enum& value, int count, const char* (*nameOf)(Enum), bool (*offered)(Enum) = nullptr) {
  bool any = false;
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 5);
  if (ImGui::BeginCombo(label, nameOf(value))) {
    for (int k = 0; k < count; ++k) {
      if (offered && !offered(Enum(k))) continue;
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

bool fluidOffered(picture::FluidQuantity q) { return q != picture::FluidQuantity::smoke && q != picture::FluidQuantity::levelSet; }
bool ofSmoke(picture::FluidQuantity q) { return picture::isOfGrids(q) && q != picture::FluidQuantity::levelSet; }
bool ofWater(picture::FluidQuantity q) { return picture::isOfGrids(q) && q != picture::FluidQuantity::smoke; }

void colours(App& app) {
  picture::Colouring& c = app.settings.colouring;
  ImGui::PushID("colours");  // headings of the same names are other items
  bool other = false, fluid = true;
  if (isGrid(app) && !app.state->frame.grid.plane && app.settings.look.sliceAxis < 0) {
    ImGui::TextDisabled("Fluid: a slice shows its colours");
    app.mark("hint", "slice");
    fluid = false;
  } else if (isGrid(app)) {  // which always has colours
    const bool water = app.state->frame.grid.water;
    picture::FluidQuantity q = picture::gridQuantity(c.fluid, water);
    other = combo(app, "Fluid", q, picture::kFluidQuantities, fluidName, water ? ofWater : ofSmoke);
    if (other) c.fluid = q;
  } else {
    other = combo(app, "Fluid", c.fluid, picture::kFluidQuantities, fluidName, fluidOffered);
    fluid = c.fluid != picture::FluidQuantity::none;
  }
  other |= combo(app, "Bodies", c.mesh, picture::kMeshQuantities, meshName);
  ImGui::PopID();
  if (other) app.recolour();
  if (!fluid && c.mesh == picture::MeshQuantity::none) return;
  combo(app, "Map", c.map, 4, mapName);
  if (!fluid) return;  // the range is the fluid's; bodies have their own
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

// A plane of the grid in colours; one in two dimensions is all there is.
void slice(App& app) {
  render::Look& look = app.settings.look;
  int shown = look.sliceAxis + 1;
  if (choice(app, "slice", shown, {"Off", "X", "Y", "Z"})) look.sliceAxis = shown - 1;
  if (look.sliceAxis < 0) return;
  const float low = app.facts()->low[look.sliceAxis], high = app.facts()->high[look.sliceAxis];
  float at = low + look.sliceShare * (high - low);
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 7);
  if (ImGui::SliderFloat("Position", &at, low, high, "%.3g m", ImGuiSliderFlags_AlwaysClamp))
    look.sliceShare = (at - low) / (high - low);
  app.mark("slice position");
}

// What there is of a fluid on a grid.
void smoke(App& app) {
  if (app.state->frame.grid.plane) return;
  render::Look& look = app.settings.look;
  ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  if (ImGui::CollapsingHeader(app.state->frame.grid.water ? "Water" : "Smoke")) {
    bool shown = look.fluid != render::FluidLook::hidden;
    if (ImGui::Checkbox("Show it", &shown)) look.fluid = shown ? render::FluidLook::surface : render::FluidLook::hidden;
    app.mark("check", "Show it");
    ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 7);
    const bool water = app.state->frame.grid.water;
    ImGui::SliderFloat(water ? "Absorption" : "Density", &look.smokeDensity, 0.1f, 10, "%.2f",
                       ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic);
    if (water) {
      ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 7);
      ImGui::SliderFloat("Refraction", &look.refraction, 1, 2, "%.2f", ImGuiSliderFlags_AlwaysClamp);
    }
  }
  ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  if (ImGui::CollapsingHeader("Slice")) slice(app);
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
  if (isGrid(app)) {
    smoke(app);
  } else if (ImGui::SetNextItemOpen(true, ImGuiCond_Once); ImGui::CollapsingHeader("Fluid")) {
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
    if (!isGrid(app)) check("Edges", look.edges);
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

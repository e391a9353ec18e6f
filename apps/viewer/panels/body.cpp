// The bodies of the scene, and what is known of the one selected.
#include <imgui.h>

#include <cmath>

#include "apps/viewer/app.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

const char* kindName(mnsBodyKind kind) {
  static const char* const names[] = {"static", "kinematic", "rigid", "cloth", "inflatable", "soft"};
  return kind >= 0 && kind < 6 ? names[kind] : "?";
}

void row(const char* name, const Line& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", name);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

Line vectorText(const glm::dvec3& v, const char* unit) { return Line("%.3g, %.3g, %.3g %s", v.x, v.y, v.z, unit); }

void facts(const BodyInfo& b) {
  if (!ImGui::BeginTable("facts", 2)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.38f);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.62f);
  row("Kind", Line("%s", kindName(b.kind)));
  row("Mass", std::isfinite(b.mass) ? Line("%.4g kg", b.mass) : Line("moves as told"));
  row("Position", vectorText(b.position, "m"));
  row("Velocity", vectorText(b.velocity, "m/s"));
  row("Speed", Line("%.4g m/s", glm::length(b.velocity)));
  row("Angular velocity", vectorText(b.angularVelocity, "rad/s"));
  if (b.hasForce) row("Fluid force", vectorText(b.fluidForce, "N"));
  if (b.hasVolume) row("Volume", b.volume < 1e-3 ? Line("%.4g cm\u00b3", b.volume * 1e6) : Line("%.4g m\u00b3", b.volume));
  if (b.hasPressure) row("Pressure", Line("%.4g Pa", b.pressure));
  row("Surface", Line("%zu nodes, %zu triangles", b.nodes, b.triangles));
  ImGui::EndTable();
}

}  // namespace

void showBody(App& app) {
  if (!app.hasScene()) return ImGui::TextWrapped("Click a body in the view to see what is known of it.");
  const auto& bodies = app.state->frame.bodies;
  if (bodies.empty()) return ImGui::TextWrapped("This scene has no bodies. Drag the fluid itself with the mouse.");
  const std::size_t rows = std::min<std::size_t>(bodies.size(), 8);
  const float height = float(rows) * ImGui::GetTextLineHeightWithSpacing() + 2 * ImGui::GetStyle().WindowPadding.y;
  ImGui::BeginChild("list", {0, height}, true);
  for (const auto& body : bodies) {
    if (ImGui::Selectable(body.name.c_str(), body.name == app.selected)) app.select(body.name == app.selected ? "" : body.name);
    app.mark("body", body.name);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(kindName(body.kind)).x);
    ImGui::TextDisabled("%s", kindName(body.kind));
  }
  ImGui::EndChild();
  if (app.selected.empty() || app.state->selected.name != app.selected)
    return ImGui::TextWrapped("Click a body here or in the view. Drag it to pull it; the wheel moves it nearer or farther.");
  facts(app.state->selected);
}

}  // namespace meniscus::viewer

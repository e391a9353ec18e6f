// A slider for every live parameter, grouped by the parts of its name.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include "apps/viewer/app.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

// "solids.ball.friction" is "friction" of the group "solids: ball". Parts of the whole name.
struct Labels {
  std::string_view kind, owner, name;  // owner: empty where the kind is the group
  bool sameGroup(const Labels& o) const { return kind == o.kind && owner == o.owner; }
};

Labels labelsOf(std::string_view name) {
  const std::size_t first = name.find('.');
  if (first == std::string_view::npos) return {"scene", {}, name};
  const std::string_view kind = name.substr(0, first);
  const bool owned = kind == "solids" || kind == "fluids" || kind == "emitters" || kind == "drains";
  const std::size_t second = owned ? name.find('.', first + 1) : std::string_view::npos;
  if (second == std::string_view::npos) return {kind, {}, name.substr(first + 1)};
  return {kind, name.substr(first + 1, second - first - 1), name.substr(second + 1)};
}

Line groupName(const Labels& labels) {
  Line name;
  name.append(labels.kind);
  if (labels.owner.empty()) return name;
  name.append(": ");
  name.append(labels.owner);
  return name;
}

// As it is written beside the slider: with spaces.
Line nameOf(const Labels& labels) {
  Line name;
  for (const char c : labels.name) name.append({c == '_' || c == '.' ? " " : &c, 1});
  return name;
}

bool contains(std::string_view whole, std::string_view part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(whole.begin(), whole.end(), part.begin(), part.end(), same) != whole.end();
}

bool changed(const App& app, const mnsParameter& p) { return app.valueOf(p) != p.initial; }

// For the number and its unit, whose signs of per cent are doubled and whose powers are written as such: m/s\u00b2.
Line formatOf(const mnsParameter& p) {
  Line format(p.integer ? "%%.0f" : "%%.4g");
  const std::string_view unit = p.unit;
  if (unit.empty() || unit == "1") return format;
  format.append(" ");
  for (std::size_t k = 0; k < unit.size(); ++k) {
    const std::string_view letter = unit.substr(k, 1), power = unit.substr(k, 2);
    const bool raised = power == "^2" || power == "^3";
    format.append(power == "^2" ? "\u00b2" : power == "^3" ? "\u00b3" : letter == "%" ? "%%" : letter);
    k += raised;
  }
  return format;
}

void tooltip(const mnsParameter& p) {
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 26);
  ImGui::TextUnformatted(p.name);
  if (*p.help) ImGui::TextUnformatted(p.help);
  constexpr double kAny = 1e15;  // beyond it a bound is none that anybody meets
  if (p.min <= -kAny && p.max >= kAny) {
    ImGui::TextDisabled("%.6g at first; any number", p.initial);
  } else if (p.max >= kAny) {
    ImGui::TextDisabled("%.6g at first; from %.4g on", p.initial, p.min);
  } else {
    ImGui::TextDisabled("%.6g at first; from %.4g to %.4g", p.initial, p.min, p.max);
  }
  ImGui::TextDisabled("Double click: back to the first value. Ctrl+click: type a value.");
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void slider(App& app, const mnsParameter& p, const Labels& labels) {
  static int gesture = 0;
  ImGui::PushID(p.name);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const bool differs = changed(app, p);
  ImGui::TextColored(differs ? toVector(accentColour()) : ImGui::GetStyleColorVec4(ImGuiCol_Text), "%s", nameOf(labels).c_str());
  if (ImGui::IsItemHovered()) tooltip(p);
  ImGui::TableNextColumn();
  const float button = ImGui::GetFrameHeight();
  ImGui::SetNextItemWidth(differs ? -(button + ImGui::GetStyle().ItemInnerSpacing.x) : -FLT_MIN);
  double value = app.valueOf(p);
  const double low = std::min(p.low, value), high = std::max(p.high, value);
  const Line format = formatOf(p);
  const bool edited = ImGui::SliderScalar("##value", ImGuiDataType_Double, &value, &low, &high, format.c_str(),
                                          p.logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
  app.mark("slider", p.name);
  if (ImGui::IsItemActivated()) ++gesture;
  const bool twice = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) tooltip(p);
  if (p.integer) value = std::round(value);
  value = std::clamp(value, p.min, p.max);
  if (twice) {
    app.setParameter(p, p.initial, ++gesture);
    ImGui::SetWindowFocus(nullptr);
  } else if (edited && value != app.valueOf(p)) {
    app.setParameter(p, value, gesture);
  }
  if (differs) {
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    if (ImGui::Button("x", {button, 0})) app.setParameter(p, p.initial, ++gesture);
    app.mark("reset", p.name);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Back to %.6g", p.initial);
  }
  ImGui::PopID();
}

void group(App& app, const std::vector<mnsParameter>& all, std::size_t begin, std::size_t end, const std::string& search,
           bool changedOnly) {
  const Labels labels = labelsOf(all[begin].name);
  const Line name = groupName(labels);
  const auto shown = [&](const mnsParameter& p) {
    const bool found = search.empty() || contains(p.name, search) || contains(p.help, search);
    return found && (!changedOnly || changed(app, p));
  };
  int differing = 0;
  bool any = false;
  for (std::size_t k = begin; k < end; ++k) {
    differing += changed(app, all[k]);
    any = any || shown(all[k]);
  }
  if (!any) return;
  Line title = name;
  if (differing) title.append("  (%d changed)", differing);
  title.append("###%s", name.c_str());
  // the solver's numbers are for those who look for them
  const bool open = labels.kind != "solver" && labels.kind != "domain";
  if (!search.empty() || changedOnly) ImGui::SetNextItemOpen(true);
  if (!ImGui::CollapsingHeader(title.c_str(), open ? ImGuiTreeNodeFlags_DefaultOpen : 0)) {
    app.mark("group", name);
    return;
  }
  app.mark("group", name);
  if (!ImGui::BeginTable("values", 2)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.42f);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.58f);
  for (std::size_t k = begin; k < end; ++k)
    if (shown(all[k])) slider(app, all[k], labelsOf(all[k].name));
  ImGui::EndTable();
}

}  // namespace

void showParameters(App& app) {
  static std::string search;
  static bool changedOnly = false;
  if (!app.hasScene()) return ImGui::TextWrapped("A scene's parameters come here as sliders.");
  const std::vector<mnsParameter>& all = app.state->parameters;
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::InputTextWithHint("##search", "Search parameters", &search);
  app.mark("search");
  ImGui::Checkbox("Changed only", &changedOnly);
  app.mark("changed only");
  besideIfRoom("Reset all");
  const bool any = std::any_of(all.begin(), all.end(), [&](const mnsParameter& p) { return changed(app, p); });
  ImGui::BeginDisabled(!any);
  if (ImGui::Button("Reset all"))
    for (const mnsParameter& p : all)
      if (changed(app, p)) app.setParameter(p, p.initial, -1);
  ImGui::EndDisabled();
  app.mark("reset all");
  besideIfRoom("Save as...");
  if (ImGui::Button("Save as...")) app.askWhereToSave();
  app.mark("save as");
  ImGui::BeginChild("groups");
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    const Labels labels = labelsOf(all[begin].name);
    while (end < all.size() && labelsOf(all[end].name).sameGroup(labels)) ++end;
    ImGui::PushID(int(begin));
    group(app, all, begin, end, search, changedOnly);
    ImGui::PopID();
    begin = end;
  }
  ImGui::EndChild();
}

}  // namespace meniscus::viewer

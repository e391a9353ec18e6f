// Play, pause, step, rewind, how fast, and where the run is.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "apps/viewer/app.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

enum class Icon { reset, play, pause, step, record, stop };

// Drawn rather than written: fonts do not all have these.
void drawIcon(ImDrawList& draw, Icon icon, const ImVec2& c, float r, ImU32 colour) {
  const auto triangle = [&](float x, float way) {
    draw.AddTriangleFilled({x - way * r * .8f, c.y - r}, {x - way * r * .8f, c.y + r}, {x + way * r * .9f, c.y}, colour);
  };
  const auto bar = [&](float x, float half) { draw.AddRectFilled({x - half, c.y - r}, {x + half, c.y + r}, colour); };
  if (icon == Icon::play) triangle(c.x, 1);
  if (icon == Icon::pause) {
    bar(c.x - r * .5f, r * .27f);
    bar(c.x + r * .5f, r * .27f);
  }
  if (icon == Icon::step) {
    bar(c.x - r * .75f, r * .22f);
    triangle(c.x + r * .2f, 1);
  }
  if (icon == Icon::reset) {
    bar(c.x - r * .9f, r * .2f);
    triangle(c.x + r * .15f, -1);
  }
  if (icon == Icon::record) draw.AddCircleFilled(c, r, colour, 24);
  if (icon == Icon::stop) draw.AddRectFilled({c.x - r * .9f, c.y - r * .9f}, {c.x + r * .9f, c.y + r * .9f}, colour);
}

bool iconButton(App& app, const char* name, Icon icon, bool enabled, const char* tip, ImU32 colour = 0) {
  const float size = ImGui::GetFrameHeight() * 1.25f;
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(Line("##%s", name).c_str(), {size * 1.15f, size});
  ImGui::EndDisabled();
  app.mark(name);
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  const ImU32 ink =
      enabled ? (colour ? colour : ImGui::GetColorU32(ImGuiCol_Text)) : ImGui::GetColorU32(ImGuiCol_TextDisabled, 0.5f);
  drawIcon(*ImGui::GetWindowDrawList(), icon, {(a.x + b.x) / 2, (a.y + b.y) / 2}, size * 0.24f, ink);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", tip);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  return pressed;
}

// The whole run so far; a snapshot can be gone back to anywhere along it.
void scrubBar(App& app, float room) {
  const float width = std::max(room, 20.f);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight() * 1.25f, middle = at.y + height / 2, half = height * 0.17f;
  ImGui::InvisibleButton("##scrub", {width, height});
  app.mark("scrub");
  const ImVec2 a{at.x, middle - half}, b{at.x + width, middle + half};
  draw.AddRectFilled(a, b, ImGui::GetColorU32(ImGuiCol_FrameBg), half);
  if (!app.hasScene() || app.state->timeline.times.empty()) return;
  const Timeline& line = app.state->timeline;
  const double now = app.state->frame.time, end = std::max({line.times.back(), now, 1e-9});
  const auto toX = [&](double t) { return at.x + width * float(std::clamp(t / end, 0., 1.)); };
  draw.AddRectFilled(a, {toX(now), b.y}, accentColour(), half);
  if (width / float(line.times.size()) > 5)
    for (double t : line.times) draw.AddLine({toX(t), b.y + 1}, {toX(t), b.y + half * 1.2f}, dimColour());
  draw.AddCircleFilled({toX(now), middle}, height * 0.27f, ImGui::GetColorU32(ImGuiCol_Text), 20);
  if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
  const double t = double(std::clamp((ImGui::GetIO().MousePos.x - at.x) / width, 0.f, 1.f)) * end;
  std::size_t nearest = 0;
  for (std::size_t k = 0; k < line.times.size(); ++k)
    if (std::abs(line.times[k] - t) < std::abs(line.times[nearest] - t)) nearest = k;
  ImGui::SetTooltip("Back to %.3f s\n%zu snapshots, %.0f of %.0f MB", line.times[nearest], line.times.size(),
                    double(line.bytes) / 1048576, double(line.bound) / 1048576);
  static std::size_t asked = 0;
  if (ImGui::IsItemActivated()) asked = line.times.size();
  if (ImGui::IsItemActive() && nearest != asked && std::abs(line.times[nearest] - now) > 1e-12) {
    asked = nearest;
    app.rewindTo(nearest);
  }
}

void paceChoice(App& app, float width) {
  struct Named {
    const char* name;
    Pace pace;
  };
  static const Named paces[] = {{"0.05 x real time", {true, .05}}, {"0.1 x real time", {true, .1}},
                                {"0.25 x real time", {true, .25}}, {"0.5 x real time", {true, .5}},
                                {"Real time", {true, 1}},          {"2 x real time", {true, 2}},
                                {"4 x real time", {true, 4}},      {"As fast as it can", {false, 1}}};
  const Pace& now = app.settings.pace;
  const Line factorName("%.3g x real time", now.factor);
  const char* const name = !now.realTime ? "As fast as it can" : now.factor == 1 ? "Real time" : factorName.c_str();
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##pace", name, ImGuiComboFlags_HeightLarge)) {
    app.mark("pace");
    return;
  }
  for (const Named& p : paces) {
    if (ImGui::Selectable(p.name, std::string_view(name) == p.name)) app.setPace(p.pace);
    app.mark("pace", p.name);
  }
  float factor = float(now.factor);
  ImGui::SetNextItemWidth(width);
  if (ImGui::SliderFloat("##factor", &factor, 0.01f, 10, "factor %.2f", ImGuiSliderFlags_Logarithmic))
    app.setPace({true, double(factor)});
  ImGui::EndCombo();
}

void warning(App& app) {
  const State& s = *app.state;
  Line words;
  if (const double busy = app.sim.busySeconds(); busy > 1) {
    words.append("this step has taken %.1f s so far", busy);
  } else if (!s.status.empty()) {
    words.append(s.status);
  } else if (s.statistics.leaked > 0) {
    words.append("%lld particles have leaked", static_cast<long long>(s.statistics.leaked));
  }
  if (words.empty()) return;
  ImGui::TextColored(toVector(warningColour()), "%s", words.c_str());
  ImGui::SameLine(0, 16 * app.window.scale());
}

void statusLine(App& app, bool withTime) {
  if (!app.hasScene()) return ImGui::TextDisabled("Open a scene, or drop a scene file on the window.  F1: keys and mouse");
  const State& s = *app.state;
  const mnsStatistics& n = s.statistics;
  const glm::ivec3& cells = s.frame.grid.cells;
  Line words;
  if (withTime) words.append("%.3f s   ", s.frame.time);
  words.append("step %llu", static_cast<unsigned long long>(s.frame.steps));
  if (s.facts->grid) {
    words.append("   %d x %d x %d cells", cells.x, cells.y, cells.z);
  } else {
    words.append("   %lld particles", static_cast<long long>(n.particles));
  }
  words.append("   %.1f ms a step", n.milliseconds);
  if (s.playing) words.append("   %.2g x real time", s.speed);
  words.append("   picture %.0f ms   %.0f pictures/s", app.pictureSeconds * 1e3, double(ImGui::GetIO().Framerate));
  warning(app);  // before the figures: those may end beyond a narrow window
  ImGui::TextDisabled("%s", words.c_str());
}

}  // namespace

void showTransport(App& app) {
  const bool scene = app.hasScene(), playing = scene && app.playing(), good = scene && app.state->stepError.empty();
  if (iconButton(app, "reset", Icon::reset, scene, "Reset to the start (R); parameters stay as they are")) app.reset();
  if (iconButton(app, "play", playing ? Icon::pause : Icon::play, good, playing ? "Pause (Space)" : "Play (Space)"))
    app.play(!playing);
  if (iconButton(app, "step", Icon::step, good, "One step (Right); Left goes back to the snapshot before")) app.singleStep();
  const bool recording = app.recorder.recording();
  if (iconButton(app, "film", recording ? Icon::stop : Icon::record, scene,
                 recording ? "Stop recording (F9)" : "Record a film (F9)", errorColour())) {
    if (recording) {
      app.stopRecording();
    } else {
      app.startRecording();
    }
  }
  ImGui::SameLine(0, 12 * app.window.scale());
  const float letter = ImGui::GetFontSize(), clock = ImGui::CalcTextSize("00.000 s ").x, gap = 2 * ImGui::GetStyle().ItemSpacing.x,
              room = ImGui::GetContentRegionAvail().x;
  // where the window is narrow for its letters the time has its place in the line below
  const bool narrow = room < 11 * letter + clock + 2 * gap + 5 * letter;
  const float combo = narrow ? std::min(11 * letter, room / 2) : 11 * letter;
  scrubBar(app, room - combo - gap - (narrow ? 0 : clock + gap));
  ImGui::SameLine(0, gap);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetFrameHeight() * 0.125f);
  if (!narrow) {
    ImGui::AlignTextToFramePadding();
    const float x = ImGui::GetCursorPosX();
    ImGui::Text("%.3f s", scene ? app.state->frame.time : 0.);
    ImGui::SameLine();
    ImGui::SetCursorPosX(x + clock + gap);
  }
  paceChoice(app, -FLT_MIN);
  statusLine(app, narrow);
}

}  // namespace meniscus::viewer

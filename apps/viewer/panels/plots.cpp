// What the steps came to, over time.
#include <imgui.h>

#include <algorithm>
#include <array>

#include "apps/viewer/app.h"
#include "apps/viewer/panels/plot_widget.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"
#include "engine/base/error.h"
#include "engine/base/file.h"

namespace meniscus::viewer {
namespace {

double stageOf(const Sample& sample, std::string_view name) {
  for (const StageTime& stage : sample.stages)
    if (name == stage.name) return stage.milliseconds;
  return 0;
}

// The whole step and the stages that took longest of the last one.
struct StageCurves {
  std::array<Curve, 5> curves{};
  std::size_t count = 1;
};

StageCurves stageCurves(const Samples& samples) {
  StageCurves longest;
  longest.curves[0] = {"step", [](const Samples& s, std::size_t k, const char*) { return s[k].milliseconds; }};
  if (samples.empty()) return longest;
  auto stages = samples.back().stages;
  const auto longer = [](const StageTime& a, const StageTime& b) { return a.milliseconds > b.milliseconds; };
  std::partial_sort(stages.begin(), stages.begin() + 4, stages.end(), longer);
  for (; longest.count < 5 && *stages[longest.count - 1].name; ++longest.count)
    longest.curves[longest.count] = {stages[longest.count - 1].name,
                                     [](const Samples& s, std::size_t k, const char* name) { return stageOf(s[k], name); }};
  return longest;
}

std::string csvOf(const Samples& samples) {
  std::string csv =
      "time [s],step [ms],sub-steps,pressure iterations,coupling iterations,density error mean,density error max,volume change,"
      "greatest speed [m/s],leaked,particles,kinetic energy [J],potential energy [J],solid solves,coupling residual [m],coupling "
      "tolerance [m],"
      "enclosed pressure [Pa]";
  if (!samples.empty())
    for (const StageTime& stage : samples.back().stages)
      if (*stage.name) csv += text(",%s [ms]", stage.name);
  csv += '\n';
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const Sample& s = samples[k];
    csv += text("%.9g,%.6g,%d,%d,%d,%.6g,%.6g,%.6g,%.6g,%lld,%lld,%.9g,%.9g,%d,%.6g,%.6g,%.9g", s.time, s.milliseconds, s.substeps,
                s.pressureIterations, s.couplingIterations, s.densityErrorMean, s.densityErrorMax, s.volumeChange, s.maxSpeed,
                static_cast<long long>(s.leaked), static_cast<long long>(s.particles), s.kineticEnergy, s.potentialEnergy,
                s.solidSolves, s.couplingResidual, s.couplingTolerance, s.enclosedPressure);
    for (const StageTime& stage : samples.back().stages)
      if (*stage.name) csv += text(",%.6g", stageOf(s, stage.name));
    csv += '\n';
  }
  return csv;
}

void saveCsv(App& app) {
  const std::string name = std::string(app.hasScene() ? stemOf(app.state->path) : "plots") + ".csv";
  app.fileDialog.ask(FileDialog::Purpose::save, "Save the figures", app.settings.pictureFolder, name, ".csv",
                     [&app](const std::string& path) {
                       try {
                         writeWholeFile(path, csvOf(app.samples));
                         app.say("Saved " + path);
                       } catch (const Error& e) { app.fail(e.what()); }
                     });
}

void buttons(App& app) {
  ImGui::Checkbox("Pause", &app.plotsPaused);
  besideIfRoom("Copy as CSV");
  if (ImGui::Button("Copy as CSV")) {
    ImGui::SetClipboardText(csvOf(app.samples).c_str());
    app.say(text("%zu steps copied to the clipboard", app.samples.size()));
  }
  app.mark("copy csv");
  besideIfRoom("Save as CSV...");
  if (ImGui::Button("Save as CSV...")) saveCsv(app);
  app.mark("save csv");
  besideIfRoom("Clear");
  if (ImGui::Button("Clear")) app.samples.clear();
  app.mark("clear plots");
  besideIfRoom("00000 steps");
  ImGui::TextDisabled(app.samples.size() == 1 ? "%zu step" : "%zu steps", app.samples.size());
}

using At = std::size_t;

constexpr Curve kIterations[] = {{"pressure", [](const Samples& s, At k, const char*) { return double(s[k].pressureIterations); }},
                                 {"coupling", [](const Samples& s, At k, const char*) { return double(s[k].couplingIterations); }},
                                 {"sub-steps", [](const Samples& s, At k, const char*) { return double(s[k].substeps); }}};
constexpr Curve kDensity[] = {{"mean", [](const Samples& s, At k, const char*) { return 100 * s[k].densityErrorMean; }},
                              {"max", [](const Samples& s, At k, const char*) { return 100 * s[k].densityErrorMax; }}};
constexpr Curve kVolume[] = {{"volume", [](const Samples& s, At k, const char*) { return 100 * s[k].volumeChange; }}};
constexpr Curve kEnergy[] = {
    {"kinetic", [](const Samples& s, At k, const char*) { return s[k].kineticEnergy; }},
    {"lost height", [](const Samples& s, At k, const char*) { return s.firstHeight() - s[k].potentialEnergy; }}};
constexpr Curve kLeaked[] = {{"leaked", [](const Samples& s, At k, const char*) { return double(s[k].leaked); }}};
// Of scenes on a grid.
constexpr Curve kSolves[] = {{"fluid", [](const Samples& s, At k, const char*) { return double(s[k].couplingIterations); }},
                             {"solids", [](const Samples& s, At k, const char*) { return double(s[k].solidSolves); }}};
constexpr Curve kPressure[] = {{"pressure", [](const Samples& s, At k, const char*) { return double(s[k].pressureIterations); }}};
constexpr Curve kResidual[] = {{"residual", [](const Samples& s, At k, const char*) { return 1e3 * s[k].couplingResidual; }},
                               {"tolerance", [](const Samples& s, At k, const char*) { return 1e3 * s[k].couplingTolerance; }}};
constexpr Curve kEnclosed[] = {{"p0", [](const Samples& s, At k, const char*) { return s[k].enclosedPressure; }}};
constexpr Curve kKinetic[] = {{"kinetic", [](const Samples& s, At k, const char*) { return s[k].kineticEnergy; }}};
constexpr PlotDef kGridPlots[] = {{"Coupling solves", "", kSolves, std::size(kSolves)},
                                  {"Coupling residual", "mm", kResidual, std::size(kResidual)},
                                  {"Enclosed pressure", "Pa", kEnclosed, std::size(kEnclosed)},
                                  {"Pressure iterations", "", kPressure, std::size(kPressure)},
                                  {"Kinetic energy", "J", kKinetic, std::size(kKinetic)}};

constexpr PlotDef kPlots[] = {{"Iterations", "", kIterations, std::size(kIterations)},
                              {"Density error", "%", kDensity, std::size(kDensity)},
                              {"Volume change", "%", kVolume, std::size(kVolume)},
                              {"Fluid's energy", "J", kEnergy, std::size(kEnergy)},
                              {"Leaked particles", "", kLeaked, std::size(kLeaked)}};

}  // namespace

void showPlots(App& app) {
  buttons(app);
  const Samples& s = app.samples;
  ImGui::BeginChild("plots");
  const float gap = ImGui::GetStyle().ItemSpacing.x, least = 210 * app.window.scale();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const int columns = std::clamp(int(room.x / least), 1, 3), rows = (6 + columns - 1) / columns;
  const ImVec2 size{(room.x - gap * float(columns - 1) - 2) / float(columns),
                    std::max(80 * app.window.scale(), (room.y - ImGui::GetStyle().ItemSpacing.y * float(rows - 1)) / float(rows))};
  int shown = 0;
  const auto show = [&](const PlotDef& def) {
    if (shown++ % columns != 0) ImGui::SameLine();
    plot(def, s, size);
    app.mark("plot", def.title);
  };
  const StageCurves stages = stageCurves(s);
  show({"Time", "ms", stages.curves.data(), stages.count});
  static_assert(std::size(kPlots) == std::size(kGridPlots), "the rows above are of as many");
  for (const PlotDef& def : app.facts() && app.facts()->grid ? kGridPlots : kPlots) show(def);
  ImGui::EndChild();
}

}  // namespace meniscus::viewer

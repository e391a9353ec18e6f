// What the steps came to, over time.
#include <imgui.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "apps/viewer/app.h"
#include "apps/viewer/panels/plot_widget.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

using Samples = std::deque<Sample>;

double stageOf(const Sample& sample, const std::string& name) {
  for (const StageTime& stage : sample.stages)
    if (name == stage.name) return stage.milliseconds;
  return 0;
}

// The names of the stages that take longest, of the last step.
std::vector<std::string> longestStages(const Samples& samples, std::size_t most) {
  if (samples.empty()) return {};
  std::vector<StageTime> stages = samples.back().stages;
  std::stable_sort(stages.begin(), stages.end(),
                   [](const StageTime& a, const StageTime& b) { return a.milliseconds > b.milliseconds; });
  std::vector<std::string> names;
  for (std::size_t k = 0; k < stages.size() && k < most; ++k) names.push_back(stages[k].name);
  return names;
}

std::string csvOf(const Samples& samples) {
  std::string csv =
      "time [s],step [ms],sub-steps,pressure iterations,coupling iterations,density error mean,density error max,volume change,"
      "greatest speed [m/s],leaked,particles,kinetic energy [J],potential energy [J]";
  if (!samples.empty())
    for (const StageTime& stage : samples.back().stages) csv += text(",%s [ms]", stage.name);
  csv += '\n';
  for (const Sample& s : samples) {
    csv += text("%.9g,%.6g,%d,%d,%d,%.6g,%.6g,%.6g,%.6g,%lld,%lld,%.9g,%.9g", s.time, s.milliseconds, s.substeps,
                s.pressureIterations, s.couplingIterations, s.densityErrorMean, s.densityErrorMax, s.volumeChange, s.maxSpeed,
                static_cast<long long>(s.leaked), static_cast<long long>(s.particles), s.kineticEnergy, s.potentialEnergy);
    for (const StageTime& stage : samples.back().stages) csv += text(",%.6g", stageOf(s, stage.name));
    csv += '\n';
  }
  return csv;
}

void saveCsv(App& app) {
  const std::string name = app.hasScene() ? stemOf(app.state->path) + ".csv" : "plots.csv";
  app.fileDialog.ask(FileDialog::Purpose::save, "Save the figures", app.settings.pictureFolder, name, ".csv",
                     [&app](const std::string& path) {
                       std::ofstream out(path);
                       out << csvOf(app.samples) << std::flush;
                       if (out) {
                         app.say("Saved " + path);
                       } else {
                         app.fail(path + " cannot be written; is the folder there, and may you write to it?");
                       }
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
  ImGui::TextDisabled("%zu steps", app.samples.size());
}

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
  const auto show = [&](const char* title, const char* unit, std::vector<Curve> curves) {
    if (shown++ % columns != 0) ImGui::SameLine();
    plot({title, unit, std::move(curves), s.size(), [&](std::size_t k) { return s[k].time; }}, size);
  };
  std::vector<Curve> stages = {{"step", [&](std::size_t k) { return s[k].milliseconds; }}};
  for (const std::string& name : longestStages(s, 4))
    stages.push_back({name, [&s, name](std::size_t k) { return stageOf(s[k], name); }});
  show("Time", "ms", std::move(stages));
  show("Iterations", "",
       {{"pressure", [&](std::size_t k) { return double(s[k].pressureIterations); }},
        {"coupling", [&](std::size_t k) { return double(s[k].couplingIterations); }},
        {"sub-steps", [&](std::size_t k) { return double(s[k].substeps); }}});
  show("Density error", "%",
       {{"mean", [&](std::size_t k) { return 100 * s[k].densityErrorMean; }},
        {"max", [&](std::size_t k) { return 100 * s[k].densityErrorMax; }}});
  show("Volume change", "%", {{"volume", [&](std::size_t k) { return 100 * s[k].volumeChange; }}});
  show("Fluid's energy", "J",
       {{"kinetic", [&](std::size_t k) { return s[k].kineticEnergy; }},
        {"lost height", [&](std::size_t k) { return s[0].potentialEnergy - s[k].potentialEnergy; }}});
  show("Leaked particles", "", {{"leaked", [&](std::size_t k) { return double(s[k].leaked); }}});
  ImGui::EndChild();
}

}  // namespace meniscus::viewer

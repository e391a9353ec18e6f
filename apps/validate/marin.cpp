// A dam breaks on a box: heights of the water at four probes and pressures on the box, beside the experiment.
//
// Kleefsman et al., A volume-of-fluid based simulation method for wave impact problems, J. Comput. Phys. 206, 2005 (SPHERIC test
// 2). The gauges' medians over 10 ms before and after were read from the published series.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

struct Sample {
  double t, p1, p3, h1, h2, h3, h4;  // s, Pa, Pa, m
};
const Sample kExperiment[] = {{0.45, 8126, 6108, 0, 0.077, 0.100, 0.443},    {0.5, 6563, 5211, 0, 0.099, 0.095, 0.427},
                              {0.6, 4819, 4171, 0, 0.119, 0.115, 0.395},     {0.8, 3655, 3666, 0.002, 0.147, 0.136, 0.332},
                              {1.0, 2866, 3126, 0.150, 0.179, 0.155, 0.279}, {1.2, 3048, 2720, 0.195, 0.195, 0.157, 0.233},
                              {1.4, 2701, 2070, 0.314, 0.201, 0.150, 0.197}, {1.6, 2797, 2109, 0.395, 0.256, 0.139, 0.170},
                              {2.0, 3094, 2229, 0.289, 0.286, 0.142, 0.130}, {2.4, 2649, 1961, 0.320, 0.308, 0.246, 0.108},
                              {3.0, 1830, 1123, 0.229, 0.203, 0.238, 0.202}, {4.0, 1257, 561, 0.162, 0.136, 0.174, 0.332},
                              {5.0, 2362, 1629, 0.171, 0.252, 0.205, 0.233}, {6.0, 1976, 1365, 0.308, 0.214, 0.185, 0.186}};
constexpr double kProbe[4] = {0.496, 0.992, 1.488, 2.638};  // m from the wall opposite the water; in the middle of the width
constexpr double kFace = 0.8245, kSide = 0.295 + 0.176;     // the box's face to the water; the gauges' line across the tank
constexpr double kMean = 0.02;                              // s: figures are means over as much

std::string sceneText(double dx, double seconds, double dt) {
  return fmt::format(
      R"({{"meniscus": 1, "name": "dam break on a box", "duration": {}, "domain": {{"min": [0, 0, 0], "max": [3.22, 1, 1]}},
"solver": {{"dt": {}}},
"fluids": [{{"name": "water", "spacing": {:.17g}, "shapes": [{{"box": {{"min": [1.992, 0, 0], "max": [3.22, 1, 0.55]}}}}]}}],
"solids": [{{"name": "box", "kind": "static", "shape": {{"box": {{"size": [0.161, 0.403, 0.161]}}}}, "position": [0.744, 0.4965, 0.0805]}}]}})",
      seconds, dt, dx);
}

// The water's height where at least half of a column's cells of one spacing hold a particle, from below.
double heightAt(const std::vector<Vec3d>& x, double probe, double dx) {
  std::vector<char> wet(std::size_t(1 / dx) + 1, 0);
  for (const Vec3d& p : x)
    if (std::fabs(p.x - probe) < dx && std::fabs(p.y - 0.5) < 1.5 * dx) wet[std::size_t(std::max(0.0, p.z) / dx)] = 1;
  double height = 0;
  for (std::size_t k = 0; k < wet.size() && (wet[k] || (k + 1 < wet.size() && wet[k + 1])); ++k)
    if (wet[k]) height = double(k + 1) * dx;
  return height;
}

// On the box's face to the water.
double pressureAt(const Trial& trial, double z, double dx) { return trial.pressuresAt({{kFace + 0.6 * dx, kSide, z}})[0]; }

Plot plotOf(const char* name, const char* y, const Curve& ours, double Sample::*member) {
  Curve experiment{"experiment", {}, true};
  for (const Sample& s : kExperiment) experiment.points.push_back({s.t, s.*member});
  return {name, "time [s]", y, {experiment, ours}};
}

// Mean of a curve over kMean around t.
double meanAt(const Curve& c, double t) {
  double sum = 0, count = 0;
  for (const auto& [x, y] : c.points)
    if (std::fabs(x - t) <= kMean / 2) {
      sum += y;
      count += 1;
    }
  return sum / count;
}

}  // namespace

// Heights within 0.05 m, a tenth of the dam's, which is how far published calculations lie from the experiment and each other;
// pressures within a quarter, as far as repeated impacts do.
Findings marinDamBreak(const Effort& effort) {
  const double dx = 0.55 / effort.pick(10, 30), dt = effort.pick(0.004, 0.002), seconds = effort.pick(1.02, 6.02);
  const std::string text = sceneText(dx, seconds, dt);
  effort.keepScene("marin", text);
  Trial trial(text, effort.threads);
  Curve h[4] = {{"Meniscus", {}}, {"Meniscus", {}}, {"Meniscus", {}}, {"Meniscus", {}}}, p1{"Meniscus", {}}, p3{"Meniscus", {}};
  while (trial.time() < seconds - dt / 2) {
    trial.step(dt);
    const std::vector<Vec3d> x = trial.positions();
    for (int k = 0; k < 4; ++k) h[k].points.push_back({trial.time(), heightAt(x, kProbe[k], dx)});
    p1.points.push_back({trial.time(), pressureAt(trial, 0.021, dx)});
    p3.points.push_back({trial.time(), pressureAt(trial, 0.101, dx)});
    effort.progress(trial.time() / seconds);
  }
  Findings found;
  for (const Sample& s : kExperiment) {
    if (s.t > seconds) break;
    found.figures.push_back({fmt::format("height at H2, {} s", s.t), "m", s.h2, meanAt(h[1], s.t), 0.05, Error::absolute});
    found.figures.push_back({fmt::format("height at H4, {} s", s.t), "m", s.h4, meanAt(h[3], s.t), 0.05, Error::absolute});
    if (s.t >= 0.5) found.figures.push_back({fmt::format("pressure at P1, {} s", s.t), "Pa", s.p1, meanAt(p1, s.t), 0.25});
  }
  found.plots = {
      plotOf("marin-h1", "height at H1 [m]", h[0], &Sample::h1),  plotOf("marin-h2", "height at H2 [m]", h[1], &Sample::h2),
      plotOf("marin-h3", "height at H3 [m]", h[2], &Sample::h3),  plotOf("marin-h4", "height at H4 [m]", h[3], &Sample::h4),
      plotOf("marin-p1", "pressure at P1 [Pa]", p1, &Sample::p1), plotOf("marin-p3", "pressure at P3 [Pa]", p3, &Sample::p3)};
  return found;
}

}  // namespace meniscus::validate

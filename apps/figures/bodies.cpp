// Figures 8, 13 and 17: bodies by their stiffness and density.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/call.h"
#include "apps/figures/figures.h"
#include "apps/validate/trial.h"

namespace meniscus::figures {
namespace {

using validate::Trial;

// Runs for the time and lets measure(trial) give the curve's value after every step; returns the largest.
template <class Measure>
double follow(const Effort& effort, const std::string& text, double dt, double seconds, double from, double to, Curve& curve,
              const Measure& measure) {
  effort.keepScene(curve.name, text);
  Trial trial(text, effort.threads);
  double most = -1e300;
  while (trial.time() < seconds - 0.5 * dt) {
    trial.step(dt);
    effort.progress(from + (to - from) * trial.time() / seconds);
    const double value = measure(trial);
    curve.points.emplace_back(trial.time(), value);
    most = std::max(most, value);
  }
  return most;
}

}  // namespace

// Width of the balloon, from side to side, over its diameter: the softer skin spreads further.
Drawn balloonStiffness(const Effort& effort) {
  const double dx = effort.pick(0.012, 0.005), seconds = effort.pick(0.1, 0.3), radius = 0.087;
  Drawn drawn;
  Plot plot{"figure-08", "time [s]", "width over diameter at rest", {}};
  for (const double k : {0.9, 0.75}) {
    const std::string text = fmt::format(
        R"({{"meniscus": 1, "name": "balloon", "domain": {{"min": [-0.3, -0.3, 0], "max": [0.3, 0.3, 0.4], "friction": 0.3}},
"solver": {{"dt": 0.001, "constraint_iterations": 25}},
"fluids": [{{"name": "water", "spacing": {0}, "velocity": [0, 0, -1], "shapes": [{{"inside": "balloon"}}]}}],
"solids": [{{"name": "balloon", "kind": "inflatable", "shape": {{"sphere": {{"radius": {1}, "resolution": {2}}}}}, "position": [0, 0, 0.1],
  "velocity": [0, 0, -1], "material": {{"areal_density": 1, "stretch": {{"stiffness": {3}}}, "friction": 0.3}}}}]}})",
        dx, radius, 1.2 * dx, k);
    Curve c{fmt::format("stiffness {}", k), {}};
    const double from = k == 0.9 ? 0 : 0.5;
    const double most = follow(effort, text, 0.001, seconds, from, from + 0.5, c, [&](const Trial& trial) {
      double lo = 1, hi = -1;
      for (const Vec3d& x : trial.nodes(trial.body("balloon"))) {
        lo = std::min(lo, x.x);
        hi = std::max(hi, x.x);
      }
      return (hi - lo) / (2 * radius);
    });
    drawn.sentences.push_back(fmt::format("stiffness {}: the balloon becomes {:.3f} diameters wide", k, most));
    plot.curves.push_back(std::move(c));
  }
  drawn.plots.push_back(std::move(plot));
  return drawn;
}

// How far the sheet gives way under the jet.
Drawn sheetStiffness(const Effort& effort) {
  const double dx = effort.pick(0.012, 0.005), seconds = effort.pick(0.1, 0.3), dt = effort.pick(0.002, 0.001);
  Drawn drawn;
  Plot plot{"figure-13", "time [s]", "depth of the sheet [m]", {}};
  for (const double k : {0.9, 0.6}) {
    const std::string text = fmt::format(
        R"({{"meniscus": 1, "name": "sheet", "domain": {{"min": [-0.15, -0.15, 0], "max": [0.15, 0.15, 0.45]}},
"solver": {{"dt": {0}, "constraint_iterations": 8}},
"fluids": [{{"name": "water", "spacing": {1}, "velocity": [0, 0, -3], "shapes": [{{"cylinder": {{"radius": 0.06, "height": 0.2}}, "position": [0, 0, 0.32]}}]}}],
"solids": [{{"name": "sheet", "kind": "cloth", "shape": {{"sheet": {{"size": [0.28, 0.28], "resolution": {2}}}}}, "position": [0, 0, 0.2],
  "material": {{"areal_density": 1, "stretch": {{"stiffness": {3}}}, "bend": {{"compliance": 1e5}}}}, "pins": [{{"rim": true}}]}}]}})",
        dt, dx, 1.3 * dx, k);
    Curve c{fmt::format("stiffness {}", k), {}};
    const double from = k == 0.9 ? 0 : 0.5;
    const double most = follow(effort, text, dt, seconds, from, from + 0.5, c, [&](const Trial& trial) {
      double lowest = 1;
      for (const Vec3d& x : trial.nodes(trial.body("sheet"))) lowest = std::min(lowest, x.z);
      return 0.2 - lowest;
    });
    drawn.sentences.push_back(fmt::format("stiffness {}: the sheet gives way by {:.4f} m", k, most));
    plot.curves.push_back(std::move(c));
  }
  drawn.plots.push_back(std::move(plot));
  return drawn;
}

// Heights of the middles of three spheres that are let go in the water, of the densities -, 0, + the same.
Drawn buoyancy(const Effort& effort) {
  const double dx = effort.pick(0.03, 0.015), seconds = effort.pick(0.8, 1.5), dt = 0.002;
  const std::string text = fmt::format(
      R"({{"meniscus": 1, "name": "three spheres", "domain": {{"min": [0, 0, 0], "max": [0.8, 0.3, 0.7]}}, "solver": {{"dt": {}}},
"fluids": [{{"name": "water", "spacing": {}, "carve": true, "shapes": [{{"box": {{"min": [0, 0, 0], "max": [0.8, 0.3, 0.4]}}}}]}}],
"solids": [
  {{"name": "heavy", "kind": "rigid", "shape": {{"sphere": {{"radius": 0.08}}}}, "position": [0.15, 0.15, 0.2], "material": {{"density": 1500}}}},
  {{"name": "neutral", "kind": "rigid", "shape": {{"sphere": {{"radius": 0.08}}}}, "position": [0.4, 0.15, 0.2], "material": {{"density": 1000}}}},
  {{"name": "light", "kind": "rigid", "shape": {{"sphere": {{"radius": 0.08}}}}, "position": [0.65, 0.15, 0.2], "material": {{"density": 500}}}}]}})",
      dt, dx);
  effort.keepScene("figure-17", text);
  Trial trial(text, effort.threads);
  constexpr const char* kNames[] = {"heavy", "neutral", "light"};
  Curve curves[3] = {{"density 1.5", {}}, {"density 1", {}}, {"density 0.5", {}}};
  while (trial.time() < seconds - 0.5 * dt) {
    trial.step(dt);
    effort.progress(trial.time() / seconds);
    for (int k = 0; k < 3; ++k) {
      mnsVec3 x{};
      mnsQuat q{};
      cli::need(mnsBody_GetTransform(trial.scene(), trial.body(kNames[k]), &x, &q));
      curves[k].points.emplace_back(trial.time(), x.z);
    }
  }
  Drawn drawn;
  for (const Curve& c : curves)
    drawn.sentences.push_back(fmt::format("{}: from 0.2 m to {:.3f} m in {:g} s", c.name, c.points.back().second, seconds));
  drawn.plots.push_back({"figure-17", "time [s]", "height of the middle [m]", {curves[0], curves[1], curves[2]}});
  return drawn;
}

}  // namespace meniscus::figures

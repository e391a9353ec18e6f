// A sphere of a neo-Hookean membrane under gas pressure: how far it stretches.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/call.h"
#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kRadius = 0.1, kYoung = 1e5, kThickness = 1e-3;  // m, Pa, m

// Gauge pressure over mu h / r for the stretch l: 2 (1/l - 1/l^7).
double pressureOf(double l) { return 2 * (1 / l - std::pow(l, -7)); }

// Of the volume at this pressure, when it has come to rest. r: the mesh's own, by its volume.
double stretchAt(const Effort& effort, double pressure, double from, double to) {
  const double seconds = effort.pick(1, 3), dt = 0.001;
  const std::string text = fmt::format(
      R"({{"meniscus": 1, "name": "balloon", "duration": {}, "gravity": [0, 0, 0], "domain": {{"min": [-0.3, -0.3, -0.3], "max": [0.3, 0.3, 0.3]}},
"solver": {{"dt": {}, "solid_substeps": 8}},
"solids": [{{"name": "balloon", "kind": "inflatable", "shape": {{"sphere": {{"radius": 0.1, "resolution": {}}}}}, "pressure": {:.17g},
  "material": {{"areal_density": 1, "youngs_modulus": {}, "thickness": {}, "membrane": "neo-hookean"}}}}]}})",
      seconds, dt, effort.pick(0.02, 0.01), pressure, kYoung, kThickness);
  effort.keepScene(fmt::format("balloon-{:.0f}-Pa", pressure), text);
  Trial trial(text, effort.threads);
  const mnsBodyId body = trial.body("balloon");
  double before = 0, now = 0;
  cli::need(mnsBody_GetVolume(trial.scene(), body, &before));
  double sum = 0, count = 0;
  while (trial.time() < seconds - dt / 2) {
    // slowly: what comes at once carries the skin past the greatest pressure that it can hold
    const double share = std::min(1.0, trial.time() / (0.75 * seconds));
    cli::need(mnsBody_SetPressure(trial.scene(), body, pressure * (1 - (1 - share) * (1 - share))));
    trial.step(dt);
    effort.progress(from + (to - from) * trial.time() / seconds);
    if (share < 1) continue;  // it still breathes a little
    cli::need(mnsBody_GetVolume(trial.scene(), body, &now));
    sum += std::cbrt(now / before);
    count += 1;
  }
  return sum / count;
}

}  // namespace

Findings balloon(const Effort& effort) {
  const double mu = kYoung / 3;  // incompressible
  Findings found;
  Curve ours{"Meniscus", {}}, exact{"neo-Hookean", {}, true};
  const double stretches[] = {1.05, 1.1, 1.2, 1.3};
  for (int k = 0; k < 4; ++k) {
    const double l = stretches[k], reached = stretchAt(effort, pressureOf(l) * mu * kThickness / kRadius, k / 4.0, (k + 1) / 4.0);
    // near the greatest pressure, at 1.383, the stretch says little of the pressure: that is compared
    found.figures.push_back(
        {fmt::format("p r / mu h at the stretch {:.3f}", reached), "", pressureOf(reached), pressureOf(l), 0.01});
    ours.points.push_back({reached, pressureOf(l)});
  }
  for (int k = 0; k <= 20; ++k) exact.points.push_back({1 + 0.02 * k, pressureOf(1 + 0.02 * k)});
  found.plots = {{"balloon", "stretch", "p r / mu h", {exact, ours}}};
  return found;
}

}  // namespace meniscus::validate

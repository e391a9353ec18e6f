// Figures 10 and 11: errors of the pressure.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/figures/figures.h"
#include "apps/validate/trial.h"

namespace meniscus::figures {
namespace {

using validate::Trial;

// Figure 7's balloon with about n particles, in a pressure mode.
std::string balloonScene(double n, const char* mode) {
  constexpr double kRadius = 0.087;
  const double dx = kRadius * std::cbrt(4 * 3.14159265358979323846 / (3 * n));
  return fmt::format(
      R"({{"meniscus": 1, "name": "balloon", "domain": {{"min": [-0.25, -0.25, 0], "max": [0.25, 0.25, 0.4], "friction": 0.3}},
"solver": {{"dt": 0.001, "pressure": "{}", "max_substeps": 100000}},
"fluids": [{{"name": "water", "spacing": {}, "velocity": [0, 0, -1], "shapes": [{{"inside": "balloon"}}]}}],
"solids": [{{"name": "balloon", "kind": "inflatable", "shape": {{"sphere": {{"radius": {}, "resolution": {}}}}}, "position": [0, 0, 0.1],
  "velocity": [0, 0, -1], "material": {{"areal_density": 1, "stretch": {{"compliance": 0.0025}}, "friction": 0.3}}}}]}})",
      mode, dx, kRadius, 1.2 * dx);
}

// Root mean square of p - p^ over that of p^: p^ is the pressure smoothed with the fifth-order B-spline, h = dx.
double noise(const Trial& trial, double dx) {
  const std::vector<Vec3d> x = trial.positions();
  const std::vector<double> p = trial.pressures();
  double off = 0, size = 0;
  for (std::size_t a = 0; a < x.size(); ++a) {
    double sum = 0, weight = 0;
    for (std::size_t b = 0; b < x.size(); ++b) {
      const Vec3d d = x[a] - x[b];
      if (norm2(d) >= 9 * dx * dx) continue;
      const double w = quinticKernel(norm(d), dx);
      sum += w * p[b];
      weight += w;
    }
    const double smooth = sum / weight;
    off += (p[a] - smooth) * (p[a] - smooth);
    size += smooth * smooth;
  }
  return size > 0 ? std::sqrt(off / size) : 0;
}

// Mean over the last half of the time, in which the balloon lies on the ground.
double balloonError(const Effort& effort, double n, const char* mode, double from, double to) {
  const double seconds = effort.pick(0.08, 0.3);
  Trial trial(balloonScene(n, mode), effort.threads);
  effort.keepScene(fmt::format("figure-10-{}-{:.0f}", mode, n), balloonScene(n, mode));
  const double dx = 0.087 * std::cbrt(4 * 3.14159265358979323846 / (3 * n));
  double sum = 0;
  int count = 0;
  while (trial.time() < seconds - 5e-4) {
    trial.step(0.001);
    effort.progress(from + (to - from) * trial.time() / seconds);
    if (trial.time() < 0.5 * seconds) continue;
    sum += noise(trial, dx);
    ++count;
  }
  return sum / count;
}

}  // namespace

Drawn balloonPressureError(const Effort& effort) {
  std::vector<double> counts = {400, 800, 1600};
  if (effort.full) counts = {2750, 5500, 11000, 22000};
  Drawn drawn;
  Plot plot{"figure-10", "particles", "rms of p - p^ over that of p^", {}};
  double done = 0;
  for (const auto& [mode, name] :
       {std::pair("compatible", "incompressible"), std::pair("weakly-compressible", "weakly compressible")}) {
    Curve c{name, {}};
    std::string said;
    for (const double n : counts) {
      const double share = 1.0 / double(2 * counts.size()), error = balloonError(effort, n, mode, done, done + share);
      done += share;
      c.points.emplace_back(n, error);
      said += fmt::format("{}{:.3f} at {:.0f}", said.empty() ? "" : ", ", error, n);
    }
    drawn.sentences.push_back(fmt::format("{}: error {}", name, said));
    plot.curves.push_back(std::move(c));
  }
  drawn.plots.push_back(std::move(plot));
  return drawn;
}

// |p - rho g (H - z)| over rho g H, the mean in layers of a twentieth of the height; p is zero half a spacing above the surface.
Drawn pillarPressureError(const Effort& effort) {
  constexpr double kHeight = 5, kRhoG = 9810;
  constexpr int kLayers = 20;
  const double dx = effort.pick(0.1, 0.04);
  const std::string text = fmt::format(
      R"({{"meniscus": 1, "name": "pillar", "domain": {{"min": [0, 0, 0], "max": [{0}, {0}, 5.5]}}, "solver": {{"dt": 0.001}},
"fluids": [{{"name": "water", "spacing": {1}, "jitter": 0.15, "shapes": [{{"box": {{"min": [0, 0, 0], "max": [{0}, {0}, 5]}}}}]}}]}})",
      effort.pick(0.6, 0.6), dx);
  effort.keepScene("figure-11", text);
  Trial trial(text, effort.threads);
  Drawn drawn;
  Plot plot{"figure-11", "height [m]", "error of the pressure over that at the bottom", {}};
  for (const double ms : {50, 150, 250, 350}) {
    while (trial.time() < 1e-3 * ms - 5e-4) {
      trial.step(0.001);
      effort.progress(trial.time() / 0.35);
    }
    const std::vector<Vec3d> x = trial.positions();
    const std::vector<double> p = trial.pressures();
    double sum[kLayers] = {}, count[kLayers] = {}, all = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const int k = std::clamp(int(x[i].z / kHeight * kLayers), 0, kLayers - 1);
      const double error = std::fabs(p[i] - kRhoG * (kHeight + 0.5 * dx - x[i].z)) / (kRhoG * kHeight);
      sum[k] += error;
      count[k] += 1;
      all += error / double(x.size());
    }
    Curve c{fmt::format("{:.0f} ms", ms), {}};
    for (int k = 0; k < kLayers; ++k)
      if (count[k] > 0) c.points.emplace_back((k + 0.5) * kHeight / kLayers, sum[k] / count[k]);
    plot.curves.push_back(std::move(c));
    drawn.sentences.push_back(fmt::format("at {:.0f} ms: mean error {:.4f} of the pressure at the bottom", ms, all));
  }
  drawn.sentences.push_back(fmt::format("volume change at the end {:.2e} (the paper: 1.19e-3)", trial.statistics().volumeChange));
  drawn.plots.push_back(std::move(plot));
  return drawn;
}

}  // namespace meniscus::figures

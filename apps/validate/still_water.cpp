// Water at rest: pressure by depth, motion that is left, volume.
#include <fmt/format.h>

#include <cmath>

#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kDepth = 0.4, kGravity = 9.81, kScale = 1000 * kGravity * kDepth;
constexpr int kGauges = 9;

std::vector<Vec3d> gaugesAt(double z) {
  std::vector<Vec3d> points;
  for (int k = 0; k < kGauges; ++k) points.push_back({0.1 + 0.1 * (k % 3), 0.1 + 0.1 * (k / 3), z});
  return points;
}

}  // namespace

Findings stillWater(const Effort& effort) {
  const double dx = effort.pick(0.025, 0.0125), seconds = effort.pick(1, 3), dt = 0.002;
  const std::string text = fmt::format(
      R"({{"meniscus": 1, "name": "still water", "duration": {}, "domain": {{"min": [0, 0, 0], "max": [0.4, 0.4, 0.5]}},
"solver": {{"dt": {}}},
"fluids": [{{"name": "water", "spacing": {}, "shapes": [{{"box": {{"min": [0, 0, 0], "max": [0.4, 0.4, {}]}}}}]}}]}})",
      seconds, dt, dx, kDepth);
  effort.keepScene("still-water", text);
  Trial trial(text, effort.threads);
  // means over the last half, of pressures at points on a few verticals: what a gauge in the tank reads
  const int levels = int(std::lround(kDepth / dx));
  std::vector<double> sum(std::size_t(levels), 0.0);
  double kinetic = 0, square = 0, particles = 0, times = 0;
  while (trial.time() < seconds - dt / 2) {
    trial.step(dt);
    effort.progress(trial.time() / seconds);
    if (trial.time() < seconds / 2) continue;
    times += 1;
    for (int k = 0; k < levels; ++k)
      for (const double p : trial.pressuresAt(gaugesAt((k + 0.5) * dx))) sum[std::size_t(k)] += p / kGauges;
    const std::vector<Vec3d> x = trial.positions(), u = trial.velocities();
    const std::vector<double> p = trial.pressures();
    for (std::size_t i = 0; i < x.size(); ++i) {
      kinetic += 0.5 * norm2(u[i]);
      square += std::pow(p[i] - 1000 * kGravity * (kDepth - x[i].z), 2);
    }
    particles += double(x.size());
  }
  Findings found;
  Curve ours{"Meniscus", {}}, exact{"rho g (H - z)", {}, true};
  double worst = 0;
  for (int k = 0; k < levels; ++k) {
    const double z = (k + 0.5) * dx, p = sum[std::size_t(k)] / times, wanted = 1000 * kGravity * (kDepth - z);
    ours.points.push_back({p, z});
    exact.points.push_back({wanted, z});
    worst = std::max(worst, std::fabs(p - wanted) / kScale);
  }
  const mnsStatistics s = trial.statistics();
  found.figures = {{"largest error of the pressure at points", "rho g H", 0, worst, 0.02, Error::absolute},
                   {"root mean square error of single particles' pressures", "rho g H", 0, std::sqrt(square / particles) / kScale,
                    0.02, Error::absolute},
                   {"kinetic energy", "g H a mass", 0, kinetic / particles / (kGravity * kDepth), 1e-5, Error::absolute},
                   // that of a pillar of 30,000 particles in Abu Rumman et al.
                   {"change of volume", "", 0, std::fabs(s.volumeChange), 1.19e-3, Error::absolute},
                   {"mean density error", "", 0, s.densityErrorMean, 2.5e-4, Error::absolute}};
  found.plots = {{"still-water", "pressure [Pa]", "height [m]", {exact, ours}}};
  return found;
}

}  // namespace meniscus::validate

// Periods of small waves. The water starts flat, with the velocities of the potential flow as the wave passes through the plane.
#include <fmt/format.h>

#include <cmath>

#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kPi = 3.14159265358979323846, kGravity = 9.81;
constexpr double kSide = 1, kDepth = 0.5;  // m

struct Mode {
  int m, n;
  double period;  // s, in the tank of 1 x 1 m with 0.5 m of water
};

// Velocity of the mode with potential cos(kx x) cos(ky y) cosh(k z) / (k sinh(k h)): its vertical part at the surface is 1.
Vec3d modeVelocity(const Mode& mode, const Vec3d& x) {
  const double kx = mode.m * kPi / kSide, ky = mode.n * kPi / kSide, k = std::hypot(kx, ky), s = 1 / (k * std::sinh(k * kDepth));
  return {-kx * std::sin(kx * x.x) * std::cos(ky * x.y) * std::cosh(k * x.z) * s,
          -ky * std::cos(kx * x.x) * std::sin(ky * x.y) * std::cosh(k * x.z) * s,
          k * std::cos(kx * x.x) * std::cos(ky * x.y) * std::sinh(k * x.z) * s};
}

// The share of the mode in the velocities at their places.
double amplitude(const Trial& trial, const Mode& mode) {
  const std::vector<Vec3d> x = trial.positions(), u = trial.velocities();
  double with = 0, own = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3d v = modeVelocity(mode, x[i]);
    with += dot(v, u[i]);
    own += dot(v, v);
  }
  return with / own;
}

// Twice the time between the first two passages through zero: the first half swing holds the start from a lattice.
double periodOf(const Curve& curve) {
  double first = -1;
  const auto& p = curve.points;
  for (std::size_t k = 1; k < p.size(); ++k) {
    if ((p[k - 1].second > 0) == (p[k].second > 0)) continue;
    const double t = p[k - 1].first + (p[k].first - p[k - 1].first) * p[k - 1].second / (p[k - 1].second - p[k].second);
    if (first >= 0) return 2 * (t - first);
    first = t;
  }
  return std::nan("");
}

}  // namespace

Findings standingWave(const Effort& effort) {
  const std::vector<Mode> modes = {{1, 0, 1.1818}, {1, 1, 0.9630}, {2, 0, 0.8018}};
  const double dx = effort.pick(1.0 / 16, 1.0 / 32), dt = 0.004;
  Findings found;
  Plot plot{"standing-wave", "time [s]", "velocity of the mode [m/s]", {}};
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Mode& mode = modes[k];
    const double omega = 2 * kPi / mode.period, height = 0.02 * kDepth, seconds = 0.85 * mode.period;
    const std::string text = fmt::format(
        R"({{"meniscus": 1, "name": "standing wave {} {}", "duration": {}, "domain": {{"min": [0, 0, 0], "max": [1, 1, 0.75]}},
"solver": {{"dt": {}}},
"fluids": [{{"name": "water", "spacing": {:.17g}, "shapes": [{{"box": {{"min": [0, 0, 0], "max": [1, 1, 0.5]}}}}]}}]}})",
        mode.m, mode.n, seconds, dt, dx);
    effort.keepScene(fmt::format("standing-wave-{}{}", mode.m, mode.n), text);
    Trial trial(text, effort.threads);
    trial.setVelocities([&](const Vec3d& x) { return modeVelocity(mode, x) * (omega * height); });
    Curve ours{fmt::format("mode {} {}", mode.m, mode.n), {{0, amplitude(trial, mode)}}};
    while (trial.time() < seconds) {
      trial.step(dt);
      ours.points.push_back({trial.time(), amplitude(trial, mode)});
      effort.progress((double(k) + trial.time() / seconds) / double(modes.size()));
    }
    found.figures.push_back({fmt::format("period of mode ({}, {})", mode.m, mode.n), "s", mode.period, periodOf(ours), 0.02});
    plot.curves.push_back(ours);
    Curve exact{fmt::format("theory {} {}", mode.m, mode.n), {}, true};
    for (int i = 0; i <= 20; ++i) exact.points.push_back({seconds * i / 20, omega * height * std::cos(omega * seconds * i / 20)});
    plot.curves.push_back(exact);
  }
  found.plots.push_back(plot);
  return found;
}

}  // namespace meniscus::validate

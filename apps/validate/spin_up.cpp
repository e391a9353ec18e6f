// A cylinder of oil at rest whose wall begins to turn: the fluid sticks to it and is dragged along from outside inwards.
#include <fmt/format.h>

#include <cmath>

#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kRadius = 0.03, kOmega = 1, kNu = 1e-3;  // m, rad/s, m^2/s

// Azimuthal velocity: omega r + 2 omega R sum of J1(l r / R) / (l J0(l)) exp(-l^2 nu t / R^2) over the zeros l of J1.
double exactVelocity(double r, double t) {
  constexpr double zeros[] = {3.8317059702, 7.0155866698, 10.1734681351, 13.3236919363, 16.4706300509, 19.6158585105};
  double u = kOmega * r;
  for (const double l : zeros)
    u += 2 * kOmega * kRadius * std::cyl_bessel_j(1.0, l * r / kRadius) / (l * std::cyl_bessel_j(0.0, l)) *
         std::exp(-l * l * kNu * t / (kRadius * kRadius));
  return u;
}

}  // namespace

Findings spinUp(const Effort& effort) {
  const double dx = kRadius / effort.pick(6, 12), depth = 4 * dx, dt = effort.pick(0.002, 0.0005), seconds = 0.2;
  const std::string text = fmt::format(
      R"({{"meniscus": 1, "name": "spin-up", "duration": {}, "gravity": [0, 0, 0],
"domain": {{"min": [-0.04, -0.04, 0], "max": [0.04, 0.04, {:.17g}]}},
"solver": {{"dt": {}, "xsph": 0, "high_pass": 0}},
"fluids": [{{"name": "oil", "spacing": {:.17g}, "viscosity": {},
  "shapes": [{{"cylinder": {{"radius": {}, "height": {:.17g}}}, "position": [0, 0, {:.17g}]}}]}}],
"solids": [{{"name": "wall", "kind": "kinematic", "shape": {{"cylinder": {{"radius": {}, "height": 1, "container": true}}}},
  "material": {{"no_slip": true}}, "motion": [{{"time": 0}}, {{"time": {}, "rotation": {{"axis": [0, 0, 1], "degrees": {:.17g}}}}}]}}]}})",
      seconds, depth, dt, dx, kNu, kRadius, depth, depth / 2, kRadius, 2.0, 2 * kOmega * 180 / 3.14159265358979323846);
  effort.keepScene("spin-up", text);
  Trial trial(text, effort.threads);
  Findings found;
  Plot plot{"spin-up", "radius [m]", "velocity around the axis [m/s]", {}};
  for (const double t : {seconds / 2, seconds}) {
    while (trial.time() < t - dt / 2) {
      trial.step(dt);
      effort.progress(trial.time() / seconds);
    }
    const std::vector<Vec3d> x = trial.positions(), u = trial.velocities();
    constexpr std::size_t kRings = 12;
    std::vector<double> sum(kRings, 0.0), count(sum);
    double square = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double r = std::hypot(x[i].x, x[i].y), around = (u[i].y * x[i].x - u[i].x * x[i].y) / r;
      square += std::pow((around - exactVelocity(r, trial.time())) / (kOmega * kRadius), 2);
      const std::size_t ring = std::min(kRings - 1, std::size_t(r / kRadius * kRings));
      sum[ring] += around;
      count[ring] += 1;
    }
    found.figures.push_back({fmt::format("root mean square error of the velocities at {:g} s", t), "omega R", 0,
                             std::sqrt(square / double(x.size())), 0.02, Error::absolute});
    Curve ours{fmt::format("Meniscus, {:g} s", t), {}}, exact{fmt::format("exact, {:g} s", t), {}, true};
    for (std::size_t k = 0; k < kRings; ++k) {
      const double r = (double(k) + 0.5) * kRadius / kRings;
      if (count[k] > 0) ours.points.push_back({r, sum[k] / count[k]});
      exact.points.push_back({r, exactVelocity(r, t)});
    }
    plot.curves.push_back(exact);
    plot.curves.push_back(ours);
  }
  found.plots.push_back(plot);
  return found;
}

}  // namespace meniscus::validate

// Viscous fluid between two plates that it sticks to, from rest: under a body force, and dragged by one of the plates.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kPi = 3.14159265358979323846;
// Ten times the force and the speed of Morris et al., to which all velocities are in proportion: a solve leaves changes of density
// of 2e-6 a step, which at their speeds is a velocity of 4 % of the largest.
constexpr double kGap = 1e-3, kNu = 1e-6, kForce = 2e-3, kSpeed = 1.25e-4;  // m, m^2/s, m/s^2, m/s
constexpr double kTimes[] = {0.0225, 0.045, 0.1125, 0.225};                 // s

// z above the lower plate [m].
double poiseuilleVelocity(double z, double t) {
  double u = kForce / (2 * kNu) * z * (kGap - z);
  for (int n = 1; n < 40; n += 2)
    u -= 4 * kForce * kGap * kGap / (kNu * n * n * n * kPi * kPi * kPi) * std::sin(n * kPi * z / kGap) *
         std::exp(-n * n * kPi * kPi * kNu * t / (kGap * kGap));
  return u;
}

double couetteVelocity(double z, double t) {
  double u = kSpeed * z / kGap;
  for (int n = 1; n < 40; ++n)
    u += 2 * kSpeed * (n % 2 ? -1 : 1) / (n * kPi) * std::sin(n * kPi * z / kGap) *
         std::exp(-n * n * kPi * kPi * kNu * t / (kGap * kGap));
  return u;
}

// Eight gaps long, so that the middle does not see the open ends; the sides slip.
std::string channelScene(const char* name, int layers, double force, double speed, double dt) {
  const double dx = kGap / layers, depth = 8 * dx, half = 4 * kGap, plate = 12 * kGap;
  return fmt::format(
      R"({{"meniscus": 1, "name": "{0}", "duration": 0.225, "gravity": [{1}, 0, 0],
"domain": {{"min": [{2:.9g}, 0, {3:.9g}], "max": [{4:.9g}, {5:.17g}, {6:.9g}]}},
"solver": {{"dt": {7:.9g}, "xsph": 0, "high_pass": 0}},
"fluids": [{{"name": "oil", "spacing": {8:.17g}, "viscosity": {9},
  "shapes": [{{"box": {{"min": [{10:.9g}, 0, 0], "max": [{11:.9g}, {5:.17g}, {12}]}}}}]}}],
"solids": [
  {{"name": "floor", "kind": "static", "shape": {{"box": {{"size": [{13:.9g}, {14:.9g}, {12}]}}}}, "position": [0, {15:.9g}, {16:.9g}],
    "material": {{"no_slip": true}}}},
  {{"name": "lid", "kind": "kinematic", "shape": {{"box": {{"size": [{13:.9g}, {14:.9g}, {12}]}}}}, "position": [0, {15:.9g}, {17:.9g}],
    "material": {{"no_slip": true}}, "motion": [{{"time": 0}}, {{"time": 1, "displacement": [{18:.9g}, 0, 0]}}]}}]}})",
      name, force, -1.5 * half, -1.2 * kGap, 1.5 * half, depth, 2.2 * kGap, dt, dx, kNu, -half, half, kGap, plate, 4 * depth,
      depth / 2, -kGap / 2, 1.5 * kGap, speed);
}

// Mean velocities of the layers of particles in the middle quarter, from below.
std::vector<double> layersOf(const Trial& trial, int layers) {
  const std::vector<Vec3d> x = trial.positions(), u = trial.velocities();
  std::vector<double> sum(std::size_t(layers), 0.0), count(sum);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::fabs(x[i].x) > kGap) continue;
    const std::size_t k = std::size_t(std::clamp(int(x[i].z / kGap * layers), 0, layers - 1));
    sum[k] += u[i].x;
    count[k] += 1;
  }
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] /= count[k];
  return sum;
}

// At a share s of the gap, by the cubic through the four layers around it.
double velocityAt(const std::vector<double>& layers, double s) {
  const double at = s * double(layers.size()) - 0.5;
  const int first = std::clamp(int(std::floor(at)) - 1, 0, int(layers.size()) - 4);
  double value = 0;
  for (int a = 0; a < 4; ++a) {
    double weight = layers[std::size_t(first + a)];
    for (int b = 0; b < 4; ++b)
      if (b != a) weight *= (at - first - b) / (a - b);
    value += weight;
  }
  return value;
}

Findings channel(const Effort& effort, const char* name, double force, double speed, double fastest,
                 const std::vector<double>& places, const std::function<double(double, double)>& exact) {
  const int layers = int(effort.pick(8, 16));
  const double dt = effort.pick(0.0225 / 20, 0.0225 / 40), bound = effort.pick(0.05, 0.025) * fastest;
  const std::string text = channelScene(name, layers, force, speed, dt);
  effort.keepScene(name, text);
  Trial trial(text, effort.threads);
  Findings found;
  Plot plot{name, "velocity [m/s]", "height between the plates", {}};
  for (const double t : kTimes) {
    while (trial.time() < t - dt / 2) {
      trial.step(dt);
      effort.progress(trial.time() / kTimes[3]);
    }
    const std::vector<double> u = layersOf(trial, layers);
    for (const double s : places)
      found.figures.push_back({fmt::format("velocity at {:g} of the gap after {:g} s", s, t), "m/s", exact(s * kGap, t),
                               velocityAt(u, s), bound, Error::absolute});
    Curve ours{fmt::format("Meniscus, {:g} s", t), {}}, series{fmt::format("exact, {:g} s", t), {}, true};
    for (int k = 0; k < layers; ++k) {
      const double s = (k + 0.5) / layers;
      ours.points.emplace_back(u[std::size_t(k)], s);
      series.points.emplace_back(exact(s * kGap, t), s);
    }
    plot.curves.push_back(std::move(series));
    plot.curves.push_back(std::move(ours));
  }
  found.plots.push_back(std::move(plot));
  return found;
}

}  // namespace

// Bounds are shares of the largest velocity of the steady flow: what the particles at the plates are off by is of first order.
Findings poiseuille(const Effort& effort) {
  return channel(effort, "poiseuille", kForce, 0, kForce * kGap * kGap / (8 * kNu), {0.25, 0.5}, poiseuilleVelocity);
}

Findings couette(const Effort& effort) { return channel(effort, "couette", 0, kSpeed, kSpeed, {0.25, 0.5, 0.75}, couetteVelocity); }

}  // namespace meniscus::validate

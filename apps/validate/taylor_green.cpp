// Four counter-rotating vortices that a viscous fluid damps. Where the periodic solution has lines without flow across, a slippery
// wall changes nothing. Once in a tank with a surface, which gravity keeps flat, and once in a closed box.
#include <fmt/format.h>

#include <cmath>

#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kSpeed = 0.3, kNu = 0.003;  // m/s, m^2/s: U L / nu = 100 with L = 1 m

Vec3d vortices(const Vec3d& p) {
  const double x = 2 * kPi * (p.x - 0.25), y = 2 * kPi * (p.y - 0.25);
  return {-std::cos(x) * std::sin(y), std::sin(x) * std::cos(y), 0};
}

double exact(double t) { return std::exp(-8 * kPi * kPi * kNu * t); }

// The share of the vortices in the velocities, over that of the start.
Curve decay(const Effort& effort, const char* name, bool closed, const std::string& damping, double jitter, double seconds,
            double from, double to) {
  const double dx = 1 / effort.pick(24, 48), depth = (closed ? 4 : 12) * dx, dt = 0.004;
  const std::string text = fmt::format(
      R"({{"meniscus": 1, "name": "{}", "duration": {}, "gravity": [0, 0, {}],
"domain": {{"min": [0, 0, 0], "max": [1, 1, {:.17g}]}}, "solver": {{"dt": {}{}}},
"fluids": [{{"name": "oil", "spacing": {:.17g}, "viscosity": {}, "jitter": {}, "shapes": [{{"box": {{"min": [0, 0, 0], "max": [1, 1, {:.17g}]}}}}]}}]}})",
      name, seconds, closed ? 0 : -9.81, depth + (closed ? 0 : 4 * dx), dt, damping, dx, kNu, jitter, depth);
  effort.keepScene(name, text);
  Trial trial(text, effort.threads);
  trial.setVelocities([](const Vec3d& p) { return vortices(p) * kSpeed; });
  Curve c{name, {{0, 1}}};
  while (trial.time() < seconds - dt / 2) {
    trial.step(dt);
    const std::vector<Vec3d> x = trial.positions(), u = trial.velocities();
    double with = 0, own = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3d v = vortices(x[i]);
      with += dot(v, u[i]);
      own += dot(v, v);
    }
    c.points.push_back({trial.time(), with / own / kSpeed});
    effort.progress(from + (to - from) * trial.time() / seconds);
  }
  return c;
}

}  // namespace

// XSPH and the high-pass term against noise act as a viscosity of their own: the flow is run without and with them. A packing that
// is sheared under pressure resists as sand does, more than its viscosity: the figures say by how much, for a lattice and for the
// disorder that stirred water is in. What resists is the packing under pressure, in all modes whose forces are derivatives of the
// density sum, at any time step and however slowly the density is corrected; a wider support, which averages over more neighbours,
// resists less.
Findings taylorGreen(const Effort& effort) {
  const double seconds = effort.pick(0.25, 1);
  const std::string none = ", \"xsph\": 0, \"high_pass\": 0";
  const Curve open = decay(effort, "lattice in a tank", false, none, 0, seconds, 0, 0.2);
  const Curve disordered = decay(effort, "disorder in a tank", false, none, 1, seconds, 0.2, 0.4);
  const Curve usual = decay(effort, "disorder, damping terms", false, "", 1, seconds, 0.4, 0.6);
  const Curve wide = decay(effort, "disorder, support of 3 spacings", false, ", \"xsph\": 0, \"support\": 3", 1, seconds, 0.6, 0.9);
  const Curve closed = decay(effort, "lattice in a closed box", true, none, 0, seconds, 0.9, 1);
  Curve theory{"exp(-8 pi^2 nu t)", {}, true};
  for (int k = 0; k <= 20; ++k) theory.points.push_back({seconds * k / 20, exact(seconds * k / 20)});
  Findings found;
  for (const Curve* c : {&open, &disordered, &usual, &wide, &closed})
    found.figures.push_back({fmt::format("{}: share of the vortices left after {:g} s", c->name, seconds), "", exact(seconds),
                             valueAt(*c, seconds), 0.1});
  found.plots = {{"taylor-green", "time [s]", "share of the vortices", {theory, open, disordered, usual, wide, closed}}};
  return found;
}

}  // namespace meniscus::validate

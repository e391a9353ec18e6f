// Drops free of gravity: the pressure in one at rest, the oscillation of one that is drawn out, a cube that goes round.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kRadius = 0.01, kTension = 0.072, kDensity = 1000;  // m, N/m, kg/m^3

std::string scene(const char* name, const std::string& shape, double cells, double dt, double seconds) {
  return fmt::format(
      R"({{"meniscus": 1, "name": "{}", "duration": {}, "gravity": [0, 0, 0],
"domain": {{"min": [-0.04, -0.03, -0.03], "max": [0.04, 0.03, 0.03]}}, "solver": {{"dt": {}}},
"fluids": [{{"name": "water", "spacing": {:.17g}, "surface_tension": {}, "shapes": [{}]}}]}})",
      name, seconds, dt, kRadius / cells, kTension, shape);
}

// Of a drop of so many particles at rest.
double radiusOf(std::size_t particles, double cells) {
  const double dx = kRadius / cells;
  return std::cbrt(3 * double(particles) * dx * dx * dx / (4 * kPi));
}
// omega^2 = n (n - 1) (n + 2) sigma / (rho R^3), n = 2
double periodOf(double radius) { return 2 * kPi * std::sqrt(kDensity * radius * radius * radius / (8 * kTension)); }

struct Moments {
  double drawnOut = 0;        // <x^2> - <y^2 + z^2> / 2, over R^2
  double spread = 0;          // <r^2>, over that of a ball
  double farthest = 0;        // over R
  Vec3d linear{}, angular{};  // momentum, and angular momentum about the origin over R, by the mass of a particle [m/s]
};

Moments momentsOf(const Trial& trial, double radius) {
  const std::vector<Vec3d> x = trial.positions(), u = trial.velocities();
  const double n = double(x.size());
  Vec3d middle{};
  for (const Vec3d& a : x) middle += a / n;
  Moments m;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3d r = (x[i] - middle) / radius;
    m.drawnOut += (r.x * r.x - 0.5 * (r.y * r.y + r.z * r.z)) / n;
    m.spread += norm2(r) / (0.6 * n);
    m.farthest = std::max(m.farthest, norm(r));
    m.linear += u[i];
    m.angular += cross(x[i] / radius, u[i]);
  }
  return m;
}

// Mean pressure of the particles that are deeper than the layer in which the tension acts, five spacings.
double pressureWithin(const Trial& trial, double radius, double depth) {
  const std::vector<Vec3d> x = trial.positions();
  const std::vector<double> p = trial.pressures();
  Vec3d middle{};
  for (const Vec3d& a : x) middle += a / double(x.size());
  double sum = 0, n = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (norm(x[i] - middle) > radius - depth) continue;
    sum += p[i];
    ++n;
  }
  return sum / n;
}

// A ball cut out of the lattice comes to rest; the pressure in it, averaged over the later half of the time.
void atRest(const Effort& effort, double cells, double dt, double seconds, Findings& found) {
  const std::string text = scene("drop at rest", fmt::format(R"({{"sphere": {{"radius": {}}}}})", kRadius), cells, dt, seconds);
  effort.keepScene("drop-at-rest", text);
  Trial trial(text, effort.threads);
  const double R = radiusOf(trial.particles(), cells);
  double sum = 0, worst = 0;
  int n = 0;
  while (trial.time() < seconds - dt / 2) {
    trial.step(dt);
    effort.progress(0.3 * trial.time() / seconds);
    if (trial.time() < seconds / 2) continue;
    sum += pressureWithin(trial, R, 5 * kRadius / cells);
    worst = std::max(worst, trial.statistics().densityErrorMean);
    ++n;
  }
  found.figures.push_back({"pressure in a drop at rest", "Pa", 2 * kTension / R, sum / n, 0.1});
  found.figures.push_back({"mean density error in it", "", 0, worst, 1e-3, Error::absolute});
}

// A ball that flies along and is set straining at first. Its period by the times at which it is no longer than wide.
void oscillation(const Effort& effort, double cells, double dt, Findings& found) {
  const double seconds = 1.35 * periodOf(kRadius);
  const std::string text = scene(
      "oscillating drop", fmt::format(R"({{"sphere": {{"radius": {}}}, "position": [-0.02, 0, 0]}})", kRadius), cells, dt, seconds);
  effort.keepScene("oscillating-drop", text);
  Trial trial(text, effort.threads);
  const double R = radiusOf(trial.particles(), cells), strain = 0.5 / periodOf(R);
  Vec3d middle{};
  for (const Vec3d& x : trial.positions()) middle += x / double(trial.particles());
  trial.setVelocities([&](const Vec3d& x) {
    const Vec3d r = x - middle;
    return Vec3d{0.1, 0, 0} + Vec3d{r.x, -0.5 * r.y, -0.5 * r.z} * strain;
  });
  Curve ours{"Meniscus", {{0, 0}}}, exact{"Rayleigh", {}, true};
  std::vector<double> round;
  const Moments start = momentsOf(trial, R);
  double drift = 0, turn = 0, exchanged = 0;  // all by the mass of a particle
  std::vector<Vec3d> before = trial.velocities();
  while (trial.time() < seconds - dt / 2) {
    trial.step(dt);
    effort.progress(0.3 + 0.3 * trial.time() / seconds);
    const Moments m = momentsOf(trial, R);
    drift = std::max(drift, norm(m.linear - start.linear));
    turn = std::max(turn, norm(m.angular - start.angular));
    const std::vector<Vec3d> now = trial.velocities();
    for (std::size_t i = 0; i < now.size(); ++i) exchanged += 0.5 * norm(now[i] - before[i]);
    before = now;
    const auto [t, q] = ours.points.back();
    if (q * m.drawnOut < 0) round.push_back(t + (trial.time() - t) * q / (q - m.drawnOut));
    ours.points.emplace_back(trial.time(), m.drawnOut);
  }
  // the strain moves the poles by strain / omega of R at most: <x^2> - <y^2 + z^2> / 2 by 3/5 of that and half of it
  for (int k = 0; k <= 40; ++k) {
    const double t = seconds * k / 40, omega = 2 * kPi / periodOf(R);
    exact.points.emplace_back(t, 0.6 * strain / omega * std::sin(omega * t));
  }
  const double period = round.size() >= 2 ? 2 * (round[1] - round[0]) : std::nan("");
  found.figures.push_back({"period of a drop drawn out", "s", periodOf(R), period, 0.1});
  found.figures.push_back(
      {"change of its momentum, of the impulse exchanged in it", "", 0, drift / exchanged, 1e-6, Error::absolute});
  found.figures.push_back({"change of its angular momentum, of that times R", "", 0, turn / exchanged, 1e-6, Error::absolute});
  found.plots.push_back({"droplet", "time [s]", "<x^2> - <y^2 + z^2>/2 [R^2]", {exact, ours}});
}

// A cube goes round and settles: <r^2> from 1.083 of that of a ball to 1.
void cube(const Effort& effort, double cells, double dt, Findings& found) {
  const double side = std::cbrt(4 * kPi / 3) * kRadius, half = std::round(side * cells / kRadius) * kRadius / cells / 2;
  const double seconds = effort.pick(1.5, 4) * periodOf(kRadius);
  const std::string shape =
      fmt::format(R"({{"box": {{"min": [{0:.17g}, {0:.17g}, {0:.17g}], "max": [{1:.17g}, {1:.17g}, {1:.17g}]}}}})", -half, half);
  const std::string text = scene("cube of water", shape, cells, dt, seconds);
  effort.keepScene("cube-of-water", text);
  Trial trial(text, effort.threads);
  const double R = radiusOf(trial.particles(), cells);
  Curve spread{"<r^2> over that of a ball", {{0, momentsOf(trial, R).spread}}};
  while (trial.time() < seconds - dt / 2) {
    trial.step(dt);
    effort.progress(0.6 + 0.4 * trial.time() / seconds);
    spread.points.emplace_back(trial.time(), momentsOf(trial, R).spread);
  }
  const Moments end = momentsOf(trial, R);
  found.figures.push_back({"cube: <r^2> at the end, over that of a ball", "", 1, end.spread, 0.02});
  found.figures.push_back({"cube: farthest particle at the end", "R", 1, end.farthest, 0.1});
  found.plots.push_back({"cube-of-water", "time [s]", "<r^2> over that of a ball", {spread}});
}

}  // namespace

Findings droplet(const Effort& effort) {
  const double cells = effort.pick(8, 12), dt = effort.pick(1e-3, 5e-4);
  Findings found;
  atRest(effort, cells, dt, effort.pick(0.25, 0.5), found);
  oscillation(effort, cells, dt, found);
  cube(effort, cells, dt, found);
  return found;
}

}  // namespace meniscus::validate

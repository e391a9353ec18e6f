// Figures 9 and 19: what the other ways to a pressure do to the volume, and to the packing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/figures/figures.h"
#include "apps/validate/trial.h"

namespace meniscus::figures {
namespace {

using validate::Trial;

// Tait's equation with the paper's stiffness of 6e3 Pa and exponent 7: c^2 = 7 * 6e3 / 1000.
constexpr double kPaperSound = 6.48;  // m/s
constexpr double kRadius = 0.087;     // of the balloon [m]

std::string balloonScene(const Effort& effort, const std::string& pressure) {
  const double dx = effort.pick(0.012, 0.005);
  return fmt::format(
      R"({{"meniscus": 1, "name": "balloon", "domain": {{"min": [-0.3, -0.3, 0], "max": [0.3, 0.3, 0.4], "friction": 0.3}},
"solver": {{"dt": 0.001, "constraint_iterations": 25, "max_substeps": 100000{}}},
"fluids": [{{"name": "water", "spacing": {}, "velocity": [0, 0, -1], "shapes": [{{"inside": "balloon"}}]}}],
"solids": [{{"name": "balloon", "kind": "inflatable", "shape": {{"sphere": {{"radius": {}, "resolution": {}}}}}, "position": [0, 0, 0.1],
  "velocity": [0, 0, -1], "material": {{"areal_density": 1, "stretch": {{"stiffness": 0.8}}, "friction": 0.3}}}}]}})",
      pressure, dx, kRadius, 1.2 * dx);
}

std::string clothScene(double dx, const char* mode, double seconds) {
  return fmt::format(
      R"({{"meniscus": 1, "name": "water on cloth", "duration": {}, "domain": {{"min": [-0.3, -0.3, 0], "max": [0.3, 0.3, 0.6]}},
"solver": {{"dt": 0.002, "constraint_iterations": 12, "pressure": "{}"}},
"fluids": [{{"name": "water", "spacing": {}, "shapes": [{{"box": {{"min": [-0.12, -0.12, 0.32], "max": [0.12, 0.12, 0.56]}}}}]}}],
"solids": [{{"name": "sheet", "kind": "cloth", "shape": {{"sheet": {{"size": [0.56, 0.56], "resolution": {}}}}}, "position": [0, 0, 0.3],
  "material": {{"areal_density": 2, "stretch": {{"stiffness": 0.9}}}}, "pins": [{{"rim": true}}]}}]}})",
      seconds, mode, dx, 1.5 * dx);
}

// Distances of the particles to their nearest neighbour, in spacings, in order.
std::vector<double> nearestNeighbours(const Trial& trial, double dx) {
  const std::vector<Vec3d> x = trial.positions();
  std::vector<Vec3d> sorted = x;
  std::sort(sorted.begin(), sorted.end(), [](const Vec3d& a, const Vec3d& b) { return a.z < b.z; });
  std::vector<double> d;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    double least = 4 * dx * dx;
    for (const int way : {-1, 1})
      for (std::size_t k = i + std::size_t(way); k < sorted.size(); k += std::size_t(way)) {
        const double dz = sorted[k].z - sorted[i].z;
        if (dz * dz >= least) break;
        least = std::min(least, norm2(sorted[k] - sorted[i]));
      }
    d.push_back(std::sqrt(least) / dx);
  }
  std::sort(d.begin(), d.end());
  return d;
}

// Mean distance, in spacings, from the water's lowest particles to the sheet below: of each node, the nearest particle's height
// over it, where there is one within half a spacing to the side.
double gapOverSheet(const Trial& trial, double dx) {
  const std::vector<Vec3d> x = trial.positions(), nodes = trial.nodes(trial.body("sheet"));
  double sum = 0, count = 0;
  for (const Vec3d& n : nodes) {
    if (std::fabs(n.x) > 0.1 || std::fabs(n.y) > 0.1) continue;
    double least = 4 * dx;
    for (const Vec3d& p : x) {
      const double side = std::hypot(p.x - n.x, p.y - n.y);
      if (side < 0.5 * dx && p.z > n.z) least = std::min(least, norm(p - n));
    }
    if (least >= 4 * dx) continue;
    sum += least;
    count += 1;
  }
  return count > 0 ? sum / count / dx : 0;
}

}  // namespace

// The volume of a balloon that falls on the ground: kept, or pressed out of the fluid by a pressure that needs compression.
Drawn volumeLoss(const Effort& effort) {
  const double seconds = effort.pick(0.1, 0.3), dt = 0.001;
  Drawn drawn;
  Plot plot{"figure-09", "time [s]", "change of the water's volume [%]", {}};
  double done = 0;
  for (const auto& [name, pressure] :
       {std::pair<const char*, std::string>("incompressible", ""),
        {"weakly compressible", fmt::format(R"(, "pressure": "weakly-compressible", "sound_speed": {})", kPaperSound)}}) {
    const std::string text = balloonScene(effort, pressure);
    effort.keepScene(name, text);
    Trial trial(text, effort.threads);
    Curve c{name, {}};
    double least = 0;
    while (trial.time() < seconds - 0.5 * dt) {
      trial.step(dt);
      effort.progress(0.5 * (done + trial.time() / seconds));
      const double change = 100 * trial.statistics().volumeChange;
      c.points.emplace_back(trial.time(), change);
      least = std::min(least, change);
    }
    done += 1;
    drawn.sentences.push_back(fmt::format("{}: the water loses up to {:.3f} % of its volume", name, -least));
    plot.curves.push_back(std::move(c));
  }
  drawn.plots.push_back(std::move(plot));
  return drawn;
}

// Water on a sheet by ours and by position-based fluids: how far it stays off the sheet, and whether particles clump.
Drawn clumping(const Effort& effort) {
  const double dx = effort.pick(0.015, 0.0075), seconds = effort.pick(0.3, 0.6), dt = 0.002;  // full: 32 768 particles
  Drawn drawn;
  Plot plot{"figure-19", "distance to the nearest particle [spacings]", "share of the particles below it", {}};
  double done = 0;
  for (const auto& [name, mode] : {std::pair("ours", "compatible"), std::pair("position-based", "position-based")}) {
    const std::string text = clothScene(dx, mode, seconds);
    effort.keepScene(fmt::format("figure-19-{}", mode), text);
    Trial trial(text, effort.threads);
    while (trial.time() < seconds - 0.5 * dt) {
      trial.step(dt);
      effort.progress(0.5 * (done + trial.time() / seconds));
    }
    done += 1;
    const std::vector<double> d = nearestNeighbours(trial, dx);
    Curve c{name, {}};
    for (int k = 0; k <= 100; ++k) {
      const std::size_t i = std::min(d.size() - 1, std::size_t(k * d.size() / 100));
      c.points.emplace_back(d[i], double(k) / 100);
    }
    drawn.sentences.push_back(
        fmt::format("{}: {} particles, nearest neighbours at {:.2f} spacings (a tenth nearer than {:.2f}); the water stays {:.2f} "
                    "spacings off the sheet",
                    name, d.size(), d[d.size() / 2], d[d.size() / 10], gapOverSheet(trial, dx)));
    plot.curves.push_back(std::move(c));
  }
  drawn.plots.push_back(std::move(plot));
  return drawn;
}

}  // namespace meniscus::figures

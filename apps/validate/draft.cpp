// Floating spheres: how deep they lie in the end, by their density.
#include <fmt/format.h>

#include <cmath>

#include "apps/cli/call.h"
#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kRadius = 0.1, kSide = 0.4;  // m

struct Density {
  double ratio, depth;  // to the water's; draft over radius: ratio = (h/R)^2 (3 - h/R) / 4
};

// What the solver takes beside dt: one system of water and ball, or passes of both.
constexpr const char* kOneSystem = "";
constexpr const char* kXpm = R"(, "method": "xpm", "coupling": {"tolerance": 0.001})";

// Draft over radius, mean of the last quarter: the ball still bobs a little.
double draftOf(const Effort& effort, double ratio, double dx, double seconds, double from, double to, const char* method) {
  const double dt = 0.002;
  const std::string text = fmt::format(
      R"({{"meniscus": 1, "name": "floating sphere, density ratio {}", "duration": {}, "domain": {{"min": [0, 0, 0], "max": [0.4, 0.4, 0.75]}},
"solver": {{"dt": {}{}}},
"fluids": [{{"name": "water", "spacing": {}, "carve": true, "shapes": [{{"box": {{"min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}}}}]}}],
"solids": [{{"name": "ball", "kind": "rigid", "shape": {{"sphere": {{"radius": 0.1}}}}, "position": [0.2, 0.2, 0.4],
  "material": {{"density": {}}}}}]}})",
      ratio, seconds, dt, method, dx, 1000 * ratio);
  effort.keepScene(fmt::format("draft-{:02.0f}{}", 100 * ratio, method == kXpm ? "-xpm" : ""), text);
  Trial trial(text, effort.threads);
  const mnsBodyId ball = trial.body("ball");
  double z = 0, count = 0;
  while (trial.time() < seconds - dt / 2) {
    trial.step(dt);
    effort.progress(from + (to - from) * trial.time() / seconds);
    if (trial.time() < 0.75 * seconds) continue;
    mnsVec3 x{};
    mnsQuat q{};
    cli::need(mnsBody_GetTransform(trial.scene(), ball, &x, &q));
    z += x.z;
    count += 1;
  }
  // the water stands as high as it and what the ball displaces fill the tank
  const double displaced = ratio * 4 / 3 * 3.14159265358979323846 * kRadius * kRadius * kRadius;
  const double level = (double(trial.particles()) * dx * dx * dx + displaced) / (kSide * kSide);
  return (level - (z / count - kRadius)) / kRadius;
}

}  // namespace

Findings draft(const Effort& effort) {
  const double dx = effort.pick(0.025, 0.0125), seconds = effort.pick(1.6, 4);
  std::vector<Density> all = {{0.1, 0.3916}, {0.5, 1}, {0.9, 1.6084}};
  if (effort.full) all = {{0.1, 0.3916}, {0.2, 0.5743}, {0.3, 0.7265}, {0.5, 1}, {0.7, 1.2735}, {0.8, 1.4257}, {0.9, 1.6084}};
  Findings found;
  Curve ours{"Meniscus", {}}, exact{"Archimedes", {}, true};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double n = double(all.size() + effort.full),
                 h = draftOf(effort, all[k].ratio, dx, seconds, double(k) / n, double(k + 1) / n, kOneSystem);
    found.figures.push_back(
        {fmt::format("draft at density ratio {}", all[k].ratio), "R", all[k].depth, h, 0.5 * dx / kRadius, Error::absolute});
    ours.points.push_back({all[k].ratio, h});
    exact.points.push_back({all[k].ratio, all[k].depth});
  }
  if (effort.full) {
    const double n = double(all.size()), h = draftOf(effort, all[0].ratio, dx, seconds, n / (n + 1), 1, kXpm);
    found.figures.push_back({fmt::format("the same by XPM at density ratio {}", all[0].ratio), "R", all[0].depth, h,
                             0.5 * dx / kRadius, Error::absolute});
  }
  found.plots = {{"draft", "density ratio", "draft [R]", {exact, ours}}};
  return found;
}

}  // namespace meniscus::validate

// A column of water collapses along a dry floor: its front, and its height at the wall. Slabs of four particles with slippery
// sides.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kGravity = 9.81;

// Martin & Moyce 1952, square column of side H: t sqrt(g/H), front over H.
const Curve kMartinMoyceFront{"Martin & Moyce",
                              {{0.43, 1.11},
                               {0.62, 1.22},
                               {0.80, 1.44},
                               {0.97, 1.67},
                               {1.14, 1.89},
                               {1.29, 2.11},
                               {1.45, 2.33},
                               {1.62, 2.56},
                               {1.76, 2.78},
                               {1.93, 3.00},
                               {2.07, 3.22},
                               {2.24, 3.44},
                               {2.40, 3.67},
                               {2.54, 3.89},
                               {2.71, 4.11},
                               {2.87, 4.33},
                               {3.04, 4.56},
                               {3.21, 4.78},
                               {3.32, 5.00}},
                              true};
// The same, height at the wall over H.
const Curve kMartinMoyceHeight{
    "Martin & Moyce", {{0, 1}, {0.80, 0.89}, {1.29, 0.78}, {1.74, 0.67}, {2.15, 0.56}, {2.57, 0.44}, {3.08, 0.33}}, true};
// Koshizuka & Oka 1996, column L wide and 2 L high: t sqrt(2 g/L), front over L.
const Curve kKoshizukaOka{"Koshizuka & Oka",
                          {{0, 1},
                           {0.381, 1.111},
                           {0.769, 1.252},
                           {1.153, 1.505},
                           {1.537, 1.892},
                           {1.935, 2.241},
                           {2.323, 2.615},
                           {2.719, 3.003},
                           {3.096, 3.624}},
                          true};

struct Collapse {
  Curve front{"Meniscus", {}}, height{"Meniscus", {}};  // by t sqrt(g/L), in widths of the column
};

// A column of width 1 m and this height.
Collapse collapse(const Effort& effort, const char* name, double height, double length, double seconds, double from, double to) {
  const double dx = effort.pick(1.0 / 20, 1.0 / 40), dt = 0.002;
  const std::string text = fmt::format(
      R"({{"meniscus": 1, "name": "{}", "duration": {}, "domain": {{"min": [0, 0, 0], "max": [{}, {:.17g}, {}]}}, "solver": {{"dt": {}}},
"fluids": [{{"name": "water", "spacing": {:.17g}, "shapes": [{{"box": {{"min": [0, 0, 0], "max": [1, {:.17g}, {}]}}}}]}}]}})",
      name, seconds, length, 4 * dx, height + 1, dt, dx, 4 * dx, height);
  effort.keepScene(name, text);
  Trial trial(text, effort.threads);
  Collapse c;
  while (trial.time() < seconds) {
    trial.step(dt);
    double front = 0, top = 0;
    for (const Vec3d& x : trial.positions()) {
      front = std::max(front, x.x + dx / 2);
      if (x.x < 2 * dx) top = std::max(top, x.z + dx / 2);
    }
    const double t = trial.time() * std::sqrt(kGravity);
    c.front.points.push_back({t, front});
    c.height.points.push_back({t, top});
    effort.progress(from + (to - from) * trial.time() / seconds);
  }
  return c;
}

double slope(const Curve& c, double from, double to) { return (valueAt(c, to) - valueAt(c, from)) / (to - from); }

}  // namespace

// Without a gate the front is ahead of the experiments' at first: the speed is compared as well, and positions within the tenth by
// which the experiments differ from calculations without a gate.
Findings damBreak(const Effort& effort) {
  const Collapse square = collapse(effort, "dam-break-square", 1, 6, 3.4 / std::sqrt(kGravity), 0, 0.5);
  const Collapse tall = collapse(effort, "dam-break-tall", 2, 4, 2.2 / std::sqrt(kGravity), 0.5, 1);
  Findings found;
  for (const double t : {1.45, 2.40, 3.21})
    found.figures.push_back({fmt::format("square column: front at t sqrt(g/H) = {:.2f}", t), "H", valueAt(kMartinMoyceFront, t),
                             valueAt(square.front, t), 0.1});
  found.figures.push_back({"square column: speed of the front, 1.45 to 3.21", "sqrt(g H)", slope(kMartinMoyceFront, 1.45, 3.21),
                           slope(square.front, 1.45, 3.21), 0.05});
  for (const double t : {1.29, 2.15, 3.08})
    found.figures.push_back({fmt::format("square column: height at t sqrt(g/H) = {:.2f}", t), "H", valueAt(kMartinMoyceHeight, t),
                             valueAt(square.height, t), 0.1});
  Curve scaled = kKoshizukaOka;
  for (auto& p : scaled.points) p.first /= std::sqrt(2.0);
  for (const double t : {1.537, 2.323, 2.719})
    found.figures.push_back({fmt::format("tall column: front at t sqrt(2 g/L) = {:.2f}", t), "L", valueAt(kKoshizukaOka, t),
                             valueAt(tall.front, t / std::sqrt(2.0)), 0.1});
  found.plots = {{"dam-break-front", "t sqrt(g/H)", "front [H]", {kMartinMoyceFront, square.front}},
                 {"dam-break-height", "t sqrt(g/H)", "height at the wall [H]", {kMartinMoyceHeight, square.height}},
                 {"dam-break-tall", "t sqrt(g/L)", "front [L]", {scaled, tall.front}}};
  return found;
}

}  // namespace meniscus::validate

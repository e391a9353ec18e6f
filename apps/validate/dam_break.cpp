// A column of water collapses along a dry floor: its front, and its height at the wall. Slabs of four particles with slippery
// sides, beside experiments and beside a level set on a grid, which solves the same equations in another way.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/call.h"
#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kGravity = 9.81;

// Martin & Moyce 1952, square column of side H: t sqrt(g/H), front over H. Its steps are half inches where H is 57 mm.
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
// The same, figure 3: columns twice as high as wide, t sqrt(2 g/L), front over the width L. 114 and 57 mm high.
const Curve kMartinMoyceTall{"Martin & Moyce, 114 mm",
                             {{0.832, 1.217},
                              {1.219, 1.474},
                              {1.997, 2.292},
                              {2.547, 2.995},
                              {3.345, 4.134},
                              {4.034, 4.944},
                              {4.418, 5.881},
                              {5.091, 6.980}},
                             true};
const Curve kMartinMoyceSmall{"Martin & Moyce, 57 mm",
                              {{0.849, 1.245},
                               {1.212, 1.443},
                               {1.602, 1.884},
                               {2.283, 2.689},
                               {2.950, 3.728},
                               {3.598, 4.528},
                               {3.905, 4.999},
                               {4.592, 5.841},
                               {4.961, 6.271},
                               {5.316, 6.717}},
                              true};
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
  Curve front{"Meniscus", {}}, height{"Meniscus", {}};  // in widths of the column; its time 1 / sqrt(g/L), or what `unit` says
};

struct Column {
  const char* name;
  double height, length;  // of the water at the start, of the tank, in widths of the column, which is 1 m wide
  double seconds;
  double unit;  // times t sqrt(g/L) is the time of its curves
};
constexpr double kSqrt2 = 1.41421356237309515;
const Column kSquare{"dam-break-square", 1, 7, 3.4 / 3.132, 1}, kTall{"dam-break-tall", 2, 9, 3.65 / 3.132, kSqrt2};

Collapse collapse(const Effort& effort, const Column& column, double from, double to) {
  const double dx = effort.pick(1.0 / 20, 1.0 / 40), dt = 0.002;
  const std::string text = fmt::format(
      R"({{"meniscus": 1, "name": "{}", "duration": {}, "domain": {{"min": [0, 0, 0], "max": [{}, {:.17g}, {}]}}, "solver": {{"dt": {}}},
"fluids": [{{"name": "water", "spacing": {:.17g}, "shapes": [{{"box": {{"min": [0, 0, 0], "max": [1, {:.17g}, {}]}}}}]}}]}})",
      column.name, column.seconds, column.length, 4 * dx, column.height + 1, dt, dx, 4 * dx, column.height);
  effort.keepScene(column.name, text);
  Trial trial(text, effort.threads);
  Collapse c;
  while (trial.time() < column.seconds) {
    trial.step(dt);
    double front = 0, standing = 0;  // particles over the two spacings next to the wall
    for (const Vec3d& x : trial.positions()) {
      front = std::max(front, x.x + dx / 2);
      if (x.x < 2 * dx) standing += 1;
    }
    const double t = column.unit * trial.time() * std::sqrt(kGravity);
    c.front.points.push_back({t, front});
    c.height.points.push_back({t, standing * dx / 8});
    effort.progress(from + (to - from) * trial.time() / column.seconds);
  }
  return c;
}

// The front of the level set on a grid of square cells: where it is farthest from the wall.
double frontOf(mnsScene* scene) {
  mnsGrid grid{};
  grid.structSize = sizeof grid;
  cli::need(mnsScene_GetGrid(scene, &grid));
  mnsView view{};
  cli::need(mnsScene_GetGridArray(scene, "level_set", &view));
  const float* distance = static_cast<const float*>(view.data);
  const int nx = grid.cells[0];
  double front = 0;
  for (std::int64_t row = 0; row < view.count / nx; ++row)
    for (int i = nx - 1; i > 0; --i) {
      const double here = double(distance[row * nx + i]), before = double(distance[row * nx + i - 1]);
      if (!(before < 0 && here >= 0)) continue;
      front = std::max(front, grid.cellSize * (i - 0.5 + before / (before - here)));
      break;
    }
  return front;
}

// In the plane, at as many cells as the other has particles.
Curve gridFront(const Effort& effort, const Column& column) {
  const double dt = 0.005;
  const std::string text = fmt::format(
      R"({{"meniscus": 1, "name": "{0}-grid", "duration": {1}, "domain": {{"min": [0, -0.5, 0], "max": [{2}, 0.5, {3}]}},
"solver": {{"method": "xpm", "dt": {4}, "grid": {{"dimension": 2, "cells": {5}}}}},
"fluids": [{{"name": "water", "kind": "water", "density": 1000, "shapes": [{{"box": {{"min": [0, -0.5, 0], "max": [1, 0.5, {6}]}}}}]}}]}})",
      column.name, column.seconds, column.length, column.height + 1, dt, int(effort.pick(20, 40) * column.length), column.height);
  effort.keepScene(std::string(column.name) + "-grid", text);
  Trial trial(text, effort.threads);
  Curve front{"level set", {}, true};
  while (trial.time() < column.seconds) {
    trial.step(dt);
    front.points.push_back({column.unit * trial.time() * std::sqrt(kGravity), frontOf(trial.scene())});
  }
  return front;
}

double slope(const Curve& c, double from, double to) { return (valueAt(c, to) - valueAt(c, from)) / (to - from); }

// When a front that only goes on is there.
double timeOf(const Curve& front, double there) {
  Curve inverse{"", {}};
  for (const auto& [t, x] : front.points) inverse.points.emplace_back(x, t);
  return valueAt(inverse, there);
}

// A gate takes time to open. Behind it the water is late by a time that is the same from 1.2 to 2.3 widths on: the experiment's
// clock is set back by it where the front is at 1.5.
double delayOf(const Curve& experiment, const Curve& ours) { return timeOf(experiment, 1.5) - timeOf(ours, 1.5); }

Curve setBack(const Curve& experiment, double delay) {
  Curve c = experiment;
  for (auto& p : c.points) p.first -= delay;
  return c;
}

struct Compared {
  const char *column, *clock;  // name, time as the experiment counts it
  const Curve& experiment;
  std::vector<double> at;
  double slopeFrom, slopeTo;  // none where they are equal
};

void compareFronts(const Compared& with, const Curve& ours, Findings& found) {
  const double delay = delayOf(with.experiment, ours);
  for (const double t : with.at)
    found.figures.push_back({fmt::format("{}: front at {} = {:.2f}, {:.2f} late", with.column, with.clock, t, delay), "L",
                             valueAt(with.experiment, t), valueAt(ours, t - delay), 0.1});
  if (with.slopeTo > with.slopeFrom)
    found.figures.push_back({fmt::format("{}: speed of the front, {:.2f} to {:.2f}", with.column, with.slopeFrom, with.slopeTo), "",
                             slope(with.experiment, with.slopeFrom, with.slopeTo),
                             slope(ours, with.slopeFrom - delay, with.slopeTo - delay), 0.05});
}

void compareWithGrid(const char* column, const Curve& grid, const Curve& ours, std::initializer_list<double> at, Findings& found) {
  for (const double t : at)
    found.figures.push_back(
        {fmt::format("{}: front beside the level set's, {:.2f}", column, t), "L", valueAt(grid, t), valueAt(ours, t), 0.03});
}

}  // namespace

// Fluids without viscosity and surface tension are faster than small columns of water: at twice the height the front of Martin &
// Moyce is a sixth faster, over sqrt(g H). The bounds are the tenth by which the experiments differ from each other.
Findings damBreak(const Effort& effort) {
  const Collapse square = collapse(effort, kSquare, 0, 0.4), tall = collapse(effort, kTall, 0.4, 0.9);
  const Curve squareGrid = gridFront(effort, kSquare), tallGrid = gridFront(effort, kTall);
  Findings found;
  compareFronts({"square column", "t sqrt(g/H)", kMartinMoyceFront, {1.45, 2.40, 3.21}, 1.45, 3.21}, square.front, found);
  compareWithGrid("square column", squareGrid, square.front, {1.45, 2.40, 3.21}, found);
  for (const double t : {1.29, 2.15, 3.08})
    found.figures.push_back({fmt::format("square column: height at t sqrt(g/H) = {:.2f}", t), "H", valueAt(kMartinMoyceHeight, t),
                             valueAt(square.height, t), 0.1});
  const char* clock = "t sqrt(2 g/L)";
  compareFronts({"tall column, 114 mm", clock, kMartinMoyceTall, {1.997, 2.547, 3.345, 5.091}, 2.547, 5.091}, tall.front, found);
  compareFronts({"tall column, 292 mm", clock, kKoshizukaOka, {1.537, 2.323, 2.719}, 0, 0}, tall.front, found);
  compareWithGrid("tall column", tallGrid, tall.front, {2, 3.5, 5}, found);
  const auto late = [](const Curve& c, const Collapse& ours) { return setBack(c, delayOf(c, ours.front)); };
  found.plots = {{"dam-break-front", "t sqrt(g/H)", "front [H]", {late(kMartinMoyceFront, square), squareGrid, square.front}},
                 {"dam-break-height", "t sqrt(g/H)", "height at the wall [H]", {kMartinMoyceHeight, square.height}},
                 {"dam-break-tall",
                  "t sqrt(2 g/L)",
                  "front [L]",
                  {late(kMartinMoyceTall, tall), late(kMartinMoyceSmall, tall), late(kKoshizukaOka, tall), tallGrid, tall.front}}};
  return found;
}

}  // namespace meniscus::validate

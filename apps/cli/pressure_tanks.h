// Tanks to measure pressure solves with: a cube of n^D cells of edge 1 / n, with a right side of smooth parts and noise.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "engine/grid/pressure_problem.h"

namespace meniscus::cli {

enum class Tank { freeSurface, closed, shell };

struct TankName {
  Tank tank;
  const char* name;
};
inline std::vector<TankName> tankNames() {
  return {{Tank::freeSurface, "free-surface"}, {Tank::closed, "closed"}, {Tank::shell, "shell"}};
}

// Level set of the wavy surface, about 0.7 high [m]; not a distance, which the ghost-fluid method does not need.
template <int D>
double tankLevelSet(const std::array<double, D>& x) {
  double wave = 0.05 * std::sin(7 * x[0]);
  if (D == 3) wave += 0.03 * std::cos(5 * x[1]);
  return x[D - 1] - 0.7 - wave;
}

// Which side of the thin shells a point is on: a bowl across the surface, and a plate on the ground in front of it.
template <int D>
int tankSide(const std::array<double, D>& x) {
  double r2 = 0;
  for (std::size_t a = 0; a < D; ++a) {
    const double c = a == 0 ? 0.62 : (a == D - 1 ? 0.66 : 0.5);
    r2 += (x[a] - c) * (x[a] - c);
  }
  return r2 < 0.23 * 0.23 && x[D - 1] < 0.9;
}

// Closes the faces that the shells cut. The bowl is open above 0.72, a little over or under the surface by place; the plate is a
// leaning one from the ground to 0.5.
template <int D>
void closeTankShells(PressureProblem<D>& p) {
  const auto plate = [](const std::array<double, D>& x) { return x[0] + 0.3 * x[D - 1] < 0.33; };
  for (int axis = 0; axis < D; ++axis) {
    const Cell<D> extent = p.grid.faceExtent(axis);
    p.openFraction[axis].assign(std::size_t(p.grid.faces(axis)), 1);
    MacGrid<D> faces{extent, p.grid.dx, p.grid.origin};
    for (Offset f = 0; f < faces.cells(); ++f) {
      const Cell<D> upper = faces.cellAt(f);
      Cell<D> below = upper;
      --below[std::size_t(axis)];
      if (!p.grid.contains(upper) || !p.grid.contains(below)) continue;
      const auto a = p.grid.centre(below), b = p.grid.centre(upper);
      const bool bowl = tankSide<D>(a) != tankSide<D>(b) && a[D - 1] < 0.72;
      const bool leaning = plate(a) != plate(b) && a[D - 1] < 0.5;
      if (bowl || leaning) p.openFraction[axis][std::size_t(f)] = 0;
    }
  }
}

template <int D>
PressureProblem<D> makeTank(Tank tank, Index n) {
  PressureProblem<D> p;
  p.grid.n.fill(n);
  p.grid.dx = 1.0 / n;
  p.constantBeta = 1e-3;  // water
  const std::size_t cells = std::size_t(p.grid.cells());
  p.kind.assign(cells, CellKind::fluid);
  if (tank == Tank::closed) return p;
  p.levelSet.resize(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    p.levelSet[i] = tankLevelSet<D>(p.grid.centre(p.grid.cellAt(Offset(i))));
    if (p.levelSet[i] >= 0) p.kind[i] = CellKind::air;
  }
  if (tank == Tank::shell) closeTankShells(p);
  return p;
}

// A divergence [1/s]: waves of the size of the tank, and noise from cell to cell.
template <int D>
Buffer<double> tankDivergence(const PressureProblem<D>& p) {
  Buffer<double> d(std::size_t(p.grid.cells()));
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const auto x = p.grid.centre(p.grid.cellAt(Offset(i)));
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double noise = double(state >> 11) / double(std::uint64_t(1) << 53) - 0.5;
    d[i] = std::cos(3 * x[0]) * std::sin(2 * x[D - 1] + 1) + 0.5 + noise;
  }
  return d;
}

}  // namespace meniscus::cli

// A pressure problem as a dense matrix, written down cell by cell and solved by elimination; and random problems.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "engine/grid/pressure_problem.h"

namespace meniscus::testing {

struct DenseSystem {
  std::size_t n = 0;  // all cells; rows of cells that are not fluid are 0
  std::vector<double> A, b;
  std::vector<int> region;             // of each cell, -1: not fluid
  std::vector<char> closed;            // of each region
  std::vector<double> meanDivergence;  // of each region
  double& a(std::size_t i, std::size_t j) { return A[i * n + j]; }
  double a(std::size_t i, std::size_t j) const { return A[i * n + j]; }
};

// visit(axis, neighbour, face, index of the face in its array)
template <int D, class Visit>
void forSides(const PressureProblem<D>& p, const Cell<D>& c, Visit visit) {
  for (int axis = 0; axis < D; ++axis)
    for (int side = 0; side < 2; ++side) {
      Cell<D> neighbour = c, face = c;
      neighbour[std::size_t(axis)] += side ? 1 : -1;
      face[std::size_t(axis)] += side;
      if (p.grid.contains(neighbour)) visit(axis, neighbour, std::size_t(p.grid.face(axis, face)));
    }
}

inline void labelRegion(DenseSystem& s, std::size_t i, int label) {
  std::vector<std::size_t> stack(1, i);
  s.region[i] = label;
  while (!stack.empty()) {
    const std::size_t k = stack.back();
    stack.pop_back();
    for (std::size_t j = 0; j < s.n; ++j)
      if (j != k && s.a(k, j) != 0 && s.region[j] < 0) {
        s.region[j] = label;
        stack.push_back(j);
      }
  }
}

template <int D>
DenseSystem denseSystem(const PressureProblem<D>& p, const Buffer<double>& divergence) {
  DenseSystem s;
  s.n = std::size_t(p.grid.cells());
  s.A.assign(s.n * s.n, 0);
  s.b.assign(s.n, 0);
  s.region.assign(s.n, -1);
  std::vector<char> tied(s.n, 0);
  const double h2 = p.grid.dx * p.grid.dx;
  for (std::size_t i = 0; i < s.n; ++i) {
    if (p.kind[i] != CellKind::fluid) continue;
    s.b[i] = -divergence[i];
    forSides<D>(p, p.grid.cellAt(Offset(i)), [&](int axis, const Cell<D>& neighbour, std::size_t face) {
      const std::size_t j = std::size_t(p.grid.cell(neighbour));
      double w = (p.beta[axis].empty() ? p.constantBeta : p.beta[axis][face]) / h2;
      if (!p.openFraction[axis].empty()) w *= p.openFraction[axis][face];
      if (w == 0 || p.kind[j] == CellKind::solid) return;
      if (p.kind[j] == CellKind::fluid) {
        s.a(i, i) += w;
        s.a(i, j) -= w;
        return;
      }
      const double theta = p.levelSet.empty() ? 1 : std::max(1e-6, p.levelSet[i] / (p.levelSet[i] - p.levelSet[j]));
      s.a(i, i) += w / theta;
      tied[i] = 1;
      if (!p.airPressure.empty()) s.b[i] += w / theta * p.airPressure[j];
    });
  }
  for (std::size_t i = 0; i < s.n; ++i) {
    if (p.kind[i] != CellKind::fluid || s.region[i] >= 0) continue;
    labelRegion(s, i, int(s.closed.size()));
    s.closed.push_back(1);
  }
  std::vector<double> cells(s.closed.size(), 0), sum(s.closed.size(), 0);
  for (std::size_t i = 0; i < s.n; ++i) {
    if (s.region[i] < 0) continue;
    const std::size_t r = std::size_t(s.region[i]);
    if (tied[i]) s.closed[r] = 0;
    cells[r] += 1;
    sum[r] += s.b[i];
  }
  s.meanDivergence.assign(s.closed.size(), 0);
  for (std::size_t i = 0; i < s.n; ++i)
    if (s.region[i] >= 0 && s.closed[std::size_t(s.region[i])]) {
      const std::size_t r = std::size_t(s.region[i]);
      s.b[i] -= sum[r] / cells[r];
      s.meanDivergence[r] = -sum[r] / cells[r];
    }
  return s;
}

// The solution with mean zero in closed regions, where 1 1^T is added to the matrix; 0 in cells that are not fluid.
inline std::vector<double> solveDense(DenseSystem s) {
  double scale = 0;
  for (std::size_t i = 0; i < s.n; ++i) scale = std::max(scale, s.a(i, i));
  for (std::size_t i = 0; i < s.n; ++i)
    for (std::size_t j = 0; j < s.n; ++j)
      if (s.region[i] >= 0 && s.region[i] == s.region[j] && s.closed[std::size_t(s.region[i])]) s.a(i, j) += scale > 0 ? scale : 1;
  for (std::size_t i = 0; i < s.n; ++i)
    if (s.region[i] < 0) s.a(i, i) = 1;
  for (std::size_t k = 0; k < s.n; ++k)
    for (std::size_t i = k + 1; i < s.n; ++i) {
      const double f = s.a(i, k) / s.a(k, k);
      if (f == 0) continue;
      for (std::size_t j = k; j < s.n; ++j) s.a(i, j) -= f * s.a(k, j);
      s.b[i] -= f * s.b[k];
    }
  for (std::size_t i = s.n; i-- > 0;) {
    for (std::size_t j = i + 1; j < s.n; ++j) s.b[i] -= s.a(i, j) * s.b[j];
    s.b[i] /= s.a(i, i);
  }
  return s.b;
}

// Cells of all kinds, faces open, partly open and closed, densities over three decades, a surface anywhere between cell centres.
template <int D>
PressureProblem<D> randomProblem(const Cell<D>& n, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<double> U(0, 1);
  PressureProblem<D> p;
  p.grid.n = n;
  p.grid.dx = 0.25;
  const std::size_t cells = std::size_t(p.grid.cells());
  p.kind.resize(cells);
  p.levelSet.resize(cells);
  p.airPressure.resize(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    const double u = U(rng);
    p.kind[i] = u < 0.7 ? CellKind::fluid : (u < 0.8 ? CellKind::air : CellKind::solid);
    p.levelSet[i] = (p.kind[i] == CellKind::fluid ? -1 : 1) * (0.01 + U(rng));
    p.airPressure[i] = U(rng) - 0.5;
  }
  for (int a = 0; a < D; ++a) {
    p.openFraction[a].resize(std::size_t(p.grid.faces(a)));
    p.beta[a].resize(std::size_t(p.grid.faces(a)));
    for (double& w : p.openFraction[a]) w = U(rng) < 0.2 ? 0 : (U(rng) < 0.5 ? 1 : U(rng));
    for (double& b : p.beta[a]) b = std::pow(10, -3 * U(rng));
  }
  return p;
}

template <int D>
Buffer<double> randomCells(const MacGrid<D>& g, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<double> U(-1, 1);
  Buffer<double> v(std::size_t(g.cells()));
  for (double& x : v) x = U(rng);
  return v;
}

inline double largest(const std::vector<double>& v) {
  double m = 0;
  for (const double x : v) m = std::max(m, std::fabs(x));
  return m;
}

}  // namespace meniscus::testing

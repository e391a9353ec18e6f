// A shell of edges (2-D) or triangles (3-D) in a MAC grid, and the lattice on which its crossings are exact.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/grid/mac_grid.h"
#include "engine/grid/smoke/exact_crossing.h"

namespace meniscus {

template <int D>
using Point = std::array<double, D>;  // [m]

template <int D>
struct ShellMesh {
  Index nodes = 0;
  std::vector<std::array<Index, D>> elements;  // nodes of each edge or triangle
};

// Coordinates of a node in an array of D a node.
template <int D>
Point<D> nodeOf(const std::vector<double>& x, Index node) {
  Point<D> p{};
  for (std::size_t a = 0; a < D; ++a) p[a] = x[std::size_t(node) * D + a];
  return p;
}

// sum of the barycentric coordinates times what the nodes of the element have
template <int D>
Point<D> interpolated(const std::array<Index, D>& element, const std::array<double, D>& barycentric, const std::vector<double>& v) {
  Point<D> sum{};
  for (std::size_t i = 0; i < D; ++i) {
    const Point<D> p = nodeOf<D>(v, element[i]);
    for (std::size_t a = 0; a < D; ++a) sum[a] += barycentric[i] * p[a];
  }
  return sum;
}

// Nodes have even numbers, centres of cells and faces odd ones: a sheet along the axes never holds a centre.
template <int D>
struct ShellLattice {
  static constexpr int kBits = 20;  // of a cell's edge
  static constexpr std::int64_t kCell = std::int64_t(1) << kBits;
  static constexpr std::int64_t kFar = std::int64_t(1) << 31;  // what lies farther out is put here

  MacGrid<D> grid;

  LatticePoint<D> node(const Point<D>& x) const { return snap(x, 2); }
  LatticePoint<D> point(const Point<D>& x) const { return snap(x, 1); }
  LatticePoint<D> centre(const Cell<D>& c) const {
    LatticePoint<D> p;
    for (std::size_t a = 0; a < D; ++a) p[a] = std::int64_t(c[a]) * kCell + kCell / 2 + 1;
    return p;
  }
  LatticePoint<D> faceCentre(int axis, const Cell<D>& c) const {
    LatticePoint<D> p = centre(c);
    p[std::size_t(axis)] -= kCell / 2;
    return p;
  }
  // Of the cell that holds the coordinate, which may be outside the grid.
  static Index cellOf(std::int64_t coordinate) { return Index(coordinate >> kBits); }

 private:
  LatticePoint<D> snap(const Point<D>& x, std::int64_t unit) const {
    LatticePoint<D> p;
    const double scale = double(kCell) / double(unit);
    for (std::size_t a = 0; a < D; ++a) {
      const double units = (x[a] - grid.origin[a]) / grid.dx * scale, far = double(kFar / unit);
      p[a] = unit * std::int64_t(std::llround(std::clamp(units, -far, far)));
    }
    return p;
  }
};

template <int D>
std::vector<LatticePoint<D>> latticeNodes(const ShellLattice<D>& lattice, const ShellMesh<D>& mesh, const std::vector<double>& x) {
  std::vector<LatticePoint<D>> nodes(std::size_t(mesh.nodes));
  for (Index i = 0; i < mesh.nodes; ++i) nodes[std::size_t(i)] = lattice.node(nodeOf<D>(x, i));
  return nodes;
}

}  // namespace meniscus

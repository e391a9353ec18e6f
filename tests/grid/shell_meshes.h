// Shells for the tests of the grid: random ones, and ones that lie on centres and edges of cells.
#pragma once

#include <cmath>
#include <map>
#include <random>

#include "engine/grid/smoke/shell_faces.h"

namespace meniscus::testing {

template <int D>
struct TestShell {
  ShellMesh<D> mesh;
  std::vector<double> x;
};

inline double uniform(std::mt19937& random, double low, double high) {
  return low + (high - low) * (double(random()) / 4294967296.0);
}

// A closed polygon about (0.5, 0.5), star-shaped, in the unit square. grid > 0: nodes on multiples of it.
inline TestShell<2> randomPolygon(std::mt19937& random, Index n, double grid) {
  TestShell<2> s;
  s.mesh.nodes = n;
  for (Index i = 0; i < n; ++i) {
    const double angle = 2 * M_PI * (i + uniform(random, 0, 0.9)) / n, r = uniform(random, 0.1, 0.4);
    for (double c : {0.5 + r * std::cos(angle), 0.5 + r * std::sin(angle)})
      s.x.push_back(grid > 0 ? std::round(c / grid) * grid : c);
    s.mesh.elements.push_back({i, (i + 1) % n});
  }
  return s;
}

// An octahedron with its triangles cut into four `levels` times, each node at a random distance from (0.5, 0.5, 0.5).
inline TestShell<3> randomPolyhedron(std::mt19937& random, int levels, double grid) {
  using Node = std::array<double, 3>;
  std::vector<Node> nodes = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  TestShell<3> s;
  for (const Index x : {0, 1})
    for (const Index y : {2, 3})
      for (const Index z : {4, 5}) s.mesh.elements.push_back({x, y, z});
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<Index, Index>, Index> middle;
    const auto between = [&](Index a, Index b) {
      const auto [it, added] = middle.try_emplace(std::minmax(a, b), Index(nodes.size()));
      if (added) {
        Node m;
        for (std::size_t k = 0; k < 3; ++k) m[k] = nodes[std::size_t(a)][k] + nodes[std::size_t(b)][k];
        nodes.push_back(m);
      }
      return it->second;
    };
    std::vector<std::array<Index, 3>> finer;
    for (const auto& [a, b, c] : s.mesh.elements) {
      const Index ab = between(a, b), bc = between(b, c), ca = between(c, a);
      for (const std::array<Index, 3>& t : {std::array<Index, 3>{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
        finer.push_back(t);
    }
    s.mesh.elements = finer;
  }
  s.mesh.nodes = Index(nodes.size());
  for (const Node& p : nodes) {
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), r = uniform(random, 0.2, 0.4);
    for (const double c : p) s.x.push_back(grid > 0 ? std::round((0.5 + r * c / length) / grid) * grid : 0.5 + r * c / length);
  }
  return s;
}

// A sheet through the whole unit cube and beyond its sides, at about half height: rows of nodes whose places are random, so that
// it is tilted, and with `fold` > 0 folds over itself. The diagonals of its squares are random.
inline TestShell<2> spanningSheet(std::mt19937& random, Index n, double tilt, double rough, double fold, TestShell<2>*) {
  TestShell<2> s;
  s.mesh.nodes = n;
  for (Index i = 0; i < n; ++i) {
    const double u = double(i) / (n - 1), inner = i > 0 && i + 1 < n;
    s.x.push_back(-0.2 + 1.4 * u + inner * uniform(random, -fold, fold));
    s.x.push_back(0.5 + tilt * (u - 0.5) + inner * uniform(random, -rough, rough));
    if (i > 0) s.mesh.elements.push_back({i - 1, i});
  }
  return s;
}
inline TestShell<3> spanningSheet(std::mt19937& random, Index n, double tilt, double rough, double fold, TestShell<3>*) {
  TestShell<3> s;
  s.mesh.nodes = n * n;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const double u = double(i) / (n - 1), v = double(j) / (n - 1), inner = i > 0 && i + 1 < n && j > 0 && j + 1 < n;
      s.x.push_back(-0.2 + 1.4 * u + inner * uniform(random, -fold, fold));
      s.x.push_back(-0.2 + 1.4 * v + inner * uniform(random, -fold, fold));
      s.x.push_back(0.5 + tilt * (u + v - 1) + inner * uniform(random, -rough, rough));
      if (i == 0 || j == 0) continue;
      const Index d = j * n + i, c = d - 1, b = d - n, a = b - 1;
      if (random() % 2) {
        s.mesh.elements.push_back({a, b, d});
        s.mesh.elements.push_back({a, d, c});
      } else {
        s.mesh.elements.push_back({b, d, c});
        s.mesh.elements.push_back({a, b, c});
      }
    }
  return s;
}

// 1 for the cells that have an odd number of crossings between them and the lower side of an axis.
template <int D>
std::vector<char> behindShell(const MacGrid<D>& g, const ShellFaces<D>& faces, int axis) {
  std::vector<int> crossings(faces.face.size(), 0);
  for (const ShellCrossing<D>& c : faces.crossing) ++crossings[std::size_t(c.row)];
  std::vector<char> side(std::size_t(g.cells()), 0);
  for (Offset i = 0; i < g.cells(); ++i) {
    const Cell<D> c = g.cellAt(i);
    if (c[std::size_t(axis)] == 0) continue;
    const Index r = faces.row[axis][std::size_t(g.face(axis, c))];
    side[std::size_t(i)] = side[std::size_t(i - g.cellStride(axis))] ^ char(r >= 0 && crossings[std::size_t(r)] % 2 == 1);
  }
  return side;
}

}  // namespace meniscus::testing

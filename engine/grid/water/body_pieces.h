// The surface of a filled body cut along the cells of the grid.
//
// The cells' centres say only which cells are a body's, and that is off by half a cell for flat sides. What hangs on the body's own
// volume is a sum over these pieces: with outward areas it is exact.
#pragma once

#include "engine/grid/smoke/element_clip.h"
#include "engine/grid/smoke/shell_bodies.h"

namespace meniscus {

// The bodies that the filled elements of a shell are, and their sense of winding.
template <int D>
class FilledBodies {
 public:
  FilledBodies() = default;
  // filled: of each element; empty: none.
  FilledBodies(const ShellMesh<D>& mesh, const std::vector<char>& filled);

  bool any() const { return bodies_.count > 0; }
  bool filled(Index element) const { return !bodies_.of.empty() && bodies_.of[std::size_t(element)] >= 0; }
  const std::vector<char>& elements() const { return filled_; }  // as they were given
  // With the nodes at x: 1 where elements are wound so that areas as in projectedArea look outwards, else -1.
  void orient(const std::vector<double>& x);
  double outward(Index element) const { return sense_[std::size_t(bodies_.of[std::size_t(element)])]; }
  const ShellMesh<D>& mesh() const { return mesh_; }

 private:
  ShellMesh<D> mesh_;
  std::vector<char> filled_;
  ShellBodies bodies_;
  std::vector<double> sense_;  // of each body
};

// Of an edge, or a triangle of a fan, along an axis: the area that it has as seen from there, with the sign of its normal, which is
// right of an edge and by the right-hand rule of a triangle.
template <int D>
double projectedArea(const std::array<Point<D>, D>& p, std::size_t axis) {
  if constexpr (D == 2) {
    return axis == 0 ? p[1][1] - p[0][1] : p[0][0] - p[1][0];
  } else {
    const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    return 0.5 * ((p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) - (p[2][i] - p[0][i]) * (p[1][j] - p[0][j]));
  }
}

// visit(corners of an edge or triangle) for a polygon as a fan.
template <int D, class Visit>
void forFan(const element_clip::Polygon<D>& p, const Visit& visit) {
  for (std::size_t i = 1; i + (D - 2) < p.size; ++i) {
    std::array<element_clip::Corner<D>, D> part;
    part[0] = p.corner[0];
    part[1] = p.corner[i];
    if (D == 3) part[D - 1] = p.corner[i + 1];
    visit(part);
  }
}

namespace body_pieces {

// The part of a polygon between two planes across an axis. One that lies in a plane belongs to the slab above it alone.
template <int D, class Visit>
void forSlabs(const MacGrid<D>& g, const element_clip::Polygon<D>& p, std::size_t a, const Visit& visit) {
  double low = 1e300, high = -1e300;
  for (std::size_t i = 0; i < p.size; ++i) {
    const double at = (p.corner[i].x[a] - g.origin[a]) / g.dx;
    low = std::min(low, at), high = std::max(high, at);
  }
  if (p.size == 0 || high < 0) return;
  // all that is above the grid is one slab
  const Index first = Index(std::floor(std::clamp(low, -1.0, double(g.n[a]))));
  const Index last = high > low ? std::max(first, Index(std::ceil(std::clamp(high, 0.0, double(g.n[a]) + 1))) - 1) : first;
  for (Index k = std::max(first, Index(0)); k <= last; ++k) {
    element_clip::Polygon<D> part = p;
    if (k > first) element_clip::clip<D>(part, a, g.origin[a] + k * g.dx, -1);
    if (k < last && part.size > 0) element_clip::clip<D>(part, a, g.origin[a] + (k + 1) * g.dx, 1);
    if (part.size > 0) visit(k, part);
  }
}

template <int D, class Visit>
void forColumns(const MacGrid<D>& g, const element_clip::Polygon<D>& p, std::size_t axis, std::size_t depth, Cell<D>& c,
                const Visit& visit) {
  const std::size_t a = (axis + depth) % D;
  forSlabs<D>(g, p, a, [&](Index k, const element_clip::Polygon<D>& part) {
    if (k >= g.n[a] && a != axis) return;
    c[a] = k;
    if (a == axis)
      visit(c, part);
    else
      forColumns<D>(g, part, axis, depth + 1, c, visit);
  });
}

}  // namespace body_pieces

// visit(cell, piece) for the parts of an element in the cells of the grid, and in those above it along `axis`, which are one cell
// with the coordinate n. Corners have the barycentric coordinates of the element.
template <int D, class Visit>
void forPieces(const MacGrid<D>& g, const std::vector<double>& x, const std::array<Index, D>& element, std::size_t axis,
               const Visit& visit) {
  element_clip::Polygon<D> polygon;
  for (std::size_t i = 0; i < D; ++i) {
    element_clip::Corner<D> corner{nodeOf<D>(x, element[i]), {}};
    corner.b[i] = 1;
    polygon.add(corner);
  }
  Cell<D> c{};
  body_pieces::forColumns<D>(g, polygon, axis, 1, c, visit);
}

}  // namespace meniscus

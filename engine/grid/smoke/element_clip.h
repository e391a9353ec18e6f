// The part of an element of a shell that is inside the dual cell of a face.
#pragma once

#include "engine/grid/smoke/shell_lattice.h"

namespace meniscus {
namespace element_clip {

template <int D>
double dot(const Point<D>& a, const Point<D>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < D; ++k) sum += a[k] * b[k];
  return sum;
}
template <int D>
Point<D> minus(const Point<D>& a, const Point<D>& b) {
  Point<D> d;
  for (std::size_t k = 0; k < D; ++k) d[k] = a[k] - b[k];
  return d;
}

// A corner of what is left of an element: its place and barycentric coordinates.
template <int D>
struct Corner {
  Point<D> x;
  std::array<double, D> b;
};

template <int D>
Corner<D> between(const Corner<D>& p, const Corner<D>& q, double t) {
  Corner<D> c;
  for (std::size_t k = 0; k < D; ++k) {
    c.x[k] = p.x[k] + t * (q.x[k] - p.x[k]);
    c.b[k] = p.b[k] + t * (q.b[k] - p.b[k]);
  }
  return c;
}

// A polygon, or an edge. Each cut of a convex one adds a corner at most.
template <int D>
struct Polygon {
  std::array<Corner<D>, D + 2 * D> corner;
  std::size_t size = 0;
  void add(const Corner<D>& c) { corner[size++] = c; }
};

// Sutherland & Hodgman, Reentrant polygon clipping, 1974: keeps what has sign * (x_a - bound) <= 0.
template <int D>
void clip(Polygon<D>& polygon, std::size_t a, double bound, double sign) {
  Polygon<D> kept;
  const std::size_t n = polygon.size;
  for (std::size_t i = 0; i < n; ++i) {
    const Corner<D>&p = polygon.corner[i], &q = polygon.corner[(i + 1) % n];
    const double dp = sign * (p.x[a] - bound), dq = sign * (q.x[a] - bound);
    if (dp <= 0) kept.add(p);
    if (D == 2 && i + 1 == n) break;  // an edge has no side back to its beginning
    if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) kept.add(between(p, q, dp / (dp - dq)));
  }
  polygon = kept;
}

// Integral of the barycentric coordinates over the polygon: the length times the middle of an edge, the sum over a fan of
// triangles.
template <int D>
std::array<double, D> integral(const Polygon<D>& p) {
  std::array<double, D> sum{};
  for (std::size_t i = 1; i + (D - 2) < p.size; ++i) {
    const Corner<D>&first = p.corner[0], &second = p.corner[i], &third = p.corner[i + (D - 2)];
    const Point<D> u = minus<D>(second.x, first.x), v = minus<D>(third.x, first.x);
    const double square = D == 2 ? dot<D>(u, u) : dot<D>(u, u) * dot<D>(v, v) - dot<D>(u, v) * dot<D>(u, v);
    const double size = std::sqrt(std::max(square, 0.0)) / (D - 1);
    for (std::size_t k = 0; k < D; ++k) sum[k] += size / D * (first.b[k] + second.b[k] + (D == 3 ? third.b[k] : 0));
  }
  return sum;
}

}  // namespace element_clip

// Integrals of the element's barycentric coordinates over its part inside the dual cell: dx long along every axis about the centre
// of the face.
template <int D>
std::array<double, D> partInDualCell(const MacGrid<D>& g, const Point<D>& centre, const std::array<Index, D>& element,
                                     const std::vector<double>& x) {
  using namespace element_clip;
  Polygon<D> polygon;
  for (std::size_t i = 0; i < D; ++i) {
    Corner<D> c{nodeOf<D>(x, element[i]), {}};
    c.b[i] = 1;
    polygon.add(c);
  }
  for (std::size_t a = 0; a < D && polygon.size > 0; ++a) {
    clip<D>(polygon, a, centre[a] + 0.5 * g.dx, 1);
    if (polygon.size > 0) clip<D>(polygon, a, centre[a] - 0.5 * g.dx, -1);
  }
  return integral<D>(polygon);
}

}  // namespace meniscus

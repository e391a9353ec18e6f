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

// Sutherland & Hodgman, Reentrant polygon clipping, 1974: keeps what has sign * (x_a - bound) <= 0. A polygon, or an edge.
template <int D>
void clip(std::vector<Corner<D>>& polygon, std::size_t a, double bound, double sign) {
  std::vector<Corner<D>> kept;
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Corner<D>&p = polygon[i], &q = polygon[(i + 1) % n];
    const double dp = sign * (p.x[a] - bound), dq = sign * (q.x[a] - bound);
    if (dp <= 0) kept.push_back(p);
    if (D == 2 && i + 1 == n) break;  // an edge has no side back to its beginning
    if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) kept.push_back(between(p, q, dp / (dp - dq)));
  }
  polygon.swap(kept);
}

// Integral of the barycentric coordinates over the polygon: the length times the middle of an edge, the sum over a fan of
// triangles.
template <int D>
std::array<double, D> integral(const std::vector<Corner<D>>& polygon) {
  std::array<double, D> sum{};
  for (std::size_t i = 1; i + (D - 2) < polygon.size(); ++i) {
    const Point<D> u = minus<D>(polygon[i].x, polygon[0].x), v = minus<D>(polygon[i + (D - 2)].x, polygon[0].x);
    const double square = D == 2 ? dot<D>(u, u) : dot<D>(u, u) * dot<D>(v, v) - dot<D>(u, v) * dot<D>(u, v);
    const double size = std::sqrt(std::max(square, 0.0)) / (D - 1);
    for (std::size_t k = 0; k < D; ++k)
      sum[k] += size / D * (polygon[0].b[k] + polygon[i].b[k] + (D == 3 ? polygon[i + (D - 2)].b[k] : 0));
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
  std::vector<Corner<D>> polygon(D);
  for (std::size_t i = 0; i < D; ++i) polygon[i] = {nodeOf<D>(x, element[i]), {}}, polygon[i].b[i] = 1;
  for (std::size_t a = 0; a < D && !polygon.empty(); ++a) {
    clip<D>(polygon, a, centre[a] + 0.5 * g.dx, 1);
    if (!polygon.empty()) clip<D>(polygon, a, centre[a] - 0.5 * g.dx, -1);
  }
  return integral<D>(polygon);
}

}  // namespace meniscus

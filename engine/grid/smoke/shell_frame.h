// The frame of a moving shell: where a point was, or goes, that moves along with it.
#pragma once

#include "engine/grid/smoke/shell_rays.h"

namespace meniscus {

// The barycentric coordinates of a point of the element next to x: the projection to its plane, moved into it.
template <int D>
std::array<double, D> nearPoint(const std::array<Index, D>& element, const std::vector<double>& nodes, const Point<D>& x) {
  // normal equations of x = x_0 + sum b_i (x_i - x_0)
  double m[D][D] = {}, r[D] = {};
  for (std::size_t i = 1; i < D; ++i)
    for (std::size_t a = 0; a < D; ++a) {
      const double origin = nodeOf<D>(nodes, element[0])[a], ei = nodeOf<D>(nodes, element[i])[a] - origin;
      r[i] += ei * (x[a] - origin);
      for (std::size_t j = 1; j < D; ++j) m[i][j] += ei * (nodeOf<D>(nodes, element[j])[a] - origin);
    }
  std::array<double, D> b{};
  const double determinant = D == 2 ? m[1][1] : m[1][1] * m[D - 1][D - 1] - m[1][D - 1] * m[D - 1][1];
  if (determinant > 0) {
    b[1] = (D == 2 ? r[1] : r[1] * m[D - 1][D - 1] - r[D - 1] * m[1][D - 1]) / determinant;
    if (D == 3) b[D - 1] = (r[D - 1] * m[1][1] - r[1] * m[D - 1][1]) / determinant;
  }
  b[0] = 1;
  for (std::size_t i = 1; i < D; ++i) b[0] -= b[i];
  double sum = 0;
  for (double& k : b) sum += k = std::max(k, 0.0);
  for (double& k : b) k /= sum;
  return b;
}

// How far the point of the element next to x moves while the nodes go from x0 to x1; x is beside the shell at `at`, one of them.
template <int D>
Point<D> shellDisplacement(const std::array<Index, D>& element, const std::vector<double>& at, const std::vector<double>& x0,
                           const std::vector<double>& x1, const Point<D>& x) {
  const std::array<double, D> b = nearPoint<D>(element, at, x);
  const Point<D> from = interpolated<D>(element, b, x0);
  Point<D> way = interpolated<D>(element, b, x1);
  for (std::size_t a = 0; a < D; ++a) way[a] -= from[a];
  return way;
}

// The point at the beginning of the step that is on the side of the shell that x is on at its end: x itself where nothing passes
// over it, else the one that goes to x along with an element, if nothing passes over it on its way. False where there is none.
// seen: x on the lattice on entry, seenX there on return.
template <int D>
bool pointBeforeShell(const ShellRays<D>& rays, const SweptShell<D>& swept, const std::vector<double>& x0,
                      const std::vector<double>& x1, const Point<D>& x, Point<D>& seenX, LatticePoint<D>& seen) {
  const LatticePoint<D> end = seen;
  const std::vector<Index> passing = swept.passing(end);
  for (const Index e : passing) {
    const Point<D> way = shellDisplacement<D>(rays.mesh().elements[std::size_t(e)], x1, x0, x1, x);
    for (std::size_t a = 0; a < D; ++a) seenX[a] = x[a] - way[a];
    seen = rays.lattice().point(seenX);
    if (!swept.blocked(seen, end)) return true;
  }
  return passing.empty();
}

}  // namespace meniscus

// The path of a fluid particle back over a step, cut at the shell and at the border of the grid.
#pragma once

#include "engine/grid/smoke/smoke_advection.h"

namespace meniscus {

template <int D>
struct Path {
  Point<D> x;         // where the path begins, in the grid
  LatticePoint<D> p;  // the same on the lattice; seen from the path's end
  int axis = -1;      // of the side of the grid that the path came through; -1: none
  Cell<D> face{};     // that face
};

// What the paths of a step share.
template <int D>
struct PathTracer {
  const OneSided<D> field;
  const Buffer<double>* velocity;
  double dt;

  // Of the particle that is at `at` at the end of the step; `seen` (seenX) is a point on the same side of the shell as it stood
  // at the beginning.
  Path<D> back(const Point<D>& at, const Point<D>& seenX, const LatticePoint<D>& seen) const {
    Point<D> v = field.velocity(velocity, seenX);
    const Point<D> middle = along(at, v, -0.5 * dt);
    // the velocity in the middle of the path makes it second order in dt
    if (inside(middle) && !field.rays.blocked(seen, lattice().point(middle))) v = field.velocity(velocity, middle);
    return cut(seenX, seen, along(at, v, -dt));
  }

 private:
  const ShellLattice<D>& lattice() const { return field.rays.lattice(); }
  static Point<D> along(const Point<D>& x, const Point<D>& v, double t) {
    Point<D> y;
    for (std::size_t a = 0; a < D; ++a) y[a] = x[a] + t * v[a];
    return y;
  }
  bool inside(const Point<D>& x) const {
    for (std::size_t a = 0; a < D; ++a)
      if (!(x[a] >= field.grid.origin[a]) || !(x[a] <= field.grid.origin[a] + field.grid.n[a] * field.grid.dx)) return false;
    return true;
  }

  // The last point that can be seen from `from` on the way to `to`.
  Path<D> cut(const Point<D>& from, const LatticePoint<D>& seen, Point<D> to) const {
    Path<D> path{};
    path.axis = leave(from, to, path.face);
    const ShellHit<D> hit = field.rays.firstHit(seen, lattice().point(to));
    if (hit.element >= 0) {
      path.axis = -1;
      const double before = std::max(0.0, hit.t - 1e-3);  // of the way: well apart from the shell beside the lattice
      for (std::size_t a = 0; a < D; ++a) to[a] = from[a] + before * (to[a] - from[a]);
    }
    path.x = to;
    path.p = lattice().point(to);
    if (hit.element >= 0 && field.rays.blocked(seen, path.p)) {
      path.x = from;
      path.p = seen;
    }
    return path;
  }

  // Moves `to` back to the border of the grid where the way from `from` leaves it. The axis of that side, or -1.
  int leave(const Point<D>& from, Point<D>& to, Cell<D>& face) const {
    const MacGrid<D>& g = field.grid;
    double t = 1;
    int axis = -1;
    bool upper = false;
    for (std::size_t a = 0; a < D; ++a) {
      const double low = g.origin[a], high = low + g.n[a] * g.dx;
      if (to[a] >= low && to[a] <= high) continue;
      const double bound = to[a] < low ? low : high, part = std::clamp((bound - from[a]) / (to[a] - from[a]), 0.0, 1.0);
      if (axis >= 0 && part >= t) continue;
      t = part;
      axis = int(a);
      upper = bound == high;
    }
    if (axis < 0) return axis;
    for (std::size_t a = 0; a < D; ++a) {
      to[a] = std::clamp(from[a] + t * (to[a] - from[a]), g.origin[a], g.origin[a] + g.n[a] * g.dx);
      face[a] = std::clamp(Index(std::floor((to[a] - g.origin[a]) / g.dx)), Index(0), g.n[a] - 1);
    }
    face[std::size_t(axis)] = upper ? g.n[std::size_t(axis)] : 0;
    return axis;
  }
};

}  // namespace meniscus

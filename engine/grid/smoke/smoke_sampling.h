// Linear interpolation on a MAC grid that takes only what can be seen from the point.
#pragma once

#include "engine/grid/smoke/shell_rays.h"
#include "engine/grid/smoke/smoke_domain.h"

namespace meniscus {

// The 2^D values about a point with their weights; the point is moved to where there are values on all sides.
template <int D>
struct Corners {
  static constexpr std::size_t kCount = std::size_t(1) << D;
  std::array<Cell<D>, kCount> at;
  std::array<double, kCount> weight;

  // extent: of the array; index: the point in the array's coordinates, in which the first value is at 0.
  Corners(const Cell<D>& extent, Point<D> index) {
    Cell<D> base;
    for (std::size_t a = 0; a < D; ++a) {
      index[a] = std::clamp(index[a], 0.0, double(extent[a] - 1));
      base[a] = std::min(Index(index[a]), std::max(extent[a] - 2, Index(0)));
      index[a] -= base[a];
    }
    for (std::size_t k = 0; k < kCount; ++k) {
      at[k] = base;
      weight[k] = 1;
      for (std::size_t a = 0; a < D; ++a) {
        const bool up = k >> a & 1;
        at[k][a] += Index(up && extent[a] > 1);
        weight[k] *= up ? index[a] : 1 - index[a];
      }
    }
  }
};

template <int D>
struct OneSided {
  const MacGrid<D>& grid;
  const ShellRays<D>& rays;
  const std::vector<double>& shellVelocity;  // D a node [m/s]

  // True where no ray from the point to a value beside it can meet the shell.
  bool clear(const LatticePoint<D>& p) const {
    LatticeBox<D> box(p);
    for (std::size_t a = 0; a < D; ++a) {
      box.lower[a] -= std::int64_t(1) << ShellLattice<D>::kBits;
      box.upper[a] += std::int64_t(1) << ShellLattice<D>::kBits;
    }
    return !rays.anyNear(box);
  }

  Point<D> velocityOf(const ShellHit<D>& hit) const {
    return interpolated<D>(rays.mesh().elements[std::size_t(hit.element)], hit.barycentric, shellVelocity);
  }

  // The component of the velocity at x, seen from p, which is x on the lattice. What the shell hides has the shell's velocity
  // there.
  double component(int axis, const Buffer<double>& u, const Point<D>& x, const LatticePoint<D>& p, bool isClear) const {
    Point<D> index = indexOf(x);
    index[std::size_t(axis)] += 0.5;
    const Corners<D> c(grid.faceExtent(axis), index);
    double sum = 0;
    for (std::size_t k = 0; k < Corners<D>::kCount; ++k) {
      double value = u[std::size_t(grid.face(axis, c.at[k]))];
      if (!isClear) {
        const ShellHit<D> hit = rays.firstHit(p, rays.lattice().faceCentre(axis, c.at[k]));
        if (hit.element >= 0) value = velocityOf(hit)[std::size_t(axis)];
      }
      sum += c.weight[k] * value;
    }
    return sum;
  }

  Point<D> velocity(const Buffer<double>* u, const Point<D>& x) const {
    const LatticePoint<D> p = rays.lattice().point(x);
    const bool isClear = clear(p);
    Point<D> v;
    for (int axis = 0; axis < D; ++axis) v[std::size_t(axis)] = component(axis, u[axis], x, p, isClear);
    return v;
  }

  // The mean of the values of cells about x that can be seen from p; false where none can.
  bool visibleMean(const Buffer<double>& values, const Point<D>& x, const LatticePoint<D>& p, double& mean) const {
    const Corners<D> c(grid.n, indexOf(x));
    const bool isClear = clear(p);
    double sum = 0, weights = 0;
    for (std::size_t k = 0; k < Corners<D>::kCount; ++k) {
      if (c.weight[k] == 0 || (!isClear && rays.blocked(p, rays.lattice().centre(c.at[k])))) continue;
      sum += c.weight[k] * values[std::size_t(grid.cell(c.at[k]))];
      weights += c.weight[k];
    }
    mean = weights > 0 ? sum / weights : 0;
    return weights > 0;
  }

 private:
  Point<D> indexOf(const Point<D>& x) const {
    Point<D> index;
    for (std::size_t a = 0; a < D; ++a) index[a] = (x[a] - grid.origin[a]) / grid.dx - 0.5;
    return index;
  }
};

}  // namespace meniscus

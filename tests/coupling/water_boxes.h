// Water for the tests of couplings.
#pragma once

#include "engine/coupling/water_fluid_box.h"
#include "tests/coupling/boxes.h"
#include "tests/grid/shell_meshes.h"

namespace meniscus::testing {

using coupling::WaterFluidBox;

// The unit square or cube with walls, water of 1000 kg/m^D.
template <int D>
SmokeDomain<D> waterTank(Index n, const Point<D>& gravity) {
  SmokeDomain<D> d;
  d.grid.n.fill(n);
  d.grid.dx = 1.0 / n;
  d.density = 1000;
  d.gravity = gravity;
  return d;
}

inline Motion standing(const std::vector<double>& x) { return {x, std::vector<double>(x.size(), 0)}; }

// A step without a shell, to the end: the water has moved.
template <int D>
void advanceWater(WaterFluidBox<D>& water, double dt) {
  water.setBoundary({});
  water.save();
  water.solve({}, dt);
  water.setBoundary({});
}

// 1 for the particles on the marked side of a shell: the mark of a cell whose centre they see; -1 where they see none.
template <int D>
std::vector<int> sidesOfParticles(const MacGrid<D>& g, const ShellRays<D>& rays, const std::vector<char>& sideOfCell,
                                  const Buffer<Point<D>>& x) {
  std::vector<int> side;
  for (const Point<D>& p : x) {
    const Cell<D> own = cellOf<D>(g, p);
    const LatticePoint<D> at = rays.lattice().point(p);
    int found = -1;
    for (int k = 0; k < (D == 2 ? 9 : 27) && found < 0; ++k) {
      Cell<D> c = own;
      for (int a = 0, j = k; a < D; ++a, j /= 3) c[std::size_t(a)] += j % 3 == 2 ? -1 : j % 3;
      if (g.contains(c) && !rays.blocked(at, rays.lattice().centre(c))) found = sideOfCell[std::size_t(g.cell(c))];
    }
    side.push_back(found);
  }
  return side;
}

}  // namespace meniscus::testing

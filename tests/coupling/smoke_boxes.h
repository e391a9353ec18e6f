// Smoke for the tests of couplings.
#pragma once

#include "engine/coupling/smoke_fluid_box.h"
#include "tests/coupling/boxes.h"
#include "tests/grid/shell_meshes.h"

namespace meniscus::testing {

// The unit square or cube, all its sides alike; fluid of 1.3 kg/m^D.
template <int D>
SmokeDomain<D> box(Index n, SideKind side) {
  SmokeDomain<D> d;
  d.grid.n.fill(n);
  d.grid.dx = 1.0 / n;
  d.density = 1.3;
  for (auto& s : d.side) s = {side, side};
  return d;
}

inline Motion atRest(const std::vector<double>& x) { return {x, std::vector<double>(x.size(), 0)}; }

}  // namespace meniscus::testing

// Surface tension of the particles (kernels/fluid/surface_tension.h), explicit, before the pressure solve.
#pragma once

#include <vector>

#include "engine/particle/cell_sort.h"
#include "engine/particle/pairs.h"

namespace meniscus {

class SurfaceTension {
 public:
  // Adds the forces of h seconds to the velocities u of the particles, which are sorted into the grid. S0: sumC of the lattice.
  void step(Exec& exec, const World& world, const CellGrid& grid, const PairLists& lists, double S0, double h, View<Vec4f> u);
  std::size_t bytes() const { return g_.capacityBytes() + atSurface_.capacityBytes() + withDeficit_.capacityBytes(); }

 private:
  Buffer<float> g_;                               // per particle
  Buffer<std::uint8_t> atSurface_, withDeficit_;  // per cell
  std::vector<float> strength_, rho_;             // per fluid kind
};

}  // namespace meniscus

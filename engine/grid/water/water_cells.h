// The particles of water by the cells that they are in.
#pragma once

#include "engine/grid/water/water_state.h"

namespace meniscus {

// Puts the particles with `keep` (or all, where it is null) in the order of their cells, those of a cell in the order that they
// had, and lists the cells' first ones.
template <int D>
void sortByCell(const MacGrid<D>& grid, const WaterParticles<D>& from, const std::vector<char>* keep, WaterParticles<D>& to,
                Buffer<Index>& first);

}  // namespace meniscus

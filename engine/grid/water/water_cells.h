// The particles of water by the cells that they are in.
#pragma once

#include "engine/exec/exec.h"
#include "engine/grid/water/water_state.h"

namespace meniscus {

// Puts the particles that are to keep in the order of their cells, those of a cell in the order that they had, and lists the cells'
// first ones.
template <int D>
void sortByCell(Exec& exec, const MacGrid<D>& grid, const WaterParticles<D>& from, const std::vector<char>& keep,
                WaterParticles<D>& to, Buffer<Index>& first);

}  // namespace meniscus

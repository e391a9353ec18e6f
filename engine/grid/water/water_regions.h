// Water that walls and shells enclose wholly: without a surface, so that it can neither take nor give volume.
#pragma once

#include "engine/grid/smoke/smoke_regions.h"
#include "engine/grid/water/water_state.h"

namespace meniscus {

// The regions of water without a surface, in the order of their first cells; for makeCompatible.
template <int D>
std::vector<ClosedRegion> closedWater(const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellFaces<D>& shell,
                                      const Buffer<double>& levelSet);

// 1 for the cells that no way leads to from the cell `from` but through the shell: what closed surfaces enclose.
template <int D>
std::vector<char> enclosedCells(const MacGrid<D>& grid, const GivenFaces<D>& given, const ShellFaces<D>& shell,
                                const Cell<D>& from);

}  // namespace meniscus

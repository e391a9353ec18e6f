// Water at the start in layers that no cell of the grid has.
#pragma once

#include <functional>

#include "engine/grid/mac_grid.h"
#include "engine/offline/scene_solids.h"

namespace meniscus::offline {

// Of a solid that is free to move, with the cells within it: how thick the water is that it shuts in before a side of the domain,
// from wall to wall, less than half a cell thick [m]; 0: there is none. No cell has such water, and nothing would bear the solid;
// where it has a rim the pressures there do. dry: of each cell, within any solid; isWater: of places.
template <int D>
double shutLayer(const SceneDef& scene, const MacGrid<D>& grid, const SceneSolid<D>& solid, const std::vector<char>& within,
                 const std::vector<char>& dry, const std::function<bool(const Vec3d&)>& isWater);

}  // namespace meniscus::offline

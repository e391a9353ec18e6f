// Which enclosed regions of smoke have a pressure of their own, and how much flows into each solid that is blown up.
#pragma once

#include <vector>

#include "engine/coupling/enclosed_pressure.h"
#include "engine/offline/scene_solids.h"

namespace meniscus::offline {

using namespace coupling;

// How a region of enclosed smoke lies to each solid.
struct RegionSides {
  std::vector<double> moment;  // sum of x . area: above 0 for a region inside of it, below 0 for one outside
  // |sum of area| over the sum of |area| along the axis where it is most: 0 where a constant pressure pushes the solid nowhere, 1
  // where nothing is opposite
  std::vector<double> push;
  std::vector<char> touches;
};
// x: positions; begin: the first coordinate of each solid, and the end.
RegionSides sidesOf(const EnclosedRegion& region, const std::vector<double>& x, const std::vector<Eigen::Index>& begin,
                    int dimension);

// A constant pressure in the region does something to solid b.
template <int D>
bool isPushed(const RegionSides& sides, std::size_t b, const SceneSolid<D>& solid);

// The smoke within a rigid or a soft solid is the grid's, not the scene's: a constant pressure in it pushes a rigid one nowhere,
// and a soft one keeps its volume by itself. Nor does the pressure of smoke all around push a rigid solid.
template <int D>
bool hasPressure(const RegionSides& sides, const std::vector<SceneSolid<D>>& solids);

// Something beside the region moves as the fluid pushes it, and its volume changes with that: not a rigid solid that the region is
// all around of.
template <int D>
bool canGrow(const RegionSides& sides, const std::vector<SceneSolid<D>>& solids);

// The fluid moves some of it.
template <int D>
bool canMove(const SceneSolid<D>& solid);

// The inflatable that the region is the inside of, or -1.
template <int D>
int filledBy(const RegionSides& sides, const std::vector<SceneSolid<D>>& solids);

}  // namespace meniscus::offline

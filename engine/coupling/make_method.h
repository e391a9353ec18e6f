// The name of a method that needs nothing of the boxes but solves, as a coupling.
#pragma once

#include <memory>
#include <string>

#include "engine/coupling/coupling.h"
#include "engine/scene/grid_def.h"

namespace meniscus::coupling {

// length: [m] of a cell or a spacing, that tolerance and step cap are parts of.
StopRule stopRule(const CouplingDef& def, double length);

// partitioned, iqn-ils, xpm or staggered; null for another name. ownLoad: of XpmOptions, unless the residual is `successive` or the
// load is of pressures.
std::unique_ptr<Coupling> makeSolvesMethod(const std::string& method, const CouplingDef& def, double length, bool ownLoad = true);

}  // namespace meniscus::coupling

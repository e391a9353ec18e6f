// The one place where the name of a method makes a coupling.
#pragma once

#include <memory>
#include <string>

#include "engine/coupling/coupling.h"
#include "engine/scene/grid_def.h"

namespace meniscus::offline {

using namespace coupling;

// method: one of methodNames() but the particles'. length: [m] of a cell. Throws Error(input) for another name.
std::unique_ptr<Coupling> makeMethod(const std::string& method, const CouplingDef& def, double length);

}  // namespace meniscus::offline

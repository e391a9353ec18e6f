// The one place where the name of a method makes a coupling.
#pragma once

#include <memory>
#include <string>

#include "engine/coupling/coupling.h"
#include "engine/coupling/monolithic/coupled_system.h"
#include "engine/exec/exec.h"
#include "engine/scene/grid_def.h"

namespace meniscus::offline {

using namespace coupling;

// Of D dimensions. method: one of methodNames() but the particles'. length: [m] of a cell. hasConstant: the closed regions that
// have a pressure of their own. exec must outlive the coupling. Throws Error(input) for another name.
template <int D>
std::unique_ptr<Coupling> makeMethod(Exec& exec, const std::string& method, const CouplingDef& def, double length,
                                     HasConstant hasConstant);

}  // namespace meniscus::offline

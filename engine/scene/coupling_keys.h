// Which keys of a coupling belong to which method.
#pragma once

#include "engine/scene/table.h"

namespace meniscus {

// A mistake for every key that is there but means nothing in the scene's method. coupling: the object of the keys.
void checkCouplingKeys(Reader& r, const JsonNode& coupling, const SolverDef& s);
// The defaults in place of what means nothing in the method.
void resetForeignCouplingKeys(SolverDef& s);

}  // namespace meniscus

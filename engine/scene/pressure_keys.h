// Which keys of the solver belong to which pressure mode.
#pragma once

#include "engine/scene/table.h"

namespace meniscus {

// A mistake for every key that is there but means nothing in the pressure mode chosen.
void checkPressureKeys(Reader& r, const JsonNode& solver, const SolverDef& s);
// The defaults in place of what means nothing in the pressure mode.
void resetForeignPressureKeys(SolverDef& s);

}  // namespace meniscus

// Bodies whose material is changed after they were built.
#pragma once

#include "engine/solid/solid_state.h"

namespace meniscus {

// Gives the constraints of a deformable body the compliances, stiffnesses and dampings that building it from def.material would
// give them. Rest shapes, masses and multipliers stay. Throws Error(input), with nothing changed, where that material needs other
// constraints than the body has.
void setResistances(SolidState& s, Index body, const SolidDef& def);

}  // namespace meniscus

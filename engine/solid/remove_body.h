// Taking a body out of a state.
#pragma once

#include "engine/solid/solid_state.h"

namespace meniscus {

// Removes a body with nodes (index into SolidState::bodies, or -1) and a rigid, kinematic or fixed one (index into
// SolidState::rigid, or -1), which is the same body where it has a mesh: its nodes, surface, tetrahedra, constraints, rest data,
// volumes, pins and their key frames. What comes after it moves up; of the others every bit stays, the order of the constraints
// included, so colourConstraints is due, which then gives what it would give a state that never had the body.
void removeBody(SolidState& s, Index body, Index rigid);

}  // namespace meniscus

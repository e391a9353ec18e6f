// Where deformable bodies are near one another: nodes of one before the triangles of another, and edges that cross.
#pragma once

#include <vector>

#include "engine/solid/solid_state.h"

namespace meniscus {

// Of each contact, the points and the direction, both of the start of the sub-step (xPrev), and how far apart it is then along that
// [m]: negative within a closed surface. margin: the distance that surfaces keep [m]. What is further apart than the bodies are
// predicted to go (to x), and than a few margins, is left out, and so is what lies between nodes that cannot move.
void searchBodyContacts(const SolidState& s, double margin, BodyContactMemory& memory, std::vector<BodyContact>& out);

}  // namespace meniscus

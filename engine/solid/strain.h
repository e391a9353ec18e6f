// How far deformable bodies are from their undeformed shape.
#pragma once

#include "engine/solid/solid_state.h"

namespace meniscus {

// By node of the body: of the principal stretches minus one of the elements around it (tetrahedra, or else triangles), the largest
// by magnitude. Nodes without an element: 0. Elements without extent at rest are passed over.
void nodeStretch(const SolidState& state, const Body& body, float* stretch);

}  // namespace meniscus

// How far deformable bodies are from their undeformed shape.
#pragma once

#include "engine/solid/solid_state.h"

namespace meniscus {

// Of an edge (2 points), a triangle (3) or a tetrahedron (4): the principal stretch minus one that is largest by magnitude. rest,
// now: its points undeformed and as they are, in any frames. 0 where it has no extent at rest.
double elementStretch(const Vec3d* rest, const Vec3d* now, int points);

// By node of the body: of the principal stretches minus one of the elements around it (tetrahedra, or else triangles), the largest
// by magnitude. Nodes without an element: 0. Elements without extent at rest are passed over.
void nodeStretch(const SolidState& state, const Body& body, float* stretch);

}  // namespace meniscus

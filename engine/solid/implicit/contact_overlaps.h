// Solids of which one is within another where a run starts.
#pragma once

#include <vector>

#include "engine/solid/implicit/contact_mesh.h"

namespace meniscus::implicit {

struct SolidOverlap {
  int solid, other;  // numbers of surfaces; the other one is filled
  double depth;      // [m] that a point of the first is within the other, the largest found
  Vec3d at;          // [m]
};

// By nodes of one within the other, and by edges that pass through it. Left out are pairs that both move as they are told, and
// given nodes of what bends: a pin may be in what holds it.
std::vector<SolidOverlap> overlapsOf(const ContactMesh& mesh);

}  // namespace meniscus::implicit

// Solids of which one is within another, or crosses it, where a run starts.
#pragma once

#include <vector>

#include "engine/solid/implicit/contact_mesh.h"

namespace meniscus::implicit {

struct SolidOverlap {
  int solid, other;      // numbers of surfaces; one and the same: it crosses itself, or lies on itself
  double depth;          // [m], see below
  Vec3d at;              // [m]
  bool crosses = false;  // two surfaces that are no filled solid's
  bool lies = false;     // likewise, and an element of one lies on the other
};

// depth, of two filled solids: across the largest ball that fits into both, which boxes have to be moved by to touch, and is all of
// a solid's own thickness where both are in one place. Of a surface in a filled solid: how deep its deepest point is. Of surfaces
// that cross: how far an edge of one reaches through the other, or what is around a node that lies on it. Where an element of one
// lies on the other, or on another one of its own surface, there is no side that either is on: its longest edge.
//
// Found by nodes of one within the other, by edges that pass through it, and by points that are `least` [m] under the faces of one,
// which tell faces that lie in one plane and the solids on the same side of it; what is less deep than that is none. Left out are
// pairs that both move as they are told, and given nodes of what bends: a pin may be in what holds it.
std::vector<SolidOverlap> overlapsOf(const ContactMesh& mesh, double least);

}  // namespace meniscus::implicit

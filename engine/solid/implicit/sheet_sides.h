// The nearest point of a surface that is open, and the side of it that a point is on.
#pragma once

#include "engine/solid/implicit/contact_mesh.h"

namespace meniscus::implicit {

struct SheetPoint {
  double distance = 1e300;  // [m]
  double height = 0;        // [m] along the surface's normal there: its sign says the side
  bool inside = false;      // neither on the rim, beside which there is no side, nor on a node that moves as it is told
};

// Of the elements within `reach` [m]; by the normals around an edge or a node where that is the nearest part.
SheetPoint nearestOnSheet(const ContactMesh& mesh, int solid, const Vec3d& x, double reach);

}  // namespace meniscus::implicit

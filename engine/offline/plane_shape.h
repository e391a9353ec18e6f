// Solids of a scene as the chains of nodes that the plane of a grid in two dimensions cuts out of them.
#pragma once

#include <vector>

#include "engine/scene/scene.h"

namespace meniscus::offline {

struct PlaneShape {
  std::vector<Vec3d> x;  // m, in the plane; counter-clockwise seen along +y with z up and x to the right
  bool closed = true;    // the last node is joined to the first
};

// Edges are `edge` [m] long or a little less. y: of the plane [m]. Throws Error(input) for a solid that the plane does not meet, or
// meets in no shape that has a chain (see check_grid.cpp).
PlaneShape planeShape(const SolidDef& solid, double y, double edge);

// Of the closed chain, per metre along y and for unit density: mass [m^2], centre [m] and moment of inertia about y [m^4].
struct PlaneMass {
  double area = 0;
  Vec3d center{};
  double inertia = 0;
};
PlaneMass planeMass(const PlaneShape& shape);

}  // namespace meniscus::offline

// What building shells, soft and rigid bodies share.
#pragma once

#include "engine/solid/solid.h"
#include "engine/solid/topology.h"

namespace meniscus {

// Appends a body with nodes at x (mass and inverse mass 0 so far) and triangles; returns its index.
Index appendBody(SolidState& s, const SolidDef& def, const std::vector<Vec3d>& x, const std::vector<Index>& tri);
// Adds a constraint. rest: restCount values, or null to share those of the constraint before. The resistance must not be `none`; a
// compliance is multiplied by complianceScale.
void appendConstraint(SolidState& s, Index body, ConstraintType type, const Index* node, int nodes, const double* rest,
                      int restCount, const Resistance& r, double complianceScale = 1);
// Bending of every inner edge of the body's surface.
void appendBending(SolidState& s, Index body, const std::vector<MeshEdge>& edges);
// Closed-volume constraint or gas.
void appendVolume(SolidState& s, Index body, const SolidDef& def);
// Sets inverse masses from the masses, then holds the pinned nodes. edges: of the surface, for the rim.
void finishNodes(SolidState& s, Index body, const SolidDef& def, const std::vector<MeshEdge>& edges);

inline Resistance complianceOf(double alpha, double damping) { return {Resistance::Kind::compliance, alpha, damping}; }

}  // namespace meniscus

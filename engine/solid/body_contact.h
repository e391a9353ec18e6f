// Contact of deformable bodies with each other: the nodes of one before the triangles of another, and edges that cross; and with
// rigid bodies. (A body's contact with itself is not looked for.)
#pragma once

#include "engine/solid/solid.h"

namespace meniscus {

// At most one contact a node and other body: with the closest triangle at the start of the sub-step, seen from the side on which
// the node then is; and one where two edges that stick out of their surfaces are nearest to one another between their ends. Points
// and directions stay those of the start, so the constraint is linear in the positions; the direction is that of the closest
// distance, so that its impulses keep linear and angular momentum. Fills s.work.bodyContacts from xPrev, and from the predicted x
// which of them act at first. margin: the distance that surfaces keep [m].
// rigid (may be null): the rigid bodies that touch them as well.
void findBodyContacts(SolidState& s, const RigidPairs* rigid, double margin);

// n . sum weight_k x_k less the distance that is kept: not negative at the end of the sub-step [m].
double bodyContactValue(const SolidState& s, const BodyContact& c);

// Rows of those that act, at the end of the list; row r is that of contact out.bodyContact[r - out.firstBodyContact].
void addBodyContacts(const SolidState& s, RowList& out);

// One sweep, in turn. invMassNormal, normal: as for projectSolids.
void projectBodyContacts(SolidState& s, double dt, const double* invMassNormal, const Vec3d* normal);

}  // namespace meniscus

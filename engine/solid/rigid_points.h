// Where rigid bodies touch obstacles and each other, at points of theirs.
#pragma once

#include "engine/solid/body_surface.h"
#include "engine/solid/solid.h"

namespace meniscus {

// Which way an obstacle faces: x, -x, y, -y, z or -z, whichever its normal is nearest to.
int facing(const Vec3d& n);

// Appends to s.work.rigidContacts the points of a body that are no further off the obstacles than margin and slack [m], and before
// another body that moves by itself.
void collectPoints(SolidState& s, const Obstacles& obstacles, Index rigid, double margin, double slack);
void collectPoints(SolidState& s, const BodySurface& other, Index rigid, double margin, double slack, double dt);

// Appends one, which starts from what it carries already.
void addRigidContact(SolidState& s, RigidContact c);
// One with another body that moves by itself; p: halfway between the two surfaces, which are the distance d apart there [m].
// c: all else that is known of it. margin: the gap that they keep, but for a part of what they start the sub-step with less.
void addPairContact(SolidState& s, RigidContact c, const Vec3d& p, double d, Index other, double margin, double dt);

}  // namespace meniscus

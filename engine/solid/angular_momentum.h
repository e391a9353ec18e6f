// Keeps the angular momentum of free deformable bodies through a projection.
#pragma once

#include "engine/exec/exec.h"
#include "engine/solid/solid_state.h"

namespace meniscus {

// With v = (x - xPrev)/dt, an impulse p acts at xPrev: sum m x cross v grows by xPrev cross p. Internal constraints have no torque
// at the positions x where their gradients were taken, so about xPrev they have one, of the order of the rotation in a step, which
// always brakes. Every body without pinned nodes gets the opposite torque back as a rigid rotation about its centre of mass. Reads
// what s.work recorded: x before the projection, and the corrections by contact, which are outer forces.
void restoreAngularMomentum(Exec& exec, SolidState& s);

// Rotation vector that takes the torque t from a body of inertia j; axes about which a body (a straight line of nodes) has no
// inertia have no torque either.
Vec3d rotationAgainst(const Mat3d& j, const Vec3d& t);

}  // namespace meniscus

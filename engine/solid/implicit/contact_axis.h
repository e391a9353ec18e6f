// Which way the patches around a node and around the point before it can be parted by a plane.
#pragma once

#include <vector>

#include "kernels/core/vec.h"

namespace meniscus::implicit {

// The nodes of the elements around something, at the beginning and at the end of a step [m].
struct ContactPatch {
  std::vector<Vec3d> start, end;
};

// The unit normal for a contact of which `normal` is the direction of the least distance.
//
// That direction is one to move along only where the node is a vertex that sticks out in it. A node within a flat patch has its
// patch's normal as its only one: an edge that passes over the patch is nearest to the node slantwise, and would be stopped by it
// as by an obstacle that is not there (an internal edge). A plane with the normal `a` parts the patches where all of `mine` is
// before all of `theirs` (the separating axis theorem). `normal` is replaced by one of the `others` that parts the patches by
// `apart` [m] at the beginning, if
// - `normal` does not, or
// - at the end they are nearer than `apart` by less than half of what `normal` finds.
// Of several, it is the one along which the patches are the farthest apart at the end. Patches that nothing parts by `apart` touch
// or overlap already: the axis is then the one along which they do so least. Corners that meet in one point have no direction of a
// least distance at all, and only this tells a box that stands on another one from a box beside it.
Vec3d contactAxis(const ContactPatch& mine, const ContactPatch& theirs, const Vec3d& normal, const std::vector<Vec3d>& others,
                  double apart);

}  // namespace meniscus::implicit

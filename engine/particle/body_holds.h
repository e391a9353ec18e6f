// Directions in which rigid bodies do not give way in a pressure solve.
#pragma once

#include <vector>

#include "kernels/core/macros.h"
#include "kernels/solid/rigid_hold.h"

namespace meniscus {

// Bodies that hold each other move together: a direction is one of all of them. along: direction after direction, in each body
// after body, accelerations by unit impulses; orthonormal in the sense of all their masses.
struct IslandHold {
  std::vector<Index> bodies;
  std::vector<RigidRate> along;
};

struct BodyHolds {
  std::vector<RigidHold> own;       // a body, of those that only obstacles hold
  std::vector<IslandHold> islands;  // of the others
};

}  // namespace meniscus

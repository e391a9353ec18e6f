// Directions in which rigid bodies do not give way in a pressure solve.
#pragma once

#include <vector>

#include "kernels/core/macros.h"
#include "kernels/solid/rigid_hold.h"

namespace meniscus {

struct BodyHolds {
  std::vector<RigidHold> own;   // a body, of those that only obstacles hold
  std::vector<double> islands;  // of the others: the numbers of HoldIslands, kernels/solid/rigid_hold.h
};

}  // namespace meniscus

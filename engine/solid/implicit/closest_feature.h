// The nearest point of a triangle or an edge, and the part of it that the point lies on: all of it, an edge or a node.
#pragma once

#include <array>

#include "kernels/core/vec.h"

namespace meniscus::implicit {

// Weights of the corners at the nearest point of the first `corners` (2: an edge, 3: a triangle) of v to x. Those that do not
// carry the point are exactly 0.
std::array<double, 3> nearestWeights(const Vec3d (&v)[3], int corners, const Vec3d& x);

// The parts that the point may be said to lie on, by a bit for each of their corners, the smallest first: a node or an edge that it
// is within `near` [m] of, and last the one that it does lie on. Beside a node or an edge, round-off decides which part is the
// nearest, and for each element around it in its own way.
struct NearParts {
  int count = 0;
  std::array<int, 3> corners{};
};
NearParts nearParts(const Vec3d (&v)[3], int corners, const std::array<double, 3>& weight, double near);

}  // namespace meniscus::implicit

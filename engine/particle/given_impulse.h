// What the fluid does to a body that it cannot move.
#pragma once

#include <vector>

#include "kernels/core/vec.h"

namespace meniscus {

struct GivenImpulse {
  Vec3d linear{};   // N s
  Vec3d angular{};  // N m s, about the body's centre as it moves

  // j [N s] at `arm` [m] from the centre
  void add(const Vec3d& j, const Vec3d& arm) {
    linear += j;
    angular += cross(arm, j);
  }
};

}  // namespace meniscus

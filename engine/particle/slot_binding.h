#pragma once

#include "kernels/core/vec4.h"
#include "kernels/core/view.h"

namespace meniscus {

// Where a feature slot acts on a body that can move.
struct SlotBinding {
  Index node[3];  // nodes, or {-1, -1, -1}
  Index rigid;    // movable rigid body, or -1
  float b[3];     // barycentric weights
  Vec3f arm;      // closest point minus the rigid body's centre of mass [m]
  Vec3f n;
  float prescribed;  // n . v of a fixed or kinematic surface [m/s]
};

}  // namespace meniscus

// What contacts leave of a rigid body's freedom, in the pressure equation.
//
// A body that lies on something does not give way where it lies, and a solve that does not know that lets it: the water pushes, a
// contact takes the motion back after the solve, and the next solve gives way again by the share of the water in what moves. Of a
// body a tenth as heavy as the water that moves along, nine tenths of the error are left by each of them.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

// Velocity or acceleration of a body: of its centre, and about it.
struct RigidRate {
  Vec3d linear, angular;
};

constexpr int kFreedoms = 6;

// A body does not move along these: accelerations by unit impulses, orthonormal in the sense of its mass. Zeros hold nothing.
struct RigidHold {
  RigidRate along[kFreedoms];

  // What is left of the acceleration by a force and a torque.
  MNS_HD RigidRate of(RigidRate free, const Vec3d& force, const Vec3d& torque) const {
    RigidRate left = free;
    for (int k = 0; k < kFreedoms; ++k) {
      const double share = dot(along[k].linear, force) + dot(along[k].angular, torque);
      left.linear -= along[k].linear * share;
      left.angular -= along[k].angular * share;
    }
    return left;
  }
};

MNS_NS_END

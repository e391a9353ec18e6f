// What contacts leave of a rigid body's freedom, in the pressure equation.
//
// A body that lies on something does not give way where it lies, and a solve that does not know that lets it: the water pushes, a
// contact takes the motion back after the solve, and the next solve gives way again by the share of the water in what moves. Of a
// body a tenth as heavy as the water that moves along, nine tenths of the error are left by each of them.
#pragma once

#include <cstddef>

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

// Bodies that hold each other move together: a direction is one of all of them, orthonormal in the sense of all their masses. From
// the accelerations that forces make of free bodies to those that are left, and of the quadratic form what the holds take.
// Numbers of the islands: how many; of each the number m of its bodies, that of its directions, the bodies; of each direction the
// accelerations of the bodies by a unit impulse along it, body after body (RigidRate), and then the impulse on each.
struct HoldIslands {
  const double* islands;
  double V;  // forces act on 1/V of the masses
  const RigidRate* free;
  RigidRate* left;
  double* quadratic;  // a body
  MNS_HD void operator()() const {
    const double* at = islands;
    for (int island = int(*at++); island > 0; --island) {
      const int m = int(at[0]);
      const double* const body = at + 2;
      const RigidRate* along = reinterpret_cast<const RigidRate*>(body + m);
      for (int direction = int(at[1]); direction > 0; --direction, along += 2 * m) {
        double share = 0;
        for (int k = 0; k < m; ++k) {
          const RigidRate &n = along[m + k], &a = free[int(body[k])];
          share += dot(n.linear, a.linear) + dot(n.angular, a.angular);
        }
        for (int k = 0; k < m; ++k) {
          left[int(body[k])].linear -= along[k].linear * share;
          left[int(body[k])].angular -= along[k].angular * share;
        }
        quadratic[int(body[0])] -= share * share / V;
      }
      at = reinterpret_cast<const double*>(along);
    }
  }
};

// Of an island: its directions take the time of its square. What more bodies touch holds by the sweeps alone.
constexpr int kMostOfIsland = 24;
// Room for the islands of so many bodies [numbers].
inline std::size_t mostIslandNumbers(std::size_t bodies) {
  constexpr std::size_t kMost = kMostOfIsland, kRates = sizeof(RigidRate) / sizeof(double);
  const std::size_t m = bodies < kMost ? bodies : kMost, islands = m ? (bodies + m - 1) / m : 0;
  return 1 + islands * (2 + m + kFreedoms * m * 2 * m * kRates);
}

MNS_NS_END

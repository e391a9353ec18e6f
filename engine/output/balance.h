// Mechanical energy and momentum of a world, in double.
#pragma once

#include "engine/world/world.h"

namespace meniscus {

// Kinetic, gravitational (relative to the scene's origin) and elastic energy of fluid and solids [J].
double totalEnergy(const World& world);

struct Momentum {
  Vec3d p{};        // kg m/s, of fluid and moving solids
  double mass = 0;  // kg, of the same
};
Momentum totalMomentum(const World& world);

}  // namespace meniscus

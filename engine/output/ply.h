// PLY files (binary, little endian).
#pragma once

#include <string>

#include "engine/output/surfaces.h"
#include "engine/world/world.h"

namespace meniscus {

// Particles: x y z [m], vx vy vz [m/s], pressure [Pa], density_error [1], id.
std::string plyParticles(const World& world);
// Solids: x y z [m], vx vy vz [m/s], body, and triangles.
std::string plySurfaces(const Surfaces& surfaces);

}  // namespace meniscus

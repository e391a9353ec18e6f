// PLY files (binary, little endian).
#pragma once

#include <string>

#include "engine/output/fluid_surface.h"
#include "engine/output/surfaces.h"
#include "engine/world/world.h"

namespace meniscus {

// Particles: x y z [m], vx vy vz [m/s], pressure [Pa], density_error [1], id.
std::string plyParticles(const World& world);
// Solids: x y z [m], vx vy vz [m/s], body, and triangles.
std::string plySurfaces(const Surfaces& surfaces);
// The fluid's surface: x y z [m], vx vy vz [m/s], nx ny nz, fluid, and triangles.
std::string plyFluidSurface(const FluidSurface& surface);

}  // namespace meniscus

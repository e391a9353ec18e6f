// Particles brought in and taken out one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/world/world.h"

namespace meniscus {

// Room for n particles in all, so that appending up to there cannot fail.
void reserveParticles(FluidState& fluid, std::size_t n);

// One more, with the next id. x: relative to the domain's lower corner [m]; u: m/s.
void appendParticle(World& world, const Vec3d& x, const Vec3d& u, std::uint8_t kind);

// Takes out those with remove[i] != 0 (one byte a particle); the others keep their order. Returns how many.
Index removeParticles(FluidState& fluid, const std::vector<std::uint8_t>& remove);

}  // namespace meniscus

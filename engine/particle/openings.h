// Emitters and drains.
#pragma once

#include "engine/base/buffer.h"
#include "engine/world/world.h"

namespace meniscus {

// Emits the particles due at the start of a sub-step of h seconds and marks in `drop` (one byte a particle, or empty) those the
// drains take. A jet is a lattice of layers that travels with it: a layer is let go at the first sub-step at which its middle has
// left the opening, displaced by the way it has already gone, so that the distances of the layers do not depend on the sub-steps'
// lengths. Sites of a layer where a particle is nearer than 0.6 spacings are left out and counted as blocked; no room in the arrays
// is reported as overflow. Drains take the lowest ids first.
void applyOpenings(World& world, double h, Buffer<std::uint8_t>& drop);

}  // namespace meniscus

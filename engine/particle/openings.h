// Emitters and drains.
#pragma once

#include <vector>

#include "engine/base/buffer.h"
#include "engine/world/world.h"
#include "kernels/fluid/openings.h"

namespace meniscus {

// Emits the particles due at the start of a sub-step of h seconds and marks in `drop` (one byte a particle, or empty) those the
// drains take. A jet is a lattice of layers that travels with it: a layer is let go at the first sub-step at which its middle has
// left the opening, displaced by the way it has already gone, so that the distances of the layers do not depend on the sub-steps'
// lengths. Sites of a layer where a particle is nearer than 0.6 spacings are left out and counted as blocked, and so are those
// for which the arrays have no room, which is reported as overflow as well. Drains take the lowest ids first.
void applyOpenings(World& world, double h, Buffer<std::uint8_t>& drop);

// Particles that openings act on, wherever they are.
class OpeningParticles {
 public:
  virtual ~OpeningParticles() = default;
  virtual Index count() const = 0;  // those that are to be removed as well
  // Finds those at a drain that no other one has taken, and returns their number.
  virtual std::size_t findAt(const DrainPlace& drain) = 0;
  // Of those found last, `most` with the lowest ids are to be removed.
  virtual void take(std::size_t most) = 0;
  // taken[k] = 1 where a particle is too near to site k.
  virtual void findTaken(const LayerPlace& layer, const std::vector<Vec3d>& sites, std::vector<std::uint8_t>& taken) = 0;
  // More of one kind that move alike, with the world's next ids; x: relative to the domain's lower corner [m]
  virtual void append(const std::vector<Vec3d>& x, const Vec3d& u, std::uint8_t kind) = 0;
};

// The same for particles that may be elsewhere, at time t [s]. Counts and the openings' own state are the world's.
void applyOpenings(World& world, double t, double h, OpeningParticles& particles);

}  // namespace meniscus

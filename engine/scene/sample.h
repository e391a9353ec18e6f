// Filling volumes with particles.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/region.h"

namespace meniscus {

// What particles must keep out of. World frame.
struct FillObstacle {
  std::string name;
  const Region* region = nullptr;
  bool container = false;  // the free space is inside
  bool shell = false;      // deformable surface that may have fluid on either side
  SourceRef where;
  // Distance [m] to the surface, positive in the free space (open surfaces and shells: never negative); n: direction away from the
  // surface into the free space, on the side where x is.
  double clearance(const Vec3d& x, double reach, Vec3d* n) const;
};

struct Surroundings {
  Box3 domain;
  bool walls[6] = {};  // -x +x -y +y -z +z
  std::vector<FillObstacle> obstacles;
  // Whether x is behind a wall of the domain or inside the material of a solid.
  bool blocked(const Vec3d& x) const;
};

// Lattice filling a box between walls. Along an axis with both faces blocked the layers are spread evenly, half a layer off the
// faces; along the others the spacing makes up for it, so that every particle has the volume V.
struct BoxLattice {
  Vec3d origin{}, spacing{};  // m, box frame: first particle; distance of layers
  Index n[3] = {0, 0, 0};
  bool closed = false;  // all six faces blocked
};
BoxLattice latticeOfBox(const Region& box, const Surroundings& around, double particleVolume);
std::vector<Vec3d> fillLattice(const Region& box, const BoxLattice& lattice);

// round(volume / particleVolume) particles on a cubic lattice about the middle of the region: all deep inside, and of those near
// the surface as many as are due, the deeper ones first.
std::vector<Vec3d> fillRegion(const Region& region, double particleVolume);

// Random displacement of particle i, each component in [-amplitude/2, amplitude/2], from a counter-based generator.
Vec3d jitterOf(std::uint32_t i, double amplitude);

// Moves x to where it is at least `depth` inside a closed region. False where the region is too narrow for that.
bool pullInside(Vec3d& x, const Region& region, double depth);
// The same for its outside.
bool pushOutside(Vec3d& x, const Region& region, double distance);

// Moves x out of the walls and obstacles until it is `distance` away from all. False where there is no such place near by.
bool pushFree(Vec3d& x, const Surroundings& around, double distance);

}  // namespace meniscus

// Questions about a state between steps: rays, spheres, the fluid at a point. Asked from several threads at once.
#pragma once

#include <mutex>
#include <vector>

#include "engine/world/particle_grid.h"
#include "engine/world/surface_rays.h"

namespace meniscus {

// World frame, SI units.
struct RayHit {
  double share = 1;             // of the ray, 0..1
  Vec3d n{};                    // unit, against the ray
  Index rigid = -1, body = -1;  // into SolidState::rigid and ::bodies; both -1: fluid or a wall of the domain
  Index triangle = -1;          // in SolidState::tri
  Index particle = -1;          // internal index
};

struct FluidAt {
  double filled = 0;    // sum of the kernel over the particles: 0 in air, about 1 inside
  double density = 0;   // kg/m^3, at rest; 0 in air
  double pressure = 0;  // Pa
  Vec3d velocity{};     // m/s
};

struct Buoyancy {
  double volume = 0;  // m^3
  Vec3d force{}, center{}, velocity{};
};

class Queries {
 public:
  // The state has changed. What the answers need is made when it is asked for, once.
  void stale();

  // The first body or wall, or particle (a ball half a spacing in radius), on the way from origin to origin + ray. False: none.
  bool rayCast(const World& world, const Vec3d& origin, const Vec3d& ray, bool bodies, bool fluid, RayHit& hit);

  // Marks, by SolidState::rigid and ::bodies, those with a point in the sphere. Solids are filled, containers filled outside.
  void bodiesIn(const World& world, const Vec3d& center, double radius, std::vector<char>& rigid, std::vector<char>& bodies);
  // Ids, ascending, of the particles with their centre in the sphere.
  void particlesIn(const World& world, const Vec3d& center, double radius, std::vector<std::uint32_t>& ids);

  // Means by the fluid's kernel over its support, normalised by its sum (Shepard 1968).
  FluidAt fluidAt(const World& world, const Vec3d& x);
  // curl u [1/s] of every particle of `order`, xyz and 0.
  void vorticity(const World& world, const Buffer<Index>& order, Vec4f* out);
  // Of the part of the sphere that is in the fluid.
  Buoyancy buoyancy(const World& world, const Vec3d& center, double radius);

 private:
  const ParticleGrid& grid(const World& world);
  const SurfaceRays& surfaces(const World& world);
  void rayOnParticles(const World& world, const Vec3d& origin, const Vec3d& ray, RayHit& hit);

  std::mutex mutex_;
  ParticleGrid grid_;
  SurfaceRays surfaces_;
  bool gridFresh_ = false, surfacesFresh_ = false;
};

}  // namespace meniscus

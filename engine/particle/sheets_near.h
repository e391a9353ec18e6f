// Boundary::separated for many pairs in a row: particles of a cell share the search for the triangles near it, pairs of a particle
// the search for those near that, and most pairs are told by planes and spheres.
#pragma once

#include "engine/particle/boundary.h"
#include "engine/particle/boundary_lanes.h"

namespace meniscus {

class SheetsNear {
 public:
  // Of the boundary whose features were found last, particles of `cell` in the box [lo, hi].
  void enterCell(const Boundary& boundary, Index cell, const Vec3f& lo, const Vec3f& hi);
  // A particle of the cell, at x.
  void enterParticle(Index a, const Vec3f& x);
  // b: within the support of the particle a, at x_a - d. True where boundary.separated(a, b) is.
  bool separated(Index b, const Vec3f& d, float length) const;

  void makeRoomOf(const SheetsNear& other) {
    cell_.makeRoomOf(other.cell_);
    particle_.makeRoomOf(other.particle_);
  }

 private:
  Vec3f position(Index i) const;
  bool meetsAny(Index b, const Index* tri, unsigned mask) const;

  const Boundary* boundary_ = nullptr;
  TriangleLanesBuffer cell_, particle_;
  Index a_ = 0;
};

}  // namespace meniscus

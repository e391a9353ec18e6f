// Velocities from the particles of water to the faces of the grid and back, past a shell that hides one from the other.
//
// Based on: Jiang et al., The affine particle-in-cell method, 2015.
#pragma once

#include "engine/exec/exec.h"
#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/smoke/smoke_sampling.h"
#include "engine/grid/water/water_state.h"

namespace meniscus {

// u* of the faces beside water: the mean over the particles that the face's centre can see, each with its affine field, plus
// gravity over the step. A face that the shell closes and whose centre lies in the air takes those that its cells of water see.
// Where no particle is seen, and in the air, the face keeps its velocity; next to water plus gravity. Faces of given velocity keep
// theirs. closed: the faces of the shell where it stands in `rays`.
template <int D>
void gatherVelocity(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellFaces<D>& closed,
                    const ShellRays<D>& rays, const WaterState<D>& state, double dt, WaterScratch<D>& scratch,
                    Buffer<double>* predicted);

// The velocity at x, and its gradient, as a particle takes them from the grid.
template <int D>
struct AffineVelocity {
  Point<D> v;
  std::array<Point<D>, D> gradient;
};
template <int D>
AffineVelocity<D> affineVelocity(const OneSided<D>& field, const Buffer<double>* velocity, const Point<D>& x);

// The velocity alone, where no shell is near.
template <int D>
Point<D> clearVelocity(const MacGrid<D>& grid, const Buffer<double>* velocity, const Point<D>& x);

}  // namespace meniscus

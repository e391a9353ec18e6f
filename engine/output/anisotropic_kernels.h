// Ellipsoids that particles are drawn out to where the fluid's surface is (Yu & Turk 2013, Reconstructing surfaces of
// particle-based fluids using anisotropic kernels): flat along the surface, so that it is smooth, and spheres inside.
#pragma once

#include "engine/exec/exec.h"
#include "engine/world/particle_grid.h"

namespace meniscus {

// Its share of the field that is 1 in the fluid and 0 outside is weight * w(|G r|), r from its centre [m], where
// w(q) = (1 - q)^4 (1 + 4 q) below q = 1.
struct Ellipsoid {
  Vec3f x;                             // m, from the domain's lower corner
  float m00, m11, m22, m01, m02, m12;  // G^T G [1/m^2]
  Vec3f reach;                         // half the box about it [m]
  float weight;
};

// Of n particles at x (xyz from the domain's lower corner [m]) with the spacing dx [m], in `grid`, whose cells are at least
// kernelNeighbourhood(dx) wide.
void anisotropicKernels(Exec& exec, const ParticleGrid& grid, const Vec4f* x, Index n, double dx, Buffer<Ellipsoid>& out);
double kernelNeighbourhood(double dx);  // m

// The field's value at the surface of still fluid, half a spacing above its last layer: the ellipsoids' centres are smoothed, which
// draws that layer in, and the value makes up for it.
double surfaceValue();

// Sum over all ellipsoids at a place [m].
double fieldAt(const Buffer<Ellipsoid>& ellipsoids, const Vec3d& place);

}  // namespace meniscus

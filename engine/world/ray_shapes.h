// Rays against primitives, in the primitive's own frame.
#pragma once

#include "kernels/contact/primitives.h"

namespace meniscus {

// The first point of the surface on the way from origin to origin + share ray, from either side: share becomes where it is, and n
// the unit normal out of the shape there (planes: their normal).
bool castOnPrimitive(const PrimitiveShape<double>& shape, const Vec3d& origin, const Vec3d& ray, double& share, Vec3d& n);

}  // namespace meniscus

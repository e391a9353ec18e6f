// The surface of a body that moves as a whole, as pictures show it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/world/world.h"

namespace meniscus {

// In the body's frame [m]; normals are unit vectors.
struct RigidSurface {
  std::vector<Vec3d> x, n;
  std::vector<std::int32_t> tri;  // 3 a triangle, outward
};

// Of a mesh, or of a primitive cut into triangles; smooth but for edges sharper than kSmoothOfRigid.
RigidSurface rigidSurface(const World& world, const RigidBody& body);

}  // namespace meniscus

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

// Of a mesh, or of a primitive cut into triangles. Triangles that meet at less than 40 degrees are smooth there; at sharper edges
// each has points of its own.
RigidSurface rigidSurface(const World& world, const RigidBody& body);

}  // namespace meniscus

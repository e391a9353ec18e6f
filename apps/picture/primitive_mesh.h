// Triangles of primitives, which have no arrays of their own in the library.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "apps/picture/scene_facts.h"

namespace meniscus::picture {

struct TriangleMesh {
  std::vector<glm::vec4> position, normal;  // by node; the fourth number is not used
  std::vector<std::int32_t> triangles;      // three nodes each, counter-clockwise from outside
};

// In the primitive's own frame. Planes are squares of the edge length `extent` [m].
TriangleMesh primitiveMesh(const Primitive& shape, float extent);

}  // namespace meniscus::picture

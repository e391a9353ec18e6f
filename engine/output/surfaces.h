// The surfaces of all solids as triangles in the world frame: what VTK, PLY and pictures show of them.
#pragma once

#include <string>
#include <vector>

#include "engine/world/world.h"

namespace meniscus {

struct Surfaces {
  std::vector<Vec3f> x;            // m
  std::vector<Vec3f> v;            // m/s
  std::vector<std::int32_t> body;  // of each point: index into `names`
  std::vector<std::int32_t> tri;   // 3 a triangle
  std::vector<std::string> names;
  std::vector<float>
      stretch;  // of each point (nodeStretch; 0 of what does not deform); empty: the scene's view does not ask for it
};

// Deformable bodies, mesh and primitive rigid, kinematic and fixed bodies. Primitives are cut into triangles; a plane is shown as a
// square as wide as the domain's diagonal. The walls of the domain are left out.
Surfaces collectSurfaces(const World& world);

}  // namespace meniscus

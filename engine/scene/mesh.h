// Meshes on their way from a file or a shape to a body.
#pragma once

#include <vector>

#include "kernels/core/vec.h"

namespace meniscus {

struct SurfaceMesh {
  std::vector<Vec3d> x;    // m
  std::vector<Index> tri;  // 3 a triangle
};
struct TetMesh {
  std::vector<Vec3d> x;    // m
  std::vector<Index> tri;  // surface, outward
  std::vector<Index> tet;  // positive volume
};

}  // namespace meniscus

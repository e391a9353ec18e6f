// A box of tetrahedra, whose cells are as many as are asked for: bodies with closed forms are not cut by an unstructured mesher.
#pragma once

#include <vector>

#include "kernels/core/vec.h"
#include "meniscus/meniscus.h"

namespace meniscus::validate {

struct Block {
  std::vector<float> x;            // m, three a node
  std::vector<std::int32_t> tets;  // four nodes each
  // The body's definition points into the arrays.
  mnsShape shape() const;
};

// Cells along x, y, z from the corner `origin` [m], each cut into six tetrahedra around a diagonal, the mirror image of its
// neighbours: with all diagonals one way, bodies have a grain and bend less (of a thin plate with nu = 0.34 and two cells over its
// thickness, 0.52 of what it should, and 0.65 mirrored).
Block block(int nx, int ny, int nz, const Vec3d& size, const Vec3d& origin = {});

}  // namespace meniscus::validate

// The surface on which a field on a grid of nodes has a value, as triangles (marching cubes, Lorensen & Cline 1987): points on the
// grid's edges, a polygon or more in each cell. Closed where the field's outermost nodes are outside, and two triangles at each
// edge.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/buffer.h"
#include "kernels/core/vec.h"

namespace meniscus {

struct NodeField {
  Vec3d origin{};       // m, of node (0, 0, 0)
  double spacing = 1;   // m
  Vec3<Index> n{};      // nodes along x, y, z
  Buffer<float> value;  // x fastest

  std::size_t at(Index i, Index j, Index k) const {
    return (std::size_t(k) * std::size_t(n.y) + std::size_t(j)) * std::size_t(n.x) + std::size_t(i);
  }
};

// Appends to x [m], normals (unit, to where the field is less) and triangles, counter-clockwise seen from there.
void marchingCubes(const NodeField& field, float value, std::vector<Vec3f>& x, std::vector<Vec3f>& normal,
                   std::vector<std::int32_t>& tri);

}  // namespace meniscus

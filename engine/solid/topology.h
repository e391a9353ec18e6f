// Edges of triangle meshes, in the order of their first appearance.
#pragma once

#include <vector>

#include "kernels/core/macros.h"

namespace meniscus {

struct MeshEdge {
  Index a, b;                       // as the first triangle runs through them
  Index tri0, tri1 = -1;            // triangles at the edge; -1: border
  Index opposite0, opposite1 = -1;  // their third nodes
  int triangles = 1;                // more than 2: not a manifold
};
// tri: 3 node numbers a triangle.
std::vector<MeshEdge> uniqueEdges(const std::vector<Index>& tri);
// Every edge has two triangles that run through it in opposite directions.
bool isClosed(const std::vector<Index>& tri, const std::vector<MeshEdge>& edges);

}  // namespace meniscus

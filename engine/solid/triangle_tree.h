// Closest point on a triangle surface: a tree of axis-aligned boxes over the triangles, in the surface's own frame.
#pragma once

#include <vector>

#include "kernels/contact/triangle.h"

namespace meniscus {

class TriangleTree {
 public:
  struct Hit {
    double distance;  // m, signed where the surface is closed: negative inside
    Vec3d n;          // unit, out of the surface; open surfaces: towards the point
    Vec3d point;      // m
  };

  // tri: 3 node numbers a triangle, into x. Triangles without area are left out.
  TriangleTree(const Vec3d* x, const std::vector<Index>& tri, bool closed);

  // The closest point to p nearer than reach; inside a closed surface however deep. Sign by angle-weighted normals (Baerentzen &
  // Aanaes 2005).
  bool closest(const Vec3d& p, double reach, Hit& hit) const;

 private:
  struct Node {
    Vec3d lo, hi;        // m
    Index first, count;  // leaf: triangles; inner node: count is 0, `first` is the second child, the first one follows the node
  };
  struct Triangle {
    PackedTriangle packed;
    Vec3d a, e1, e2;  // m
    Vec3d normal[7];  // outward, by TriangleRegion; not normalised for edges and vertices
  };
  void build(std::vector<Index>& order, Index begin, Index end, const std::vector<Triangle>& all);

  std::vector<Node> nodes_;
  std::vector<Triangle> triangles_;
  bool closed_;
};

}  // namespace meniscus

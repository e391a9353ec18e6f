// A tree of boxes over the triangles of a surface mesh: nearest point, crossings along a ray, overlapping pairs.
#pragma once

#include <vector>

#include "engine/scene/mesh.h"

namespace meniscus {

struct Box3 {
  Vec3d lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};  // m; empty
  void add(const Vec3d& x) { lo = minOf(lo, x), hi = maxOf(hi, x); }
  void add(const Box3& b) { lo = minOf(lo, b.lo), hi = maxOf(hi, b.hi); }
  bool empty() const { return lo.x > hi.x; }
  bool overlaps(const Box3& b) const {
    return lo.x <= b.hi.x && b.lo.x <= hi.x && lo.y <= b.hi.y && b.lo.y <= hi.y && lo.z <= b.hi.z && b.lo.z <= hi.z;
  }
  double distance2(const Vec3d& x) const;  // to the box; 0 inside
};

Box3 boundsOf(const std::vector<Vec3d>& x);

class SurfaceTree {
 public:
  SurfaceTree() = default;
  explicit SurfaceTree(SurfaceMesh mesh);

  const SurfaceMesh& mesh() const { return mesh_; }
  Vec3d normal(Index triangle) const;  // unit
  const Box3& bounds() const { return nodes_.empty() ? none_ : nodes_[0].box; }

  struct Nearest {
    double distance = 0;  // m
    Vec3d point{};
    Index triangle = -1;  // -1: none within reach
  };
  // The nearest triangle to x, if within `reach`; ties go to the lowest number.
  Nearest nearest(const Vec3d& x, double reach) const;

  // Winding number of x: crossings of the ray from x towards +x, each counted by the side from which it is met. For a closed,
  // consistently outward mesh 1 inside and 0 outside. Exact at edges and vertices: a ray that grazes one is counted once.
  int winding(const Vec3d& x) const;

  // Calls f(triangle) for the triangles whose boxes overlap b.
  template <class F>
  void overlapping(const Box3& b, F&& f) const {
    if (nodes_.empty()) return;
    Index stack[kMaxDepth];
    int top = 0;
    stack[top++] = 0;
    while (top) {
      const Node& n = nodes_[std::size_t(stack[--top])];
      if (!n.box.overlaps(b)) continue;
      if (n.count) {
        for (Index k = n.first; k < n.first + n.count; ++k) f(order_[std::size_t(k)]);
      } else {
        stack[top++] = n.first;
        stack[top++] = n.first + 1;
      }
    }
  }

 private:
  static constexpr int kMaxDepth = 128;
  struct Node {
    Box3 box;
    Index first = 0;  // leaf: in order_; else the first of two children
    Index count = 0;  // leaf: triangles; else 0
  };
  void build(Index node, Index begin, Index end, const std::vector<Vec3d>& centers);

  SurfaceMesh mesh_;
  std::vector<Node> nodes_;
  std::vector<Index> order_;
  Box3 none_;
};

// Closest point of triangle abc to x.
Vec3d nearestOnTriangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c);

}  // namespace meniscus

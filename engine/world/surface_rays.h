// All triangles of a state in a tree of boxes: rays and spheres against surfaces.
#pragma once

#include "engine/base/buffer.h"
#include "engine/solid/solid_state.h"

namespace meniscus {

// World frame [m].
class SurfaceRays {
 public:
  // Of the surfaces as they are now. Allocates nothing once there is room.
  void build(const SolidState& s);

  struct Hit {
    double share;    // of the ray, 0..1
    Vec3d n;         // unit, against the ray
    Index triangle;  // in SolidState::tri
  };
  // The first triangle on the way from origin to origin + share ray, from either side.
  bool cast(const SolidState& s, const Vec3d& origin, const Vec3d& ray, double share, Hit& hit) const;

  // Calls f(triangle) for those with a point in the sphere.
  template <class F>
  void forEachIn(const SolidState& s, const Vec3d& center, double radius, const F& f) const {
    if (nodes_.empty()) return;
    Index stack[kDepth];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Index i = stack[--top];
      const Node& node = nodes_[std::size_t(i)];
      if (norm2(maxOf(Vec3d{}, maxOf(node.lo - center, center - node.hi))) > radius * radius) continue;
      for (Index k = node.first; k < node.first + node.count; ++k)
        if (touches(s, order_[std::size_t(k)], center, radius)) f(order_[std::size_t(k)]);
      if (node.count > 0) continue;
      stack[top++] = node.first;
      stack[top++] = i + 1;
    }
  }

 private:
  static constexpr int kDepth = 64;
  struct Node {
    Vec3d lo, hi;
    Index first, count;  // leaf: in order_; inner node: count is 0, `first` is the second child, the first one follows the node
  };
  void build(const SolidState& s, Index begin, Index end);
  static bool touches(const SolidState& s, Index triangle, const Vec3d& center, double radius);

  Buffer<Node> nodes_;
  Buffer<Index> order_;
};

}  // namespace meniscus

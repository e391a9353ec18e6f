#include "engine/world/surface_rays.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/scene/surface_tree.h"

namespace meniscus {
namespace {

constexpr Index kLeaf = 4;

const Vec3d& corner(const SolidState& s, Index triangle, int k) {
  return s.x[std::size_t(s.tri[3 * std::size_t(triangle) + std::size_t(k)])];
}

// Where in [0, most] the ray is in the box; false where it is not.
bool meetsBox(const Vec3d& lo, const Vec3d& hi, const Vec3d& origin, const Vec3d& ray, double most, double& enters) {
  double a = 0, b = most;
  for (int k = 0; k < 3; ++k) {
    if (ray[k] == 0) {
      if (origin[k] < lo[k] || origin[k] > hi[k]) return false;
      continue;
    }
    double t0 = (lo[k] - origin[k]) / ray[k], t1 = (hi[k] - origin[k]) / ray[k];
    if (t0 > t1) std::swap(t0, t1);
    a = std::max(a, t0);
    b = std::min(b, t1);
  }
  enters = a;
  return a <= b * (1 + 1e-12) + 1e-300;
}

// Moeller & Trumbore 1997. Rays through an edge, to round-off, meet both of its triangles.
bool meetsTriangle(const Vec3d& a, const Vec3d& e1, const Vec3d& e2, const Vec3d& origin, const Vec3d& ray, double& share) {
  constexpr double kSlack = 1e-10;
  const Vec3d p = cross(ray, e2);
  const double det = dot(e1, p);
  if (det == 0) return false;
  const Vec3d r = origin - a;
  const double u = dot(r, p) / det;
  if (!(u >= -kSlack && u <= 1 + kSlack)) return false;
  const Vec3d q = cross(r, e1);
  const double v = dot(ray, q) / det;
  if (!(v >= -kSlack && u + v <= 1 + kSlack)) return false;
  const double t = dot(e2, q) / det;
  if (!(t >= 0 && t < share)) return false;
  share = t;
  return true;
}

}  // namespace

void SurfaceRays::build(const SolidState& s) {
  const Index n = Index(s.tri.size() / 3);
  nodes_.clear();
  order_.resizeUninitialized(std::size_t(n));
  for (Index t = 0; t < n; ++t) order_[std::size_t(t)] = t;
  if (n > 0) build(s, 0, n);
}

// Halves by the centres along the longest axis.
void SurfaceRays::build(const SolidState& s, Index begin, Index end) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Node node{{inf, inf, inf}, {-inf, -inf, -inf}, begin, end - begin};
  for (Index k = begin; k < end; ++k)
    for (int c = 0; c < 3; ++c) {
      const Vec3d& x = corner(s, order_[std::size_t(k)], c);
      node.lo = minOf(node.lo, x);
      node.hi = maxOf(node.hi, x);
    }
  const std::size_t self = nodes_.size();
  nodes_.push_back(node);
  if (end - begin <= kLeaf) return;
  const Vec3d size = node.hi - node.lo;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto center = [&](Index t) { return corner(s, t, 0)[axis] + corner(s, t, 1)[axis] + corner(s, t, 2)[axis]; };
  const Index middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](Index i, Index j) {
    const double a = center(i), b = center(j);
    return a != b ? a < b : i < j;
  });
  build(s, begin, middle);
  nodes_[self].count = 0;
  nodes_[self].first = Index(nodes_.size());
  build(s, middle, end);
}

bool SurfaceRays::cast(const SolidState& s, const Vec3d& origin, const Vec3d& ray, double share, Hit& hit) const {
  if (nodes_.empty()) return false;
  double best = share * (1 + 1e-15);
  bool found = false;
  Index stack[kDepth];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Index i = stack[--top];
    const Node& node = nodes_[std::size_t(i)];
    double enters;
    if (!meetsBox(node.lo, node.hi, origin, ray, best, enters)) continue;
    for (Index k = node.first; k < node.first + node.count; ++k) {
      const Index t = order_[std::size_t(k)];
      const Vec3d a = corner(s, t, 0), e1 = corner(s, t, 1) - a, e2 = corner(s, t, 2) - a;
      if (!meetsTriangle(a, e1, e2, origin, ray, best)) continue;
      const Vec3d n = normalized(cross(e1, e2));
      hit = {best, dot(n, ray) > 0 ? -n : n, t};
      found = true;
    }
    if (node.count > 0) continue;
    const Node& one = nodes_[std::size_t(i) + 1];
    double first = 0;
    const bool oneFirst = meetsBox(one.lo, one.hi, origin, ray, best, first) && first <= enters;
    stack[top++] = oneFirst ? node.first : i + 1;
    stack[top++] = oneFirst ? i + 1 : node.first;
  }
  return found;
}

bool SurfaceRays::touches(const SolidState& s, Index t, const Vec3d& center, double radius) {
  return norm2(nearestOnTriangle(center, corner(s, t, 0), corner(s, t, 1), corner(s, t, 2)) - center) <= radius * radius;
}

}  // namespace meniscus

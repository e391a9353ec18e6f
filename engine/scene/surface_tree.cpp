#include "engine/scene/surface_tree.h"

#include <algorithm>
#include <cmath>

namespace meniscus {

double Box3::distance2(const Vec3d& x) const {
  double d2 = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = x[k] < lo[k] ? lo[k] - x[k] : (x[k] > hi[k] ? x[k] - hi[k] : 0);
    d2 += d * d;
  }
  return d2;
}

Box3 boundsOf(const std::vector<Vec3d>& x) {
  Box3 b;
  for (const Vec3d& p : x) b.add(p);
  return b;
}

SurfaceTree::SurfaceTree(SurfaceMesh mesh) : mesh_(std::move(mesh)) {
  const Index n = Index(mesh_.tri.size() / 3);
  if (n == 0) return;
  std::vector<Vec3d> centers(static_cast<std::size_t>(n));
  order_.resize(std::size_t(n));
  for (Index t = 0; t < n; ++t) {
    const Index* v = &mesh_.tri[3 * std::size_t(t)];
    centers[std::size_t(t)] = (mesh_.x[std::size_t(v[0])] + mesh_.x[std::size_t(v[1])] + mesh_.x[std::size_t(v[2])]) / 3.0;
    order_[std::size_t(t)] = t;
  }
  nodes_.reserve(std::size_t(n));
  nodes_.emplace_back();
  build(0, 0, n, centers);
}

void SurfaceTree::build(Index node, Index begin, Index end, const std::vector<Vec3d>& centers) {
  constexpr Index kLeaf = 4;
  Box3 box, spread;
  for (Index k = begin; k < end; ++k) {
    const Index t = order_[std::size_t(k)];
    for (int c = 0; c < 3; ++c) box.add(mesh_.x[std::size_t(mesh_.tri[3 * std::size_t(t) + std::size_t(c)])]);
    spread.add(centers[std::size_t(t)]);
  }
  nodes_[std::size_t(node)].box = box;
  if (end - begin <= kLeaf) {
    nodes_[std::size_t(node)].first = begin;
    nodes_[std::size_t(node)].count = end - begin;
    return;
  }
  const Vec3d size = spread.hi - spread.lo;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
  const Index middle = begin + (end - begin) / 2;  // halves: the depth is the logarithm of the count
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](Index a, Index b) {
    const double ca = centers[std::size_t(a)][axis], cb = centers[std::size_t(b)][axis];
    return ca != cb ? ca < cb : a < b;
  });
  const Index child = Index(nodes_.size());
  nodes_[std::size_t(node)].first = child;
  nodes_.emplace_back();
  nodes_.emplace_back();
  build(child, begin, middle, centers);
  build(child + 1, middle, end, centers);
}

SurfaceTree::Nearest SurfaceTree::nearest(const Vec3d& x, double reach) const {
  Nearest best;
  double best2 = reach * reach;
  if (nodes_.empty()) return best;
  struct Entry {
    Index node;
    double d2;
  } stack[kMaxDepth];
  int top = 0;
  stack[top++] = {0, nodes_[0].box.distance2(x)};
  while (top) {
    const Entry e = stack[--top];
    if (e.d2 > best2) continue;
    const Node& n = nodes_[std::size_t(e.node)];
    if (!n.count) {
      Entry a{n.first, nodes_[std::size_t(n.first)].box.distance2(x)},
          b{n.first + 1, nodes_[std::size_t(n.first + 1)].box.distance2(x)};
      if (a.d2 < b.d2) std::swap(a, b);
      stack[top++] = a;
      stack[top++] = b;  // the nearer one first
      continue;
    }
    for (Index k = n.first; k < n.first + n.count; ++k) {
      const Index t = order_[std::size_t(k)];
      const Index* v = &mesh_.tri[3 * std::size_t(t)];
      const Vec3d p = nearestOnTriangle(x, mesh_.x[std::size_t(v[0])], mesh_.x[std::size_t(v[1])], mesh_.x[std::size_t(v[2])]);
      const double d2 = norm2(x - p);
      if (d2 < best2 || (d2 == best2 && (best.triangle < 0 || t < best.triangle))) {
        best2 = d2;
        best = {0, p, t};
      }
    }
  }
  best.distance = std::sqrt(best2);
  return best;
}

Vec3d SurfaceTree::normal(Index triangle) const {
  const Index* v = &mesh_.tri[3 * std::size_t(triangle)];
  const Vec3d& a = mesh_.x[std::size_t(v[0])];
  return normalized(cross(mesh_.x[std::size_t(v[1])] - a, mesh_.x[std::size_t(v[2])] - a));
}

namespace {

// Sign of the area of (a, b, p) in the yz plane. The edge is taken in one fixed direction whichever triangle asks, so that two
// triangles sharing it agree to the last bit; a point on the edge's line counts as left of it.
bool leftOf(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
  const bool swapped = a.y != b.y ? a.y > b.y : (a.z != b.z ? a.z > b.z : a.x > b.x);
  const Vec3d &u = swapped ? b : a, &v = swapped ? a : b;
  const bool left = (v.y - u.y) * (p.z - u.z) - (v.z - u.z) * (p.y - u.y) >= 0;
  return left != swapped;
}

}  // namespace

int SurfaceTree::winding(const Vec3d& x) const {
  if (nodes_.empty()) return 0;
  int crossings = 0;
  Index stack[kMaxDepth];
  int top = 0;
  stack[top++] = 0;
  while (top) {
    const Node& n = nodes_[std::size_t(stack[--top])];
    if (x.y < n.box.lo.y || x.y > n.box.hi.y || x.z < n.box.lo.z || x.z > n.box.hi.z || x.x > n.box.hi.x) continue;
    if (!n.count) {
      stack[top++] = n.first;
      stack[top++] = n.first + 1;
      continue;
    }
    for (Index k = n.first; k < n.first + n.count; ++k) {
      const Index* v = &mesh_.tri[3 * std::size_t(order_[std::size_t(k)])];
      const Vec3d &a = mesh_.x[std::size_t(v[0])], &b = mesh_.x[std::size_t(v[1])], &c = mesh_.x[std::size_t(v[2])];
      const bool s = leftOf(a, b, x);
      if (s != leftOf(b, c, x) || s != leftOf(c, a, x)) continue;
      const Vec3d m = cross(b - a, c - a);
      if (m.x == 0) continue;  // seen edge-on
      // x of the plane at this y and z
      const double at = a.x - (m.y * (x.y - a.y) + m.z * (x.z - a.z)) / m.x;
      if (at > x.x) crossings += m.x > 0 ? 1 : -1;
    }
  }
  return crossings;
}

// Regions of the triangle's plane by projections on its edges: Ericson, Real-Time Collision Detection (2005), section 5.1.5.
Vec3d nearestOnTriangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a, ax = x - a;
  const double d1 = dot(ab, ax), d2 = dot(ac, ax);
  if (d1 <= 0 && d2 <= 0) return a;
  const Vec3d bx = x - b;
  const double d3 = dot(ab, bx), d4 = dot(ac, bx);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + ab * (d1 == d3 ? 0 : d1 / (d1 - d3));
  const Vec3d cx = x - c;
  const double d5 = dot(ab, cx), d6 = dot(ac, cx);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + ac * (d2 == d6 ? 0 : d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const double s = 1 / (va + vb + vc);
  return a + ab * (vb * s) + ac * (vc * s);
}

}  // namespace meniscus

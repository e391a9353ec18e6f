#include "engine/solid/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/solid/topology.h"

namespace meniscus {
namespace {

constexpr Index kLeaf = 4;
constexpr int kMaxDepth = 64;

double boxDistance2(const Vec3d& lo, const Vec3d& hi, const Vec3d& p) {
  const Vec3d d = maxOf(Vec3d{}, maxOf(lo - p, p - hi));
  return norm2(d);
}

double angleBetween(const Vec3d& a, const Vec3d& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

}  // namespace

TriangleTree::TriangleTree(const Vec3d* x, const std::vector<Index>& tri, bool closed) : closed_(closed) {
  const std::size_t n = tri.size() / 3;
  Index nodeCount = 0;
  for (Index i : tri) nodeCount = std::max(nodeCount, i + 1);
  std::vector<Vec3d> vertexNormal(std::size_t(nodeCount), Vec3d{});
  std::vector<Vec3d> faceNormal(n);
  for (std::size_t t = 0; t < n; ++t) {
    const Vec3d p[3] = {x[tri[3 * t]], x[tri[3 * t + 1]], x[tri[3 * t + 2]]};
    faceNormal[t] = normalized(cross(p[1] - p[0], p[2] - p[0]));
    for (std::size_t k = 0; k < 3; ++k)
      vertexNormal[std::size_t(tri[3 * t + k])] += faceNormal[t] * angleBetween(p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
  }
  std::vector<Vec3d> edgeNormal(3 * n);  // edge k of a triangle joins its nodes k and k + 1
  for (const MeshEdge& e : uniqueEdges(tri)) {
    Vec3d sum = faceNormal[std::size_t(e.tri0)];
    if (e.tri1 >= 0) sum += faceNormal[std::size_t(e.tri1)];
    for (Index t : {e.tri0, e.tri1}) {
      for (std::size_t k = 0; t >= 0 && k < 3; ++k) {
        const Index i = tri[std::size_t(t) * 3 + k], j = tri[std::size_t(t) * 3 + (k + 1) % 3];
        if ((i == e.a && j == e.b) || (i == e.b && j == e.a)) edgeNormal[std::size_t(t) * 3 + k] = sum;
      }
    }
  }
  std::vector<Triangle> all;
  for (std::size_t t = 0; t < n; ++t) {
    if (norm2(faceNormal[t]) == 0) continue;
    const Vec3d a = x[tri[3 * t]], b = x[tri[3 * t + 1]], c = x[tri[3 * t + 2]];
    Triangle r{PackedTriangle::make(Vec3f{}, Vec3f(b - a), Vec3f(c - a), 0.f), a, b - a, c - a, {}};
    r.normal[0] = faceNormal[t];
    for (std::size_t k = 0; k < 3; ++k) {
      r.normal[1 + k] = edgeNormal[3 * t + k];
      r.normal[4 + k] = vertexNormal[std::size_t(tri[3 * t + k])];
    }
    all.push_back(r);
  }
  std::vector<Index> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  if (!all.empty()) build(order, 0, Index(all.size()), all);
  for (Index i : order) triangles_.push_back(all[std::size_t(i)]);
}

// Halves by the centres along the longest axis.
void TriangleTree::build(std::vector<Index>& order, Index begin, Index end, const std::vector<Triangle>& all) {
  const double inf = std::numeric_limits<double>::infinity();
  Node node{{inf, inf, inf}, {-inf, -inf, -inf}, begin, end - begin};
  for (Index k = begin; k < end; ++k) {
    const Triangle& t = all[std::size_t(order[std::size_t(k)])];
    node.lo = minOf(node.lo, minOf(t.a, minOf(t.a + t.e1, t.a + t.e2)));
    node.hi = maxOf(node.hi, maxOf(t.a, maxOf(t.a + t.e1, t.a + t.e2)));
  }
  const std::size_t self = nodes_.size();
  nodes_.push_back(node);
  if (end - begin <= kLeaf) return;
  const Vec3d size = node.hi - node.lo;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto center = [&](Index i) {
    const Triangle& t = all[std::size_t(i)];
    return 3 * t.a[axis] + t.e1[axis] + t.e2[axis];
  };
  const Index middle = begin + (end - begin) / 2;
  std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](Index i, Index j) {
    const double a = center(i), b = center(j);
    return a != b ? a < b : i < j;
  });
  build(order, begin, middle, all);
  nodes_[self].count = 0;
  nodes_[self].first = Index(nodes_.size());
  build(order, middle, end, all);
}

bool TriangleTree::closest(const Vec3d& p, double reach, Hit& hit) const {
  if (nodes_.empty()) return false;
  double best = reach * reach;
  if (closed_ && boxDistance2(nodes_[0].lo, nodes_[0].hi, p) == 0) best = std::numeric_limits<double>::infinity();
  const Triangle* found = nullptr;
  TrianglePoint where{};
  Index stack[kMaxDepth];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Index i = stack[--top];
    const Node& node = nodes_[std::size_t(i)];
    if (boxDistance2(node.lo, node.hi, p) >= best) continue;
    if (node.count == 0) {
      const Node &one = nodes_[std::size_t(i) + 1], &two = nodes_[std::size_t(node.first)];
      const bool oneNearer = boxDistance2(one.lo, one.hi, p) <= boxDistance2(two.lo, two.hi, p);
      stack[top++] = oneNearer ? node.first : i + 1;
      stack[top++] = oneNearer ? i + 1 : node.first;
      continue;
    }
    for (Index k = node.first; k < node.first + node.count; ++k) {
      const Triangle& t = triangles_[std::size_t(k)];
      const Vec3d r = p - t.a;
      const TrianglePoint c = closestOnTriangle(t.packed, Vec3f(r));
      const double d2 = norm2(r - t.e1 * double(c.b1) - t.e2 * double(c.b2));
      if (d2 >= best) continue;
      best = d2;
      found = &t;
      where = c;
    }
  }
  if (!found) return false;
  const Vec3d r = p - found->a, offset = r - found->e1 * double(where.b1) - found->e2 * double(where.b2);
  const Vec3d normal = found->normal[int(where.region)];
  const double side = dot(normal, offset) < 0 ? -1 : 1;
  double d = norm(offset);
  Vec3d n = d > 0 ? offset * (1 / d) : normalized(normal) * side;
  if (where.region == TriangleRegion::face) {  // the plane's distance has no round-off from single precision
    d = std::fabs(dot(normal, r));
    n = normal * side;
  }
  hit.distance = closed_ ? side * d : d;
  hit.n = closed_ ? n * side : n;
  hit.point = p - n * d;
  return hit.distance < reach;
}

}  // namespace meniscus

// Triangle surfaces: topology and packed positions.
#include <algorithm>
#include <unordered_map>

#include "engine/particle/boundary_impl.h"

namespace meniscus {
namespace {

struct EdgeUse {
  Index tri, k;
};

std::uint64_t edgeKey(Index a, Index b) {
  const auto lo = std::uint64_t(std::min(a, b)), hi = std::uint64_t(std::max(a, b));
  return (lo << 32) | hi;
}

// An edge of more than two triangles belongs to the lowest-numbered one; it is compared with the second only.
void linkEdges(TriangleSet& t) {
  std::unordered_map<std::uint64_t, EdgeUse> first;
  first.reserve(std::size_t(t.count) * 2);
  for (Index i = 0; i < t.count; ++i) {
    TriangleTopology& topo = t.topology[std::size_t(i)];
    for (int k = 0; k < 3; ++k) {
      const auto [it, isNew] = first.try_emplace(edgeKey(topo.node[k], topo.node[(k + 1) % 3]), EdgeUse{i, k});
      if (isNew) {
        topo.owns = std::uint8_t(topo.owns | 1u << k);
        continue;
      }
      const EdgeUse use = it->second;
      TriangleTopology& other = t.topology[std::size_t(use.tri)];
      topo.across[k] = other.node[(use.k + 2) % 3];
      topo.acrossTri[k] = use.tri;
      if (other.acrossTri[use.k] >= 0) continue;
      other.across[use.k] = topo.node[(k + 2) % 3];
      other.acrossTri[use.k] = i;
    }
  }
}

void linkVertices(TriangleSet& t, std::size_t nodes) {
  t.ringBegin.assign(nodes + 1, 0);
  for (Index i = 0; i < t.count; ++i)
    for (int k = 0; k < 3; ++k) ++t.ringBegin[std::size_t(t.topology[std::size_t(i)].node[k]) + 1];
  for (std::size_t v = 0; v < nodes; ++v) t.ringBegin[v + 1] += t.ringBegin[v];
  t.ring.resize(std::size_t(t.count) * 3);
  Buffer<Index> fill(t.ringBegin);
  for (Index i = 0; i < t.count; ++i) {
    TriangleTopology& topo = t.topology[std::size_t(i)];
    for (int k = 0; k < 3; ++k) {
      const std::size_t v = std::size_t(topo.node[k]);
      if (fill[v] == t.ringBegin[v]) topo.owns = std::uint8_t(topo.owns | 8u << k);
      t.ring[std::size_t(fill[v]++)] = i;
    }
  }
}

struct PlaceNode {
  View<const Index> which;
  View<const Vec3d> x;
  Vec3d origin;
  View<Vec4f> out;
  void operator()(Index i) const {
    const Index n = which[i];
    out[n] = Vec4f(Vec3f(x[n] - origin), 0.f);
  }
};

struct PlaceTriangle {
  View<const Index> which;
  View<const TriangleTopology> topology;
  View<const Vec4f> node;
  View<PackedTriangle> tri;
  View<Vec4f> sphere;
  void operator()(Index i) const {
    const Index t = which[i];
    const TriangleTopology& topo = topology[t];
    const Vec3f a = node[topo.node[0]].xyz(), b = node[topo.node[1]].xyz(), c = node[topo.node[2]].xyz();
    tri[t] = PackedTriangle::make(a, b, c, tri[t].a.w);
    const Vec3f m = (a + b + c) * (1.f / 3.f);
    const float r2 = std::max({norm2(a - m), norm2(b - m), norm2(c - m)});
    sphere[t] = Vec4f(m, std::sqrt(r2) * 1.00001f);
  }
};

// Tangent of the angle by which the direction from the triangle to a point can lean when the triangle holds a local minimum of the
// distance. Such directions lie between the normals around the closest point, so twice the largest angle to a neighbour's normal
// bounds it (twice: a saddle vertex may see a little more than its faces do). kSharp where it can lean any way: rims and sharp
// edges.
struct SlopeOfTriangle {
  View<const Index> which;
  View<const TriangleTopology> topology;
  View<const Index> ringBegin, ring;
  View<const PackedTriangle> tri;
  View<const Vec4f> sphere;
  View<const std::uint8_t> separates;
  View<TriangleFilter> out;
  void operator()(Index i) const {
    const Index t = which[i];
    const TriangleTopology& topo = topology[t];
    const Vec3f n = tri[t].n.xyz();
    float cosine = 1.f;
    for (int k = 0; k < 3; ++k)
      for (Index j = ringBegin[topo.node[k]]; j < ringBegin[topo.node[k] + 1]; ++j) {
        const TriangleTopology& o = topology[ring[j]];
        if (o.acrossTri[0] < 0 || o.acrossTri[1] < 0 || o.acrossTri[2] < 0) cosine = -1.f;
        cosine = std::min(cosine, dot(n, tri[ring[j]].n.xyz()));
      }
    // tan 2a = 2 sin cos / (2 cos^2 - 1), from 40 degrees on as sharp
    const float sine = std::sqrt(std::max(0.f, 1.f - cosine * cosine));
    const float slope = cosine > 0.766f ? 2.f * sine * cosine / (2.f * cosine * cosine - 1.f) + 0.02f : kSharp;
    out[t] = {sphere[t], Vec4f(n, separates[t] & kSeparates ? -slope : slope)};
  }
};

}  // namespace

void TriangleSet::build(const World& world, float support) {
  const SolidState& s = world.solid;
  count = Index(s.tri.size() / 3);
  topology.resize(std::size_t(count));
  separates.assign(std::size_t(count), 0);
  body.assign(std::size_t(count), 0);
  start.tri.resize(std::size_t(count));
  Buffer<std::uint8_t> nodeMoves(s.x.size());
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const Body& bd = s.bodies[b];
    const bool sheet = bd.twoSided || !bd.closed;
    const bool container = bd.rigid >= 0 && s.rigid[std::size_t(bd.rigid)].shape.container;
    for (Index t = bd.triBegin; t < bd.triEnd; ++t) {
      TriangleTopology& topo = topology[std::size_t(t)];
      topo = {
          {s.tri[std::size_t(3 * t)], s.tri[std::size_t(3 * t + 1)], s.tri[std::size_t(3 * t + 2)]}, {-1, -1, -1}, {-1, -1, -1}, 0};
      separates[std::size_t(t)] = sheet ? kSeparates | kNearSeparating : 0;
      body[std::size_t(t)] = Index(b);
      start.tri[std::size_t(t)].a.w = sheet ? 0.f : (container ? -1.f : 1.f);
      (bd.kind == SolidKind::fixed ? still : moving).push_back(t);
      for (const Index n : topo.node) nodeMoves[std::size_t(n)] |= bd.kind != SolidKind::fixed;
    }
  }
  linkEdges(*this);
  linkVertices(*this, s.x.size());
  markThinWalls(world, support, *this);
  for (const std::uint8_t b : separates) anySeparating |= b != 0;
  for (std::size_t n = 0; n < s.x.size(); ++n)
    if (nodeMoves[n] && ringBegin[n + 1] > ringBegin[n]) movingNodes.push_back(Index(n));
  start.sphere.resize(std::size_t(count));
  start.node.resize(s.x.size());
  end.tri = start.tri;
  end.sphere.resize(std::size_t(count));
  end.node.resize(s.x.size());
}

void TriangleSet::place(Exec& exec, const World& world, const Buffer<Vec3d>& x, TriangleGeometry& g, bool all) {
  const Vec3d origin = world.scene.domain.min;
  const auto placeGroup = [&](View<const Index> nodes, View<const Index> tris) {
    parallelFor(exec, "place surface nodes", nodes.n, PlaceNode{nodes, x.view(), origin, g.node.view()});
    parallelFor(exec, "place triangles", tris.n,
                PlaceTriangle{tris, std::as_const(topology).view(), std::as_const(g.node).view(), g.tri.view(), g.sphere.view()});
  };
  if (all) {
    Buffer<Index> nodes(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) nodes[i] = Index(i);
    placeGroup(std::as_const(nodes).view(), std::as_const(still).view());
  }
  placeGroup(std::as_const(movingNodes).view(), std::as_const(moving).view());
}

void TriangleSet::findSlopes(Exec& exec, const Buffer<Index>& which) {
  filter.resize(std::size_t(count));
  parallelFor(exec, "triangle slopes", Index(which.size()),
              SlopeOfTriangle{which.view(), std::as_const(topology).view(), std::as_const(ringBegin).view(),
                              std::as_const(ring).view(), std::as_const(start.tri).view(), std::as_const(start.sphere).view(),
                              std::as_const(separates).view(), filter.view()});
}

std::size_t TriangleSet::bytes() const {
  std::size_t sum = topology.capacityBytes() + ringBegin.capacityBytes() + ring.capacityBytes() + separates.capacityBytes() +
                    body.capacityBytes() + filter.capacityBytes() + moving.capacityBytes() + still.capacityBytes() +
                    movingNodes.capacityBytes();
  for (const TriangleGeometry* g : {&start, &end})
    sum += g->node.capacityBytes() + g->tri.capacityBytes() + g->sphere.capacityBytes();
  return sum + movingLists.bytes() + stillLists.bytes();
}

}  // namespace meniscus

// Distance queries on the triangles: local minima of the distance, and segments that cross.
//
// A local minimum is found by direct geometry on the neighbourhood of the closest point, so that a flat surface gives the same
// single feature however finely it is divided: a face hit always counts; an edge hit counts unless the triangle across the edge
// leads closer; a vertex hit unless any edge at the vertex does. Edges and vertices are looked at by the lowest-numbered triangle
// only.
#include <algorithm>

#include "engine/particle/boundary_impl.h"
#include "kernels/contact/segment.h"

namespace meniscus {
namespace {

constexpr float kSlack = 1e-5f;  // of lengths: a minimum within round-off counts, duplicates are clustered away

// True where going along m from the closest point c (r = x - c) leads closer to x by more than round-off.
bool leadsCloser(const Vec3f& r, const Vec3f& m) {
  const float s = dot(r, m);
  if (!(s > 0.f)) return false;
  const float mm = norm2(m);
  const float tol = kSlack * (std::sqrt(norm2(r)) + std::sqrt(mm));
  return s * s > tol * tol * mm;
}

struct TriangleQuery {
  const TriangleSet& set;
  const TriangleGeometry& g;
  Index tri;
  const TriangleTopology& topo;
  Vec3f r;  // x - c
  float side;

  Vec3f vertex(int k) const { return g.node[std::size_t(topo.node[k])].xyz(); }
  Vec3f normal(Index t) const { return g.tri[std::size_t(t)].n.xyz(); }
  float cosineTo(const Vec3f& n, Index t) const {
    const float c = dot(n, normal(t));
    return side == 0.f ? std::abs(c) : c * side;
  }

  bool edgeIsMinimum(int k) const {
    if (topo.across[k] < 0) return true;
    const Vec3f a = vertex(k), e = normalized(vertex((k + 1) % 3) - a);
    const Vec3f w = g.node[std::size_t(topo.across[k])].xyz() - a;
    return !leadsCloser(r, w - e * dot(w, e));
  }
  bool vertexIsMinimum(int k) const {
    const Index v = topo.node[k];
    const Vec3f p = vertex(k);
    for (Index i = set.ringBegin[std::size_t(v)]; i < set.ringBegin[std::size_t(v) + 1]; ++i)
      for (const Index w : set.topology[std::size_t(set.ring[std::size_t(i)])].node)
        if (w != v && leadsCloser(r, g.node[std::size_t(w)].xyz() - p)) return false;
    return true;
  }
  // Normal of an edge or vertex for the side test: Baerentzen & Aanaes 2005, "Signed distance computation using the angle weighted
  // pseudonormal".
  Vec3f edgeNormal(int k) const { return normal(tri) + (topo.acrossTri[k] >= 0 ? normal(topo.acrossTri[k]) : Vec3f{}); }
  Vec3f vertexNormal(int k) const {
    const Index v = topo.node[k];
    Vec3f sum{};
    for (Index i = set.ringBegin[std::size_t(v)]; i < set.ringBegin[std::size_t(v) + 1]; ++i) {
      const Index t = set.ring[std::size_t(i)];
      const TriangleTopology& o = set.topology[std::size_t(t)];
      const int j = o.node[0] == v ? 0 : (o.node[1] == v ? 1 : 2);
      const Vec3f p = vertex(k);
      const Vec3f a = normalized(g.node[std::size_t(o.node[(j + 1) % 3])].xyz() - p);
      const Vec3f b = normalized(g.node[std::size_t(o.node[(j + 2) % 3])].xyz() - p);
      sum += normal(t) * std::acos(std::clamp(dot(a, b), -1.f, 1.f));
    }
    return sum;
  }
  float edgeCosine(int k, const Vec3f& n) const {
    const float c = cosineTo(n, tri);
    return topo.acrossTri[k] >= 0 ? std::max(c, cosineTo(n, topo.acrossTri[k])) : c;
  }
  float vertexCosine(int k, const Vec3f& n) const {
    const std::size_t v = std::size_t(topo.node[k]);
    float c = -1.f;
    for (Index i = set.ringBegin[v]; i < set.ringBegin[v + 1]; ++i) c = std::max(c, cosineTo(n, set.ring[std::size_t(i)]));
    return c;
  }
};

// The hit of one triangle, if it is a local minimum; h.n is not set behind a one-sided surface. p: x relative to the first vertex.
enum class HitKind { none, behind, front };

HitKind makeHit(const TriangleQuery& q, const PackedTriangle& t, const TrianglePoint& cp, const Vec3f& p, bool wide, Hit& h) {
  h.b0 = 1.f - cp.b1 - cp.b2;
  h.b1 = cp.b1;
  h.surface = q.tri;
  h.w = 1.f;
  const Vec3f tn = t.n.xyz();
  if (cp.region == TriangleRegion::face) {
    const float s = dot(tn, p);
    h.n = s < 0.f ? -tn : tn;
    h.d = std::abs(s);
    return s * q.side < 0.f ? HitKind::behind : HitKind::front;
  }
  const bool edge = cp.region < TriangleRegion::vertex0;
  const int k = int(cp.region) - (edge ? 1 : 4);
  if (!(edge ? q.edgeIsMinimum(k) : q.vertexIsMinimum(k))) return HitKind::none;
  h.d = norm(q.r);
  h.n = h.d > 0.f ? q.r / h.d : tn;
  if (q.side != 0.f && dot(q.r, edge ? q.edgeNormal(k) : q.vertexNormal(k)) * q.side < 0.f) return HitKind::behind;
  if (wide) h.w = convexWeight(edge ? q.edgeCosine(k, h.n) : q.vertexCosine(k, h.n));
  return HitKind::front;
}

// Does the triangle own the edge or vertex it is closest with? A face is always its own.
bool ownsRegion(const TriangleTopology& t, TriangleRegion r) { return r == TriangleRegion::face || (t.owns >> (int(r) - 1) & 1); }

void queryTriangle(const TriangleSet& set, const TriangleGeometry& g, Index t, const Vec3f& x, float reach, bool wide,
                   HitList& out) {
  const PackedTriangle& tri = g.tri[std::size_t(t)];
  const TriangleTopology& topo = set.topology[std::size_t(t)];
  const Vec3f p = x - tri.a.xyz();
  const TrianglePoint cp = closestOnTriangle(tri, p);
  if (!ownsRegion(topo, cp.region)) return;
  const Vec3f r = p - (tri.e1.xyz() * cp.b1 + tri.e2.xyz() * cp.b2);
  if (!(norm2(r) < reach * reach)) return;
  Hit h;
  const HitKind kind = makeHit({set, g, t, topo, r, tri.a.w}, tri, cp, p, wide, h);
  if (kind == HitKind::none) return;
  // the nearest point of all is a local minimum, so the hits alone give the distance
  out.nearest = std::min(out.nearest, h.d);
  if (set.separates[std::size_t(t)]) out.nearestSheet = std::min(out.nearestSheet, h.d);
  if (kind == HitKind::front) out.add(h);
}

bool before(const Hit& a, const Hit& b) { return a.d < b.d || (a.d == b.d && a.surface < b.surface); }

}  // namespace

void HitList::add(const Hit& h) {
  if (n == kMaxHits) {
    if (!before(h, hit[n - 1])) return;
    --n;
  }
  int i = n++;
  for (; i > 0 && before(h, hit[i - 1]); --i) hit[i] = hit[i - 1];
  hit[i] = h;
}

void Boundary::Impl::collectTriangleHits(const TriangleGeometry& g, const TriangleLanes& candidates, const Vec3f& x, float reach,
                                         HitList& out) const {
  for (Index k = 0; k < candidates.n; k += kLanes)
    for (unsigned mask = triangle_lanes::minima(candidates, k, x, reach); mask; mask &= mask - 1)
      queryTriangle(triangles, g, candidates.tri[k + __builtin_ctz(mask)], x, reach, true, out);
}

void Boundary::Impl::collectTriangleHits(const TriangleGeometry& g, CandidateSpan candidates, const Vec3f& x, float reach,
                                         HitList& out) const {
  const Vec4f x4(x, 0.f);
  for (Index k = 0; k < candidates.n; ++k) {
    const Index t = candidates.data[k];
    const Vec4f s = g.sphere[std::size_t(t)];
    const float far = s.w + reach;
    if (norm2((x4 - s).xyz()) <= far * far) queryTriangle(triangles, g, t, x, reach, false, out);
  }
}

void Boundary::Impl::collectPrimitiveHits(const Vec3f& x, float reach, bool end, HitList& out) const {
  const Vec3f lo = x - wallMin, hi = wallMax - x;
  const bool nearWall = !(std::min({lo.x, lo.y, lo.z, hi.x, hi.y, hi.z}) >= reach);
  for (std::size_t k = nearWall ? 0 : walls; k < primitives.size(); ++k) {
    PrimitiveFeature<float> f[kMaxPrimitiveFeatures];
    const int n = meniscus::featuresOf(primitives[k], x, reach, end, f);
    for (int j = 0; j < n; ++j) out.add({f[j].n, f[j].d, f[j].w, 0.f, 0.f, -1 - std::int32_t(k)});
  }
}

bool Boundary::Impl::crossesTriangle(const TriangleGeometry& g, CandidateSpan candidates, const Vec3f& x, const Vec3f& y,
                                     bool separatingOnly) const {
  const Vec3f mid = (x + y) * 0.5f;
  const float halfLength = 0.5f * norm(y - x);
  const Vec4f mid4(mid, 0.f);
  for (Index k = 0; k < candidates.n; ++k) {
    const Index t = candidates.data[k];
    const Vec4f s = g.sphere[std::size_t(t)];
    const float far = s.w + halfLength;
    if (norm2((mid4 - s).xyz()) > far * far) continue;
    if (separatingOnly && !(triangles.separates[std::size_t(t)] & kSeparates)) continue;
    const PackedTriangle& tri = g.tri[std::size_t(t)];
    const Vec3f a = tri.a.xyz();
    if (segmentMeetsTriangle(tri, x - a, y - a)) return true;
  }
  return false;
}

}  // namespace meniscus

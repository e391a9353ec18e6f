// Distance queries on triangles: local minima of the distance from a point.
//
// A local minimum is found by direct geometry on the neighbourhood of the closest point, so that a flat surface gives the same
// single feature however finely it is divided: a face hit always counts; an edge hit counts unless the triangle across the edge
// leads closer; a vertex hit unless any edge at the vertex does. Edges and vertices are looked at by the lowest-numbered triangle
// only. One source for the CPU's sets of triangles (engine/particle/boundary_impl.h) and for those of a device (surface_set.h): a
// set has topology, ringBegin and ring, and separatesOf(set, t); the geometry of an instant has node and tri.
#pragma once

#include <cmath>
#include <type_traits>

#include "kernels/contact/feature.h"
#include "kernels/contact/triangle.h"

MNS_NS_BEGIN

constexpr int kMostHits = 24;           // local minima kept per query, nearest first
constexpr float kMinimumSlack = 1e-5f;  // of lengths: a minimum within round-off counts, duplicates are clustered away
constexpr float kBeyondReach = 3.402823466e38f;

struct SurfaceHit {
  Vec3f n;
  float d, w, b0, b1;
  std::int32_t surface;
  MNS_HD bool before(const SurfaceHit& b) const { return d < b.d || (d == b.d && surface < b.surface); }
};

// Among those that there are, nearest first; at most `most` of them are kept.
MNS_HD inline void insertHit(SurfaceHit* hit, int& n, int most, const SurfaceHit& h) {
  if (n == most) {
    if (!h.before(hit[n - 1])) return;
    --n;
  }
  int i = n++;
  for (; i > 0 && h.before(hit[i - 1]); --i) hit[i] = hit[i - 1];
  hit[i] = h;
}

struct SurfaceHits {
  SurfaceHit hit[kMostHits];
  int n;
  float nearest;       // distance to the nearest triangle of any kind, at most the query's reach [m]
  float nearestSheet;  // to the nearest of a body that separates; kBeyondReach beyond the query's
  MNS_HD void clear(float reach) {
    n = 0;
    nearest = reach;
    nearestSheet = kBeyondReach;
  }
  MNS_HD void add(const SurfaceHit& h) { insertHit(hit, n, kMostHits, h); }
};

// One triangle as seen from x, closest at c.
template <class Set, class Instant, class Topology>
struct TriangleQuery {
  const Set& set;
  const Instant& g;
  Index tri;
  const Topology& topo;
  Vec3f r;  // x - c
  float side;

  MNS_HD Vec3f vertex(int k) const { return g.node[topo.node[k]].xyz(); }
  MNS_HD Vec3f normal(Index t) const { return g.tri[t].n.xyz(); }
  MNS_HD static float larger(float a, float b) { return a < b ? b : a; }
  // True where going along m from the closest point leads closer to x by more than round-off.
  MNS_HD bool leadsCloser(const Vec3f& m) const {
    const float s = dot(r, m);
    if (!(s > 0.f)) return false;
    const float mm = norm2(m), tol = kMinimumSlack * (std::sqrt(norm2(r)) + std::sqrt(mm));
    return s * s > tol * tol * mm;
  }
  MNS_HD bool edgeIsMinimum(int k) const {
    if (topo.across[k] < 0) return true;
    const Vec3f a = vertex(k), e = normalized(vertex((k + 1) % 3) - a), w = g.node[topo.across[k]].xyz() - a;
    return !leadsCloser(w - e * dot(w, e));
  }
  MNS_HD bool vertexIsMinimum(int k) const {
    const Index v = topo.node[k];
    const Vec3f p = vertex(k);
    for (Index i = set.ringBegin[v]; i < set.ringBegin[v + 1]; ++i)
      for (int j = 0; j < 3; ++j) {
        const Index w = set.topology[set.ring[i]].node[j];
        if (w != v && leadsCloser(g.node[w].xyz() - p)) return false;
      }
    return true;
  }
  // Normal of an edge or vertex for the side test: Baerentzen & Aanaes 2005, "Signed distance computation using the angle weighted
  // pseudonormal".
  MNS_HD Vec3f edgeNormal(int k) const { return normal(tri) + (topo.acrossTri[k] >= 0 ? normal(topo.acrossTri[k]) : Vec3f{}); }
  MNS_HD Vec3f vertexNormal(int k) const {
    const Index v = topo.node[k];
    const Vec3f p = vertex(k);
    Vec3f sum{};
    for (Index i = set.ringBegin[v]; i < set.ringBegin[v + 1]; ++i) {
      const Index t = set.ring[i];
      const Topology& o = set.topology[t];
      const int j = o.node[0] == v ? 0 : (o.node[1] == v ? 1 : 2);
      const Vec3f a = normalized(g.node[o.node[(j + 1) % 3]].xyz() - p), b = normalized(g.node[o.node[(j + 2) % 3]].xyz() - p);
      const float c = dot(a, b);
      sum += normal(t) * std::acos(c < -1.f ? -1.f : (c > 1.f ? 1.f : c));
    }
    return sum;
  }
  // Cosine of the angle between n and the nearest normal of the faces around.
  MNS_HD float cosineTo(const Vec3f& n, Index t) const {
    const float c = dot(n, normal(t));
    return side == 0.f ? std::fabs(c) : c * side;
  }
  MNS_HD float edgeCosine(int k, const Vec3f& n) const {
    const float c = cosineTo(n, tri);
    return topo.acrossTri[k] >= 0 ? larger(c, cosineTo(n, topo.acrossTri[k])) : c;
  }
  MNS_HD float vertexCosine(int k, const Vec3f& n) const {
    const Index v = topo.node[k];
    float c = -1.f;
    for (Index i = set.ringBegin[v]; i < set.ringBegin[v + 1]; ++i) c = larger(c, cosineTo(n, set.ring[i]));
    return c;
  }
  // The hit, if there is a local minimum: its distance and, where it is on the fluid's side (front), the rest.
  // p: x relative to the first vertex. wide: with weights.
  MNS_HD bool hit(const PackedTriangle& t, const TrianglePoint& cp, const Vec3f& p, bool wide, SurfaceHit& h, bool& front) const {
    h.b0 = 1.f - cp.b1 - cp.b2;
    h.b1 = cp.b1;
    h.surface = tri;
    h.w = 1.f;
    const Vec3f tn = t.n.xyz();
    if (cp.region == TriangleRegion::face) {
      const float s = dot(tn, p);
      h.n = s < 0.f ? -tn : tn;
      h.d = std::fabs(s);
      front = !(s * side < 0.f);
      return true;
    }
    const bool edge = cp.region < TriangleRegion::vertex0;
    const int k = int(cp.region) - (edge ? 1 : 4);
    if (!(edge ? edgeIsMinimum(k) : vertexIsMinimum(k))) return false;
    h.d = norm(r);
    h.n = h.d > 0.f ? r / h.d : tn;
    front = !(side != 0.f && dot(r, edge ? edgeNormal(k) : vertexNormal(k)) * side < 0.f);
    if (front && wide) h.w = convexWeight(edge ? edgeCosine(k, h.n) : vertexCosine(k, h.n));
    return true;
  }
};

// Hits: a list with nearest, nearestSheet and add(hit).
template <class Set, class Instant, class Hits>
MNS_HD void queryTriangle(const Set& set, const Instant& g, Index t, const Vec3f& x, float reach, bool wide, Hits& out) {
  const PackedTriangle& tri = g.tri[t];
  const auto& topo = set.topology[t];
  const Vec3f p = x - tri.a.xyz();
  const TrianglePoint cp = closestOnTriangle(tri, p);
  // an edge or vertex is its owner's; a face is always its own
  if (cp.region != TriangleRegion::face && !(topo.owns >> (int(cp.region) - 1) & 1)) return;
  const Vec3f r = p - (tri.e1.xyz() * cp.b1 + tri.e2.xyz() * cp.b2);
  if (!(norm2(r) < reach * reach)) return;
  SurfaceHit h;
  bool front = false;
  using Topology = std::decay_t<decltype(topo)>;
  if (!TriangleQuery<Set, Instant, Topology>{set, g, t, topo, r, tri.a.w}.hit(tri, cp, p, wide, h, front)) return;
  // the nearest point of all is a local minimum, so the hits alone give the distance
  if (h.d < out.nearest) out.nearest = h.d;
  if (h.d < out.nearestSheet && separatesOf(set, t)) out.nearestSheet = h.d;
  if (front) out.add(h);
}

MNS_NS_END

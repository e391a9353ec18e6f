#include "engine/solid/body_contact_search.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/solid/topology.h"
#include "kernels/contact/edge_pair.h"
#include "kernels/contact/triangle.h"

namespace meniscus {
namespace {

using Closest = BodyContactMemory::Closest;
using Edge = BodyContactMemory::Edge;
using Extent = BodyContactMemory::Extent;

// Contacts are looked for within this many margins and the way that both bodies are predicted to go: what they push each other, and
// water them, can be more than predicted.
constexpr double kReach = 4;
constexpr double kNoDirection = 1e-3;  // of the margin: below it, the triangle's normal says the direction
// Cosine between the closest direction and the normal of a sheet: what is less lies beside the sheet's rim, not before it.
constexpr double kBeside = 0.5;
// Of edges: the margin's share by which those part sideways that are not parallel; the sine by which a face may lead nearer to the
// other edge; the angle below which two faces are one, whose nodes say all.
constexpr double kAside = 0.05, kTilt = 0.1, kBend = 0.1;

struct Box {
  Vec3d lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};
  void add(const Vec3d& p) {
    lo = minOf(lo, p);
    hi = maxOf(hi, p);
  }
  Box around(double reach) const { return {lo - Vec3d{reach, reach, reach}, hi + Vec3d{reach, reach, reach}}; }
  Box with(const Box& b) const { return {maxOf(lo, b.lo), minOf(hi, b.hi)}; }
  bool holds(const Vec3d& p) const {
    return p.x >= lo.x && p.y >= lo.y && p.z >= lo.z && p.x <= hi.x && p.y <= hi.y && p.z <= hi.z;
  }
  bool valid() const { return lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z; }
};

Extent extentOf(const SolidState& s, const Body& b) {
  Box box;
  double way = 0;
  for (std::size_t i = std::size_t(b.nodeBegin); i < std::size_t(b.nodeEnd); ++i) {
    box.add(s.xPrev[i]);
    box.add(s.x[i]);
    way = std::max(way, norm(s.x[i] - s.xPrev[i]));
  }
  return {box.lo, box.hi, way};
}

// Two bodies, how far apart they still matter, and where both are within that.
struct Pair {
  const Body &body, &other;
  double reach, margin;
  Box common;
};
Pair pairOf(const SolidState& s, const BodyContactMemory& m, std::size_t i, std::size_t k, double margin) {
  const Extent &a = m.extents[i], &b = m.extents[k];
  const double reach = kReach * margin + a.way + b.way;
  return {s.bodies[std::size_t(m.bodies[i])], s.bodies[std::size_t(m.bodies[k])], reach, margin,
          Box{a.lo, a.hi}.with(Box{b.lo, b.hi}.around(reach))};
}

// Between nodes that cannot move nothing can be done.
bool moves(const SolidState& s, const BodyContact& c) {
  for (int k = 0; k < 4; ++k)
    if (c.weight[k] != 0 && s.w[std::size_t(c.node[k])] > 0) return true;
  return false;
}

// The triangle as the node sees it; false: it has no direction from there, or lies aside.
bool see(const SolidState& s, const Pair& pair, Index node, Index t, const PackedTriangle& packed, const Vec3d& normal,
         Closest& seen) {
  const Index* n = &s.tri[std::size_t(3 * t)];
  const Vec3d p = s.xPrev[std::size_t(node)] - s.xPrev[std::size_t(n[0])];
  const TrianglePoint at = closestOnTriangle(packed, Vec3f(p));
  const double b1 = double(at.b1), b2 = double(at.b2);
  BodyContact& c = seen.contact;
  c = {{node, n[0], n[1], n[2]}, {1, b1 + b2 - 1, -b1, -b2}, {}, 0, 0, false};
  Vec3d away = p;
  for (int k = 1; k < 3; ++k) away += (s.xPrev[std::size_t(n[k])] - s.xPrev[std::size_t(n[0])]) * c.weight[k + 1];
  const double d = norm(away);
  seen.distance = d;
  const double along = dot(away, normal);
  // the sides of a closed surface are known, and a node within it is to come out
  const bool closed = pair.other.closed;
  const double side = closed && at.region == TriangleRegion::face && along < 0 ? -1 : 1;
  c.n = d > kNoDirection * pair.margin ? away * (side / d) : normal * (closed || along >= 0 ? 1.0 : -1.0);
  c.distance = side * d;
  seen.aligned = std::fabs(dot(c.n, normal));
  return closed || seen.aligned > kBeside;
}

// Nodes of the first before triangles of the other.
void findNodes(const SolidState& s, const Pair& pair, BodyContactMemory& m, std::vector<BodyContact>& out) {
  if (!pair.common.valid()) return;
  m.cells.clear();
  for (Index i = pair.body.nodeBegin; i < pair.body.nodeEnd; ++i)
    if (pair.common.holds(s.xPrev[std::size_t(i)])) m.cells.add(i, s.xPrev[std::size_t(i)]);
  if (m.cells.empty()) return;
  m.cells.sort(pair.common.lo, pair.common.hi, 2 * pair.reach);
  m.best.assign(std::size_t(pair.body.nodeEnd - pair.body.nodeBegin), Closest{pair.reach, 0, {}});
  for (Index t = pair.other.triBegin; t < pair.other.triEnd; ++t) {
    const Index* n = &s.tri[std::size_t(3 * t)];
    const Vec3d &x0 = s.xPrev[std::size_t(n[0])], &x1 = s.xPrev[std::size_t(n[1])], &x2 = s.xPrev[std::size_t(n[2])];
    Box box;
    for (const Vec3d* x : {&x0, &x1, &x2}) box.add(*x);
    box = box.around(pair.reach);
    if (!box.with(pair.common).valid()) continue;
    const Vec3d normal = normalized(cross(x1 - x0, x2 - x0));
    const PackedTriangle packed = PackedTriangle::make({}, Vec3f(x1 - x0), Vec3f(x2 - x0), 0.f);
    m.cells.each(box.lo, box.hi, [&](Index node) {
      Closest seen, &now = m.best[std::size_t(node - pair.body.nodeBegin)];
      if (!(std::fabs(dot(s.xPrev[std::size_t(node)] - x0, normal)) <= now.distance)) return;
      if (!see(s, pair, node, t, packed, normal, seen)) return;
      if (seen.distance < now.distance || (seen.distance == now.distance && seen.aligned > now.aligned)) now = seen;
    });
  }
  for (const Closest& c : m.best)
    if (c.distance < pair.reach && moves(s, c.contact)) out.push_back(c.contact);
}

// The edges of all surfaces are those of before, as long as the surfaces are.
void keepEdges(const SolidState& s, BodyContactMemory& m) {
  std::size_t known = 0, triangles = 0;
  bool same = true;
  for (const Index body : m.bodies) {
    const Body& b = s.bodies[std::size_t(body)];
    const std::size_t count = 3 * std::size_t(b.triEnd - b.triBegin);
    triangles += count;
    same = same && triangles <= m.edgesOf.size() &&
           std::memcmp(&m.edgesOf[known], &s.tri[std::size_t(3 * b.triBegin)], count * sizeof(Index)) == 0;
    known = triangles;
  }
  if (same && triangles == m.edgesOf.size() && m.edgeBegin.size() == m.bodies.size() + 1) return;
  m.edges.clear();
  m.edgesOf.clear();
  m.edgeBegin.clear();
  m.edgeBegin.push_back(0);
  for (const Index body : m.bodies) {
    const Body& b = s.bodies[std::size_t(body)];
    const std::vector<Index> tri(s.tri.begin() + 3 * b.triBegin, s.tri.begin() + 3 * b.triEnd);
    for (const Index i : tri) m.edgesOf.push_back(i);
    for (const MeshEdge& e : uniqueEdges(tri))
      if (e.triangles <= 2) m.edges.push_back({e.a, e.b, {e.opposite0, e.opposite1}});
    m.edgeBegin.push_back(Index(m.edges.size()));
  }
}

EdgeSides sidesOf(const SolidState& s, const Edge& e) {
  EdgeSides sides;
  for (const Index o : e.opposite)
    if (o >= 0) sides.add(s.xPrev[std::size_t(e.a)], s.xPrev[std::size_t(e.b)], s.xPrev[std::size_t(o)]);
  return sides;
}

// False where the two have no points that are nearest to one another, or others beside them are nearer.
bool cross(const SolidState& s, const Pair& pair, const Edge& a, const Edge& b, BodyContact& out) {
  const auto at = [&s](Index i) -> const Vec3d& { return s.xPrev[std::size_t(i)]; };
  EdgeCrossing c;
  if (!crossEdges(at(a.a), at(a.b), at(b.a), at(b.b), kAside * pair.margin, c) || !(c.distance < pair.reach)) return false;
  const EdgeSides mine = sidesOf(s, a), theirs = sidesOf(s, b);
  const auto faces = [&](const Vec3d& n) { return mine.sticksOut(n, kTilt, kBend) && theirs.sticksOut(-n, kTilt, kBend); };
  double side = 1;
  if (!faces(c.n)) {  // one within the other?
    if (!(pair.body.closed || pair.other.closed) || c.distance > pair.margin || !faces(-c.n)) return false;
    side = -1;
  }
  out = {{a.a, a.b, b.a, b.b}, {1 - c.s, c.s, c.t - 1, -c.t}, c.n * side, side * c.distance, 0, false};
  return moves(s, out);
}

// Edges of the one over edges of the other.
void findEdges(const SolidState& s, const Pair& pair, BodyContactMemory& m, std::size_t i, std::size_t k,
               std::vector<BodyContact>& out) {
  if (!pair.common.valid()) return;
  const auto boxOf = [&s](const Edge& e) {
    Box box;
    box.add(s.xPrev[std::size_t(e.a)]);
    box.add(s.xPrev[std::size_t(e.b)]);
    return box;
  };
  m.cells.clear();
  Box middles;
  double longest = 0;
  for (Index e = m.edgeBegin[i]; e < m.edgeBegin[i + 1]; ++e) {
    const Box box = boxOf(m.edges[std::size_t(e)]);
    if (!box.with(pair.common).valid()) continue;
    const Vec3d middle = (box.lo + box.hi) * 0.5;
    m.cells.add(e, middle);
    middles.add(middle);
    longest = std::max(longest, norm(box.hi - box.lo));
  }
  if (m.cells.empty()) return;
  m.cells.sort(middles.lo, middles.hi, longest + 2 * pair.reach);
  for (Index e = m.edgeBegin[k]; e < m.edgeBegin[k + 1]; ++e) {
    const Edge& theirs = m.edges[std::size_t(e)];
    const Box box = boxOf(theirs).around(0.5 * longest + pair.reach);
    if (!box.with(middles).valid()) continue;
    m.cells.each(box.lo, box.hi, [&](Index mine) {
      BodyContact c;
      if (cross(s, pair, m.edges[std::size_t(mine)], theirs, c)) out.push_back(c);
    });
  }
}

}  // namespace

void searchBodyContacts(const SolidState& s, double margin, BodyContactMemory& m, std::vector<BodyContact>& out) {
  out.clear();
  m.bodies.clear();
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    if (s.bodies[b].rigid < 0 && s.bodies[b].triEnd > s.bodies[b].triBegin) m.bodies.push_back(Index(b));
  const std::size_t n = m.bodies.size();
  if (n < 2 || !(margin > 0)) return;
  m.extents.clear();
  for (const Index b : m.bodies) m.extents.push_back(extentOf(s, s.bodies[std::size_t(b)]));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      if (i != k) findNodes(s, pairOf(s, m, i, k, margin), m, out);
  keepEdges(s, m);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k) findEdges(s, pairOf(s, m, i, k, margin), m, i, k, out);
}

}  // namespace meniscus

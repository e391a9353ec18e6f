#include "engine/solid/rigid_pairs.h"

#include <algorithm>
#include <cmath>

#include "engine/solid/rigid.h"
#include "engine/solid/rigid_points.h"
#include "engine/solid/topology.h"
#include "kernels/contact/edge_pair.h"

namespace meniscus {
namespace {

// Of edges: the margin's share by which those part sideways that are not parallel; the sine by which a face may lead nearer to the
// other edge; the angle below which two faces are one, whose points say all.
constexpr double kAside = 0.05, kTilt = 0.1, kBend = 0.1;
// More say nothing new of where two bodies hold each other, and sweeps take longer to share out what they carry.
constexpr std::size_t kMostOfPair = 12;
constexpr std::int64_t kEdges = std::int64_t(1) << 40;  // behind all points, as samples

Vec3d world(const RigidBody& b, const Vec3d& local) { return b.x + b.q.rotate(local); }

double way(const RigidBody& b, double dt) { return (norm(b.v) + norm(b.omega) * b.reach) * dt + 1e-3 * b.reach; }

// Of the contacts from `first` on: those that carry already, the deepest, and of those not much higher the ones furthest from what
// is kept.
void keepFew(SolidState& s, std::size_t first, double margin) {
  Buffer<RigidContact>& all = s.work.rigidContacts;
  if (all.size() - first <= kMostOfPair) return;
  const auto gap = [](const RigidContact& c) { return c.height - c.least; };
  RigidContact* const begin = all.data() + first;
  RigidContact* end = all.data() + all.size();
  std::iter_swap(begin, std::min_element(begin, end, [&](const auto& a, const auto& b) { return gap(a) < gap(b); }));
  const double most = gap(*begin) + 2 * margin;
  std::size_t kept = 1;
  for (RigidContact* c = begin + 1; c < end; ++c)
    if (c->lambda > 0 && kept < kMostOfPair) std::iter_swap(begin + kept++, c);
  for (; kept < kMostOfPair; ++kept) {
    const auto apart = [&](const RigidContact& c) {
      double least = 1e300;
      for (std::size_t k = 0; k < kept; ++k) least = std::min(least, norm2(c.local - begin[k].local));
      return least;
    };
    RigidContact* best = nullptr;
    double farthest = -1;
    for (RigidContact* c = begin + kept; c < end; ++c) {
      if (margin > 0 && gap(*c) > most) continue;
      if (const double d = apart(*c); d > farthest) farthest = d, best = c;
    }
    if (!best) break;
    std::iter_swap(begin + kept, best);
  }
  all.resize(first + kept);
}

void addBoxEdges(const Vec3d& half, std::vector<RigidPairs::Edge>& out) {
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < 4; ++k) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      Vec3d from = half;
      from[axis] = -half[axis];
      from[u] *= k & 1 ? 1 : -1;
      from[v] *= k & 2 ? 1 : -1;
      Vec3d to = from, alongU = from, alongV = from;
      to[axis] = half[axis];
      alongU[u] = -from[u];
      alongV[v] = -from[v];
      out.push_back({from, to, {alongU, alongV}});
    }
}

// Those of a cylinder's ends, as chords: within a hundredth of the radius.
void addRims(const ShapeDef& cylinder, std::vector<RigidPairs::Edge>& out) {
  constexpr int kChords = 24;
  const auto at = [&](int k, double z) {
    const double angle = 2 * 3.14159265358979323846 * k / kChords;
    return Vec3d{cylinder.radius * std::cos(angle), cylinder.radius * std::sin(angle), z};
  };
  for (const double z : {-0.5 * cylinder.height, 0.5 * cylinder.height})
    for (int k = 0; k < kChords; ++k) out.push_back({at(k, z), at(k + 1, z), {{0, 0, z}, at(k, -z)}});
}

// Were two edges outside of each other along n at the start of the sub-step, but for what sweeps leave? Those of thin plates that
// face away from each other are as near as those that meet.
bool apartBefore(const RigidBody& ra, const RigidPairs::Edge& ea, const RigidBody& rb, const RigidPairs::Edge& eb, const Vec3d& n,
                 double margin) {
  const auto was = [](const RigidBody& b, const Vec3d& local) { return b.xPrev + b.qPrev.rotate(local); };
  EdgeCrossing c;
  if (!crossEdges(was(ra, ea.a), was(ra, ea.b), was(rb, eb.a), was(rb, eb.b), 0, c)) return true;  // beside each other
  constexpr double kLeft = 1e-3;                                                                   // of the edges
  return dot(c.n, n) * c.distance > -std::max(margin, kLeft * std::max(norm(ea.b - ea.a), norm(eb.b - eb.a)));
}

// Of a mesh, weighted by the angles of the faces; of a box, from its centre. Hollow bodies have theirs inwards.
void addCornerNormals(const SolidState& s, const RigidBody& b, const std::vector<Vec3d>& corners, std::vector<Vec3d>& out) {
  out.assign(corners.size(), {});
  if (b.body < 0) {
    for (std::size_t k = 0; k < corners.size(); ++k) out[k] = corners[k];
  } else {
    const Body& body = s.bodies[std::size_t(b.body)];
    for (std::size_t t = 3 * std::size_t(body.triBegin); t < 3 * std::size_t(body.triEnd); t += 3)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto at = [&](std::size_t i) { return std::size_t(s.tri[t + i % 3] - body.nodeBegin); };
        const Vec3d e = normalized(corners[at(k + 1)] - corners[at(k)]), f = normalized(corners[at(k + 2)] - corners[at(k)]);
        out[at(k)] += normalized(cross(e, f)) * std::acos(std::clamp(dot(e, f), -1.0, 1.0));
      }
  }
  for (Vec3d& n : out) n = normalized(n) * (b.shape.container ? -1.0 : 1.0);
}

}  // namespace

RigidPairs::RigidPairs(const SolidState& s) {
  for (std::size_t k = 0; k < s.rigid.size(); ++k)
    if (s.rigid[k].invMass > 0) moving_.push_back({BodySurface(s, Index(k)), {}, 0, {}, {}, {}});
  for (Moving& m : moving_) addEdges(s, m);
}

void RigidPairs::addEdges(const SolidState& s, Moving& m) const {
  const RigidBody& b = s.rigid[std::size_t(m.surface.rigid())];
  if (b.body >= 0) {
    const Body& body = s.bodies[std::size_t(b.body)];
    m.corners.assign(s.xRest.begin() + body.nodeBegin, s.xRest.begin() + body.nodeEnd);
    const std::vector<Index> tri(s.tri.begin() + 3 * body.triBegin, s.tri.begin() + 3 * body.triEnd);
    const auto at = [&s](Index i) -> const Vec3d& { return s.xRest[std::size_t(i)]; };
    for (const MeshEdge& e : uniqueEdges(tri)) {
      if (e.triangles != 2) continue;
      const Vec3d &p = at(e.a), &q = at(e.b), &o = at(e.opposite0), &o1 = at(e.opposite1);
      EdgeSides sides;
      sides.add(p, q, o);
      sides.add(p, q, o1);
      const bool convex = dot(cross(q - p, o - p), o1 - p) < 0;
      if (convex && norm(sides.into[0] + sides.into[1]) > kBend) m.edges.push_back({p, q, {o, o1}});
    }
  } else if (b.shape.kind == ShapeKind::box) {
    addBoxEdges(scaledShape(b.shape, b.scale, b.name).size * 0.5, m.edges);
  } else if (b.shape.kind == ShapeKind::cylinder) {
    addRims(scaledShape(b.shape, b.scale, b.name), m.edges);
  }
  if (b.body < 0 && b.shape.kind == ShapeKind::box)
    for (std::size_t k = 0; k < 4; ++k) m.corners.insert(m.corners.end(), {m.edges[k].a, m.edges[k].b});
  addCornerNormals(s, b, m.corners, m.cornerNormals);
  Vec3d lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};
  for (std::size_t k = 0; k < m.corners.size(); ++k) {
    m.cornerCells.add(Index(k), m.corners[k]);
    lo = minOf(lo, m.corners[k]);
    hi = maxOf(hi, m.corners[k]);
  }
  if (!m.corners.empty()) m.cornerCells.sort(lo, hi, norm(hi - lo) / std::sqrt(double(m.corners.size())));
  for (const Edge& e : m.edges) m.longest = std::max(m.longest, norm(e.b - e.a));
}

// A pair is looked at where the intervals that their balls take along x overlap, and the balls.
void RigidPairs::collect(SolidState& s, double margin, double dt) const {
  Buffer<RigidPairMemory::Extent>& extents = s.work.rigidPairs.extents;
  extents.clear();
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const RigidBody& b = s.rigid[std::size_t(moving_[k].surface.rigid())];
    const double r = b.reach + way(b, dt) + margin;
    extents.push_back({b.x.x - r, b.x.x + r, k});
  }
  std::sort(extents.begin(), extents.end(),
            [](const auto& a, const auto& b) { return a.lo != b.lo ? a.lo < b.lo : a.which < b.which; });
  for (std::size_t i = 0; i < extents.size(); ++i)
    for (std::size_t k = i + 1; k < extents.size() && extents[k].lo <= extents[i].hi; ++k) {
      const Moving &a = moving_[std::min(extents[i].which, extents[k].which)],
                   &b = moving_[std::max(extents[i].which, extents[k].which)];
      const RigidBody &ra = s.rigid[std::size_t(a.surface.rigid())], &rb = s.rigid[std::size_t(b.surface.rigid())];
      const double slack = margin + way(ra, dt) + way(rb, dt), near = ra.reach + rb.reach + margin + slack;
      if (norm2(ra.x - rb.x) < near * near) collectPair(s, a, b, margin, slack, dt);
    }
}

void RigidPairs::collectPair(SolidState& s, const Moving& a, const Moving& b, double margin, double slack, double dt) const {
  const auto found = [&s] { return s.work.rigidContacts.size(); };
  std::size_t first = found();
  collectPoints(s, b.surface, a.surface.rigid(), margin, slack, dt);
  keepFew(s, first, margin);
  first = found();
  collectPoints(s, a.surface, b.surface.rigid(), margin, slack, dt);
  keepFew(s, first, margin);
  first = found();
  if (!a.edges.empty() && !b.edges.empty()) collectEdges(s, a, b, margin, slack, dt);
  keepFew(s, first, margin);
}

void RigidPairs::collectEdges(SolidState& s, const Moving& a, const Moving& b, double margin, double slack, double dt) const {
  RigidPairMemory& m = s.work.rigidPairs;
  const RigidBody &ra = s.rigid[std::size_t(a.surface.rigid())], &rb = s.rigid[std::size_t(b.surface.rigid())];
  const double reach = margin + slack;
  // those of the one in the ball about the other
  const auto placed = [](const RigidBody& body, const std::vector<Edge>& edges, const Vec3d& x, double r, auto& out) {
    out.clear();
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const Vec3d p = world(body, edges[k].a), q = world(body, edges[k].b), e = q - p;
      const double length2 = norm2(e), t = length2 > 0 ? std::clamp(dot(x - p, e) / length2, 0.0, 1.0) : 0;
      if (norm2(p + e * t - x) < r * r) out.push_back({p, q, Index(k)});
    }
  };
  placed(ra, a.edges, rb.x, rb.reach + reach, m.edges);
  placed(rb, b.edges, ra.x, ra.reach + reach, m.otherEdges);
  if (m.edges.empty() || m.otherEdges.empty()) return;
  m.cells.clear();
  Vec3d lo = m.edges[0].a, hi = lo;
  for (std::size_t k = 0; k < m.edges.size(); ++k) {
    const Vec3d middle = (m.edges[k].a + m.edges[k].b) * 0.5;
    m.cells.add(Index(k), middle);
    lo = minOf(lo, middle);
    hi = maxOf(hi, middle);
  }
  m.cells.sort(lo, hi, a.longest + 2 * reach);
  const double around = 0.5 * a.longest + reach;
  const Vec3d r{around, around, around};
  for (const RigidPairMemory::PlacedEdge& e : m.otherEdges)
    m.cells.each(minOf(e.a, e.b) - r, maxOf(e.a, e.b) + r,
                 [&](Index k) { addCrossing(s, a, b, m.edges[std::size_t(k)].number, e.number, margin, slack, dt); });
}

void RigidPairs::addCrossing(SolidState& s, const Moving& a, const Moving& b, Index edgeOfA, Index edgeOfB, double margin,
                             double slack, double dt) const {
  const RigidBody &ra = s.rigid[std::size_t(a.surface.rigid())], &rb = s.rigid[std::size_t(b.surface.rigid())];
  const Edge &ea = a.edges[std::size_t(edgeOfA)], &eb = b.edges[std::size_t(edgeOfB)];
  const Vec3d a0 = world(ra, ea.a), a1 = world(ra, ea.b), b0 = world(rb, eb.a), b1 = world(rb, eb.b);
  EdgeCrossing c;
  if (!crossEdges(a0, a1, b0, b1, kAside * margin, c) || !(c.distance < margin + slack)) return;
  EdgeSides mine, theirs;
  for (int k = 0; k < 2; ++k) {
    mine.add(a0, a1, world(ra, ea.opposite[k]));
    theirs.add(b0, b1, world(rb, eb.opposite[k]));
  }
  const auto faces = [&](const Vec3d& n) { return mine.sticksOut(n, kTilt, kBend) && theirs.sticksOut(-n, kTilt, kBend); };
  double side = 1;
  if (!faces(c.n)) {  // one within the other?
    if (!faces(-c.n) || !apartBefore(ra, ea, rb, eb, -c.n, margin)) return;
    side = -1;
  }
  RigidContact contact{};
  contact.rigid = a.surface.rigid();
  contact.sample = kEdges + std::int64_t(edgeOfA) * std::int64_t(b.edges.size()) + edgeOfB;
  contact.n = c.n * side;
  contact.friction = std::max(ra.material.friction, rb.material.friction);
  const Vec3d p = (a0 + (a1 - a0) * c.s + b0 + (b1 - b0) * c.t) * 0.5;
  contact.approach = dot(contact.n, pointVelocity(ra, p) - pointVelocity(rb, p));
  addPairContact(s, contact, p, side * c.distance, b.surface.rigid(), margin, dt);
}

}  // namespace meniscus

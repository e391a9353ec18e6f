// The way of one particle: cut the path at its first crossing and let the particle slide on its old side, push it off what it is
// too near to, and look again, because either may lead across another surface. What is left after several passes is carried along
// with a surface it was at, as near to that as there is room for. Only then is the last word of the exact test taken: a path that
// still crosses is a leak.
#include "engine/particle/boundary_mover.h"

#include <algorithm>
#include <limits>

namespace meniscus {
namespace {

constexpr int kPasses = 8, kSlidingPasses = 5;  // after the sliding ones, a particle is put where its path met the surface
constexpr int kPushes = 3;
constexpr float kPushTolerance = 1e-4f;  // of the contact distance
// Distances from a surface that a squeezed particle tries, in contact distances. Two surfaces nearer to each other than twice the
// least have no place between them: the limit that Boundary::resolveContacts states.
constexpr float kShares[] = {1.f, 0.3f, 0.1f, 0.03f, 0.01f};

}  // namespace

// Nothing can be met or be too near if the distance at the start exceeds what the particle and the surfaces move against each
// other.
bool Mover::trianglesMatter() const {
  if (im.triangles.count == 0) return false;
  if (!known) return true;
  const Vec3f move = y - p0;
  if (beyondLists(y)) return true;
  float relative = 0;
  if (im.still(cell).n) relative = norm(move);
  if (im.moving(cell).n) {
    const Shift& s = im.stage.cellShift[std::size_t(cell)];
    relative = std::max(relative, norm(move - s.mean) + s.spread);
  }
  return !(distance - relative > 1.001f * im.contact + im.roundoff);
}

// The cell's lists hold what is within their reach of p0 at the start. A longer way needs all triangles.
bool Mover::beyondLists(const Vec3f& q) const {
  const TriangleSet& t = im.triangles;
  const float need = norm(q - p0) + im.stage.largestShift + 4.f * im.contact;
  const bool occupied = im.grid->begin[std::size_t(cell)] < im.grid->begin[std::size_t(cell) + 1];
  return (!t.moving.empty() && !(occupied && need <= t.movingLists.reach())) || (!t.still.empty() && need > t.stillLists.reach());
}

void Mover::chooseCandidates(const Vec3f& q) {
  const auto all = [](const Buffer<Index>& b) { return CandidateSpan{b.data(), Index(b.size())}; };
  const bool far = beyondLists(q);
  moving = far ? all(im.triangles.moving) : im.moving(cell);
  still = far ? all(im.triangles.still) : im.still(cell);
}

MovingTriangle Mover::motion(Index t, bool isStill) const {
  const SolidState& s = world.solid;
  MovingTriangle m;
  for (int k = 0; k < 3; ++k) {
    const std::size_t node = std::size_t(im.triangles.topology[std::size_t(t)].node[k]);
    m.end[k] = s.x[node] - im.origin;
    m.start[k] = isStill ? m.end[k] : s.xPrev[node] - im.origin;
  }
  return m;
}

void Mover::meetTriangles(CandidateSpan span, bool isStill, const Vec3f& q, Meeting& first) const {
  const TriangleSet& set = im.triangles;
  const Vec4f a(p0, 0.f), b(q, 0.f);
  for (Index k = 0; k < span.n; ++k) {
    const std::size_t t = std::size_t(span.data[k]);
    // as seen from the moving centroid
    const Vec4f c0 = set.start.sphere[t], c1 = set.end.sphere[t];
    const Vec3f r0 = (a - c0).xyz(), r1 = (b - c1).xyz();
    const float radius = std::max(c0.w, c1.w) + 0.5f * norm(r1 - r0) + im.roundoff;
    if (norm2(r0 + r1) > 4.f * radius * radius) continue;
    const MovingTriangle m = motion(Index(t), isStill);
    Crossing found[3];
    const int count = crossings(Vec3d(p0), Vec3d(q), m, found);
    // through and back through the same triangle is no crossing of the surface
    int net = 0;
    for (int i = 0; i < count; ++i) net += found[i].from;
    if (net == 0) continue;
    const Crossing& c = found[0];
    // a closed surface is crossed from the fluid's side only
    const float side = set.start.tri[t].a.w;
    if (side != 0.f && side * float(net) < 0.f) continue;
    // of two that share the edge it goes through, the lower number: the order of the lists must not matter
    if (!(c.s < first.s || (c.s == first.s && std::int32_t(t) < first.surface))) continue;
    const Vec3d normal = normalized(cross(m.end[1] - m.end[0], m.end[2] - m.end[0]));
    const double b0 = 1.0 - c.b1 - c.b2;
    first = {c.s,       std::int32_t(t), Vec3f(m.end[0] * b0 + m.end[1] * c.b1 + m.end[2] * c.b2), Vec3f(normal * double(c.from)),
             float(b0), float(c.b1)};
  }
}

// Convex obstacles, in the body's frame. Planes and containers need no path: from inside a convex region to inside of it nothing is
// crossed.
void Mover::meetPrimitives(const Vec3f& q, Meeting& first) const {
  for (std::size_t k = 0; k < im.primitives.size(); ++k) {
    const Primitive& p = im.primitives[k];
    if (enclosing(p)) continue;
    const Vec3d r0 = Vec3d(p0) - p.start.origin, r1 = Vec3d(q) - p.end.origin;
    const double far = double(p.bound) + norm(r1 - r0) + im.contact;
    if (norm2(r0) > far * far) continue;
    const Vec3d a = p.start.rotation.transposed() * r0, d = p.end.rotation.transposed() * r1 - a;
    // touching to within round-off is no entry
    double inside;
    if (!pathEnters(p, a, d, double(im.roundoff), inside)) continue;
    Vec3d normal;
    const auto g = [&](double s) { return signedDistance(p, a + d * s, normal); };
    double lo = 0, hi = inside;
    for (int i = 0; i < 50; ++i) (g(0.5 * (lo + hi)) > 0 ? lo : hi) = 0.5 * (lo + hi);
    if (!(lo < first.s)) continue;
    g(lo);
    const Vec3d c = p.end.rotation * (a + d * lo) + p.end.origin;
    first = {lo, -1 - std::int32_t(k), Vec3f(c), Vec3f(p.end.rotation * normal), 0.f, 0.f};
  }
}

Meeting Mover::firstMeeting(const Vec3f& q) const {
  Meeting first;
  if (triangles) {
    meetTriangles(moving, false, q, first);
    meetTriangles(still, true, q, first);
  }
  meetPrimitives(q, first);
  return first;
}

void Mover::record(const Hit& h, const Vec3f& moved) {
  for (int k = 0; k < n; ++k) {
    if (held[k].hit.surface != h.surface) continue;
    held[k] = {h, held[k].moved + moved};
    return;
  }
  if (n < kMaxContacts) held[n++] = {h, moved};
}

// A move that comes after the contact with the surface.
void Mover::noteMove(std::int32_t surface, const Vec3f& moved) {
  for (int k = 0; k < n; ++k)
    if (held[k].hit.surface == surface) held[k].moved += moved;
}

// Later pushes have led past the point where a contact was first seen. From the closest point of the triangle an impulse along the
// normal has no torque.
void Mover::renewContacts() {
  for (int k = 0; k < n; ++k) {
    Hit& h = held[k].hit;
    if (h.surface < 0) continue;
    const PackedTriangle& t = im.triangles.end.tri[std::size_t(h.surface)];
    const Vec3f p = y - t.a.xyz();
    const TrianglePoint c = closestOnTriangle(t, p);
    const Vec3f away = p - (t.e1.xyz() * c.b1 + t.e2.xyz() * c.b2);
    const float d = norm(away);
    if (!(d > 0.1f * im.contact) || !(dot(away, h.n) > 0.5f * d)) continue;
    h.n = away / d;
    h.b0 = 1.f - c.b1 - c.b2;
    h.b1 = c.b1;
  }
}

// Off every local minimum nearer than the contact distance; true if the particle moved.
bool Mover::pushOff() {
  bool moved = false;
  for (int k = 0; k < kPushes; ++k) {
    hits.clear(im.contact);
    if (triangles) {
      for (const CandidateSpan& c : {moving, still}) im.collectTriangleHits(im.triangles.end, c, y, im.contact, hits);
    }
    im.collectPrimitiveHits(y, im.contact, true, hits);
    const Vec3f from = y;
    bool pushed = false;
    for (int i = 0; i < hits.n; ++i) {
      const Hit& h = hits.hit[i];
      const float gap = h.d + dot(h.n, y - from);
      if (!(gap < im.contact * (1.f - kPushTolerance))) continue;
      const Vec3f push = h.n * (im.contact - gap);
      y += push;
      record(h, push);
      pushed = true;
    }
    if (!pushed) break;
    moved = true;
  }
  return moved;
}

bool Mover::outside(const Vec3f& q) const {
  for (const Primitive& p : im.primitives) {
    PrimitiveFeature<float> f[kMaxPrimitiveFeatures];
    if (enclosing(p) && featuresOf(p, q, 0.f, true, f) > 0) return true;
  }
  return false;
}

bool Mover::tryAlong(const Vec3f& c, const Vec3f& normal) {
  for (const float share : kShares) {
    Vec3f q = c + normal * (share * im.contact);
    for (const Primitive& p : im.primitives) {
      PrimitiveFeature<float> f[kMaxPrimitiveFeatures];
      const int found = enclosing(p) ? featuresOf(p, q, share * im.contact, true, f) : 0;
      for (int k = 0; k < found; ++k) q += f[k].n * (share * im.contact - f[k].d);
    }
    chooseCandidates(q);
    if (!acceptable(q)) continue;
    y = q;
    return true;
  }
  return false;
}

// Last resort: stay with the surface first met, or with the nearest one at the start, wherever it went.
void Mover::carry(const Meeting& first) {
  const Vec3f before = y;
  if (first.s <= 1 && tryAlong(first.c, first.n)) return noteMove(first.surface, y - before);
  hits.clear(im.support);
  for (const CandidateSpan& c : {moving, still}) im.collectTriangleHits(im.triangles.start, c, p0, im.support, hits);
  for (int i = 0; i < hits.n; ++i) {
    const Hit& h = hits.hit[i];
    const PackedTriangle &s = im.triangles.start.tri[std::size_t(h.surface)], &e = im.triangles.end.tri[std::size_t(h.surface)];
    const Vec3f c = e.a.xyz() + e.e1.xyz() * h.b1 + e.e2.xyz() * (1.f - h.b0 - h.b1);
    if (tryAlong(c, dot(s.n.xyz(), h.n) < 0.f ? -e.n.xyz() : e.n.xyz())) return noteMove(h.surface, y - before);
  }
  for (std::size_t k = 0; k < im.primitives.size(); ++k) {
    const Primitive& p = im.primitives[k];
    PrimitiveFeature<float> f[kMaxPrimitiveFeatures];
    const int found = enclosing(p) ? 0 : featuresOf(p, p0, im.support, false, f);
    for (int i = 0; i < found; ++i) {
      const Mat3d toBody = p.start.rotation.transposed();
      const Vec3d n0 = Vec3d(f[i].n), c0 = toBody * (Vec3d(p0) - n0 * double(f[i].d) - p.start.origin);
      const Vec3f c(p.end.rotation * c0 + p.end.origin), normal(p.end.rotation * (toBody * n0));
      if (tryAlong(c, normal)) return noteMove(-1 - std::int32_t(k), y - before);
    }
  }
  leak = true;
}

void Mover::run(const Vec3f& from, const Vec3f& to, bool startKnown, float startDistance) {
  p0 = from;
  y = to;
  known = startKnown;
  distance = startDistance;
  cell = im.grid->indexOf(im.grid->cellOf(p0));
  met = leak = squeezed = false;
  n = 0;
  triangles = trianglesMatter();
  Meeting first;
  bool settled = false;
  for (int pass = 0; pass < kPasses && !settled; ++pass) {
    if (triangles) chooseCandidates(y);
    const Meeting m = firstMeeting(y);
    if (m.s <= 1) {
      if (!met) first = m;
      met = true;
      const float ahead = dot(m.n, y - m.c);
      const Vec3f before = y;
      y = pass < kSlidingPasses ? y + m.n * (im.contact - ahead) : m.c + m.n * im.contact;
      record({m.n, im.contact, 1.f, m.b0, m.b1, m.surface}, y - before);
    } else {
      settled = !pushOff();
    }
    // the way may now lead to surfaces that the first one did not
    triangles = triangles || trianglesMatter();
  }
  if (!met && n == 0) return;
  if (triangles) chooseCandidates(y);
  squeezed = !settled;
  if (!settled && !acceptable(y)) carry(first);
  renewContacts();
}

}  // namespace meniscus

// The way of one particle through a sub-step, against all surfaces, by one thread; the same as engine/particle/boundary_mover.cpp.
// Cut the path at its first crossing and let the particle slide on its old side, push it off what it is too near to, and look
// again, because either may lead across another surface. What is left after several passes is carried along with a surface it was
// at, as near to that as there is room for. Only then is the last word of the exact test taken: a path that still crosses is a
// leak.
#pragma once

#include "kernels/contact/continuous.h"
#include "kernels/contact/surface_query.h"

// A function of its own on a card, not a copy in each place that calls it: what it needs of the stack is given back.
#if defined(__CUDACC__)
#define MNS_HD_APART __host__ __device__ __noinline__
#else
#define MNS_HD_APART
#endif

MNS_NS_BEGIN

constexpr int kMostHeld = 16;  // contacts recorded per particle

// A contact of the particle, and how far it has been moved by it.
struct SurfaceHold {
  SurfaceHit hit;
  Vec3f moved;
};

class SurfaceMover {
 public:
  MNS_HD explicit SurfaceMover(const SurfaceSet& s) : set(s), shift(s.largestShift ? float(*s.largestShift) : 0.f) {}

  // startDistance: from the start to the nearest triangle, at most the support [m]
  MNS_HD void run(const Vec3f& from, const Vec3f& to, float startDistance) {
    p0 = from;
    y = to;
    distance = startDistance;
    cell = set.cellOf(p0);
    met = leak = squeezed = false;
    n = 0;
    triangles = trianglesMatter();
    Meeting first;
    bool settled = false;
    for (int pass = 0; pass < kPasses && !settled; ++pass) {
      chooseCandidates(y);
      const Meeting m = firstMeeting(y);
      if (m.s <= 1) {
        if (!met) first = m;
        met = true;
        const float ahead = dot(m.n, y - m.c);
        const Vec3f before = y;
        y = pass < kSlidingPasses ? y + m.n * (set.contact - ahead) : m.c + m.n * set.contact;
        record({m.n, set.contact, 1.f, m.b0, m.b1, m.surface}, y - before);
      } else {
        settled = !pushOff();
      }
      // the way may now lead to surfaces that the first one did not
      triangles = triangles || trianglesMatter();
    }
    if (!met && n == 0) return;
    chooseCandidates(y);
    squeezed = !settled;
    if (!settled && !acceptable(y)) carry(first);
    renewContacts();
  }
  MNS_HD const Vec3f& position() const { return y; }
  MNS_HD bool corrected() const { return met; }
  MNS_HD bool leaks() const { return leak; }
  MNS_HD bool isSqueezed() const { return squeezed; }
  MNS_HD int contacts() const { return n; }
  MNS_HD const SurfaceHold& contact(int k) const { return held[k]; }

 private:
  static constexpr int kPasses = 8, kSlidingPasses = 5;  // after the sliding ones, a particle is put where its path met the surface
  static constexpr int kPushes = 3;
  static constexpr float kPushTolerance = 1e-4f;  // of the contact distance

  struct Meeting {
    double s = 2;  // time of the first crossing, > 1: none
    std::int32_t surface = 0;
    Vec3f c{}, n{};  // the point met and the normal to the old side, at the end of the sub-step
    float b0 = 0, b1 = 0;
  };

  // Nothing can be met or be too near if the distance at the start exceeds what the particle and the surfaces move against each
  // other.
  MNS_HD bool trianglesMatter() const {
    if (set.triangles == 0) return false;
    if (beyondLists(y)) return true;
    return !(distance - (norm(y - p0) + shift) > 1.001f * set.contact + set.roundoff);
  }
  // The cell's list holds what is within its reach of p0 at the start. A longer way needs all triangles.
  MNS_HD bool beyondLists(const Vec3f& q) const { return norm(q - p0) + shift + 4.f * set.contact > set.near.reach; }
  MNS_HD void chooseCandidates(const Vec3f& q) {
    if (!triangles) return;
    const bool far = beyondLists(q);
    list = far ? nullptr : set.near.tri + set.near.first(cell);
    listed = far ? set.triangles : set.near.last(cell) - set.near.first(cell);
  }

  MNS_HD_APART void meetTriangles(const Vec3f& q, Meeting& first) const {
    for (Index k = 0; k < listed; ++k) {
      const Index t = list ? list[k] : k;
      // as seen from the moving centroid
      const Vec4f c0 = set.start.sphere[t], c1 = set.end.sphere[t];
      const Vec3f r0 = p0 - c0.xyz(), r1 = q - c1.xyz();
      const float radius = (c0.w < c1.w ? c1.w : c0.w) + 0.5f * norm(r1 - r0) + set.roundoff;
      if (norm2(r0 + r1) > 4.f * radius * radius) continue;
      MovingTriangle m;
      for (int i = 0; i < 3; ++i) {
        const Index node = set.topology[t].node[i];
        m.start[i] = set.start.exact[node];
        m.end[i] = set.end.exact[node];
      }
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
  // Convex obstacles, in the body's frame. Planes and containers need no path: from inside a convex region to inside of it nothing
  // is crossed.
  MNS_HD_APART void meetPrimitives(const Vec3f& q, Meeting& first) const {
    for (Index k = set.walls; k < set.primitives; ++k) {
      const PlacedPrimitive& p = set.primitive[k];
      if (p.enclosing()) continue;
      const Vec3d r0 = Vec3d(p0) - p.start.origin, r1 = Vec3d(q) - p.end.origin;
      const double far = double(p.bound) + norm(r1 - r0) + set.contact;
      if (norm2(r0) > far * far) continue;
      const Vec3d a = p.start.rotation.transposed() * r0, d = p.end.rotation.transposed() * r1 - a;
      // touching to within round-off is no entry
      double inside;
      if (!p.pathEnters(a, d, double(set.roundoff), inside)) continue;
      double lo = 0, hi = inside;
      for (int i = 0; i < 50; ++i) {
        const double mid = 0.5 * (lo + hi);
        (p.heightOnPath(a, d, mid) > 0 ? lo : hi) = mid;
      }
      if (!(lo < first.s)) continue;
      Vec3d normal;
      p.signedDistance(a + d * lo, normal);
      const Vec3d c = p.end.rotation * (a + d * lo) + p.end.origin;
      first = {lo, -1 - std::int32_t(k), Vec3f(c), Vec3f(p.end.rotation * normal), 0.f, 0.f};
    }
  }
  MNS_HD Meeting firstMeeting(const Vec3f& q) const {
    Meeting first;
    if (triangles) meetTriangles(q, first);
    meetPrimitives(q, first);
    return first;
  }

  MNS_HD void record(const SurfaceHit& h, const Vec3f& moved) {
    for (int k = 0; k < n; ++k) {
      if (held[k].hit.surface != h.surface) continue;
      held[k] = {h, held[k].moved + moved};
      return;
    }
    if (n < kMostHeld) held[n++] = {h, moved};
  }
  // A move that comes after the contact with the surface.
  MNS_HD void noteMove(std::int32_t surface, const Vec3f& moved) {
    for (int k = 0; k < n; ++k)
      if (held[k].hit.surface == surface) held[k].moved += moved;
  }
  // Later pushes have led past the point where a contact was first seen. From the closest point of the triangle an impulse along
  // the normal has no torque.
  MNS_HD_APART void renewContacts() {
    for (int k = 0; k < n; ++k) {
      SurfaceHit& h = held[k].hit;
      if (h.surface < 0) continue;
      const PackedTriangle& t = set.end.tri[h.surface];
      const Vec3f p = y - t.a.xyz();
      const TrianglePoint c = closestOnTriangle(t, p);
      const Vec3f away = p - (t.e1.xyz() * c.b1 + t.e2.xyz() * c.b2);
      const float d = norm(away);
      if (!(d > 0.1f * set.contact) || !(dot(away, h.n) > 0.5f * d)) continue;
      h.n = away / d;
      h.b0 = 1.f - c.b1 - c.b2;
      h.b1 = c.b1;
    }
  }

  // Off every local minimum nearer than the contact distance; true if the particle moved.
  MNS_HD_APART bool pushOff() {
    bool moved = false;
    for (int k = 0; k < kPushes; ++k) {
      hits.clear(set.contact);
      if (triangles) collectTriangles(set, false, list, listed, y, set.contact, hits);
      collectPrimitives(set, y, set.contact, true, hits);
      const Vec3f from = y;
      bool pushed = false;
      for (int i = 0; i < hits.n; ++i) {
        const SurfaceHit& h = hits.hit[i];
        const float gap = h.d + dot(h.n, y - from);
        if (!(gap < set.contact * (1.f - kPushTolerance))) continue;
        const Vec3f push = h.n * (set.contact - gap);
        y += push;
        record(h, push);
        pushed = true;
      }
      if (!pushed) break;
      moved = true;
    }
    return moved;
  }

  MNS_HD_APART bool outside(const Vec3f& q) const {
    for (Index k = 0; k < set.primitives; ++k) {
      PrimitiveFeature<float> f[kMaxPrimitiveFeatures];
      if (set.primitive[k].enclosing() && set.primitive[k].features(q, 0.f, true, f) > 0) return true;
    }
    return false;
  }
  MNS_HD bool acceptable(const Vec3f& q) const { return !outside(q) && firstMeeting(q).s > 1; }

  // At the distances from a surface that a squeezed particle tries, in contact distances: two surfaces nearer to each other than
  // twice the least have no place between them.
  MNS_HD_APART bool tryAlong(const Vec3f& c, const Vec3f& normal) {
    for (int s = 0; s < 5; ++s) {
      const float share = s == 0 ? 1.f : s == 1 ? 0.3f : s == 2 ? 0.1f : s == 3 ? 0.03f : 0.01f;
      Vec3f q = c + normal * (share * set.contact);
      for (Index k = 0; k < set.primitives; ++k) {
        const PlacedPrimitive& p = set.primitive[k];
        PrimitiveFeature<float> f[kMaxPrimitiveFeatures];
        const int found = p.enclosing() ? p.features(q, share * set.contact, true, f) : 0;
        for (int i = 0; i < found; ++i) q += f[i].n * (share * set.contact - f[i].d);
      }
      chooseCandidates(q);
      if (!acceptable(q)) continue;
      y = q;
      return true;
    }
    return false;
  }
  // Last resort: stay with the surface first met, or with the nearest one at the start, wherever it went.
  MNS_HD_APART void carry(const Meeting& first) {
    const Vec3f before = y;
    if (first.s <= 1 && tryAlong(first.c, first.n)) return noteMove(first.surface, y - before);
    hits.clear(set.support);
    if (triangles) collectTriangles(set, true, list, listed, p0, set.support, hits);
    for (int i = 0; i < hits.n; ++i) {
      const SurfaceHit h = hits.hit[i];
      const PackedTriangle &s = set.start.tri[h.surface], &e = set.end.tri[h.surface];
      const Vec3f c = e.a.xyz() + e.e1.xyz() * h.b1 + e.e2.xyz() * (1.f - h.b0 - h.b1);
      if (tryAlong(c, dot(s.n.xyz(), h.n) < 0.f ? -e.n.xyz() : e.n.xyz())) return noteMove(h.surface, y - before);
    }
    for (Index k = 0; k < set.primitives; ++k) {
      const PlacedPrimitive& p = set.primitive[k];
      PrimitiveFeature<float> f[kMaxPrimitiveFeatures];
      const int found = p.enclosing() ? 0 : p.features(p0, set.support, false, f);
      for (int i = 0; i < found; ++i) {
        const Mat3d toBody = p.start.rotation.transposed();
        const Vec3d n0 = Vec3d(f[i].n), c0 = toBody * (Vec3d(p0) - n0 * double(f[i].d) - p.start.origin);
        const Vec3f c(p.end.rotation * c0 + p.end.origin), normal(p.end.rotation * (toBody * n0));
        if (tryAlong(c, normal)) return noteMove(-1 - std::int32_t(k), y - before);
      }
    }
    leak = true;
  }

  const SurfaceSet& set;
  float shift;
  SurfaceHits hits;
  SurfaceHold held[kMostHeld];
  Vec3f p0{}, y{};
  float distance = 0;
  Index cell = 0;
  const Index* list = nullptr;  // null: all triangles
  Index listed = 0;
  bool triangles = false, met = false, leak = false, squeezed = false;
  int n = 0;
};

MNS_NS_END

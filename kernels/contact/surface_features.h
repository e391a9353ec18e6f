// The features of every particle before surfaces of all kinds, for a device: found once into four places a particle, then put side
// by side; and whether a sheet stands between two particles.
#pragma once

#include "kernels/contact/surface_query.h"

MNS_NS_BEGIN

constexpr float kSameNormal = 0.87f;  // cosine of 30 degrees: features closer in direction than this are one
constexpr float kSmallestWeight = 1e-3f;

// As Boundary::Impl::featuresAt: local minima of the distance at the start, clustered by normal, without what stands behind another
// surface. hits: scratch. sheetDistance: kBeyondReach where no sheet is within the support.
MNS_HD inline int surfaceFeatures(const SurfaceSet& set, const Vec3f& x, SurfaceHits& hits, Feature (&out)[kMaxFeatures],
                                  float& sheetDistance) {
  const Index cell = set.cellOf(x);
  hits.clear(set.support);
  collectTriangles(set, true, set.near.tri + set.near.first(cell), set.near.last(cell) - set.near.first(cell), x, set.support,
                   hits);
  sheetDistance = hits.nearestSheet < set.support ? hits.nearestSheet : kBeyondReach;
  collectPrimitives(set, x, set.support, false, hits);
  for (int k = 0; k < hits.n; ++k) {
    const SurfaceHit& h = hits.hit[k];
    if (h.surface < 0 && set.primitive[-1 - h.surface].thin && h.d < sheetDistance) sheetDistance = h.d;
  }
  int kept = 0;
  for (int k = 0; k < hits.n && kept < kMaxFeatures; ++k) {
    const SurfaceHit& h = hits.hit[k];
    if (h.w < kSmallestWeight) continue;
    bool drop = false;
    for (int j = 0; j < kept; ++j) drop |= dot(h.n, out[j].n) > kSameNormal;
    // nothing can stand before the nearest one
    if (!drop && k > 0) drop = crossesTriangle(set, cell, x, x - h.n * (0.99f * h.d), false);
    if (drop) continue;
    // a particle on or behind a surface is treated as just in front of it
    const float least = 1e-3f * set.contact;
    out[kept++] = {h.n, h.d < least ? least : h.d, h.w, h.b0, h.b1, h.surface};
  }
  return kept;
}

struct FindSurfaceFeatures {
  SurfaceSet set;
  const Vec4f* x;
  Index *near, *slots;      // 1 or 0; number of features
  Feature* found;           // kMaxFeatures a particle
  float* triangleDistance;  // to the nearest triangle, at most the support [m]
  float* sheetDistance;
  MNS_HD void operator()(Index i) const {
    SurfaceHits hits;
    Feature f[kMaxFeatures];
    const int n = surfaceFeatures(set, x[i].xyz(), hits, f, sheetDistance[i]);
    triangleDistance[i] = hits.nearest;
    near[i] = n > 0;
    slots[i] = n;
    for (int k = 0; k < n; ++k) found[Offset(i) * kMaxFeatures + k] = f[k];
  }
};

// The feature table of PairView: rows of near particles, ascending, and their slots.
struct CompactSurfaceFeatures {
  Index end;  // number of particles
  const Index *nearFlag, *slots;
  const Feature* found;
  const Offset *nearBefore, *slotsBefore;
  Index *nearIndex, *nearParticle, *slotBegin, *slotParticle;
  std::uint8_t* featureCount;
  Feature* features;
  MNS_HD void operator()(Index i) const {
    const Index k = Index(nearBefore[i]), first = Index(slotsBefore[i]), n = slots[i];
    nearIndex[i] = nearFlag[i] ? k : -1;
    if (!nearFlag[i]) return;
    nearParticle[k] = i;
    featureCount[k] = std::uint8_t(n);
    slotBegin[k] = first;
    if (k + 1 == nearBefore[end]) slotBegin[k + 1] = first + n;
    for (Index s = 0; s < n; ++s) {
      features[first + s] = found[Offset(i) * kMaxFeatures + s];
      slotParticle[first + s] = i;
    }
  }
};

// Normal velocity of each slot's surface, where its motion is given [m/s].
struct SurfaceSpeed {
  const Feature* features;
  const Index* particle;  // of the slot
  const Vec4f* x;
  SurfaceSet set;
  float* speed;
  MNS_HD void operator()(Index s) const {
    const Feature& f = features[s];
    speed[s] = dot(f.n, set.velocity(f.surface, x[particle[s]].xyz() - f.n * f.d));
  }
};

// Do sheets, or obstacles thinner than the support, stand between two particles nearer than the support?
struct SheetsBetween {
  SurfaceSet set;
  const float* distance;  // FindSurfaceFeatures::sheetDistance
  const Vec4f* x;
  MNS_HD bool operator()(Index i, Index j) const {
    if (!(distance[i] < set.support)) return false;
    // a crossing is at least distance[i] away from i and distance[j] from j
    const float reach = distance[i] + distance[j];
    if (!(reach * reach <= norm2((x[i] - x[j]).xyz()))) return false;
    // both particles of a pair ask the same question: from the lower number to the higher
    const Vec3f a = x[i < j ? i : j].xyz(), b = x[i < j ? j : i].xyz();
    return crossesTriangle(set, set.cellOf(x[i].xyz()), a, b, true) || entersThinPrimitive(a, b);
  }
  MNS_HD bool entersThinPrimitive(const Vec3f& a, const Vec3f& b) const {
    for (Index k = set.walls; k < set.primitives; ++k) {
      const PlacedPrimitive& p = set.primitive[k];
      if (!p.thin) continue;
      const Mat3d toBody = p.start.rotation.transposed();
      const Vec3d from = toBody * (Vec3d(a) - p.start.origin);
      double inside;
      if (p.pathEnters(from, toBody * (Vec3d(b) - p.start.origin) - from, double(set.roundoff), inside)) return true;
    }
    return false;
  }
};

MNS_NS_END

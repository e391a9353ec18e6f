// Distance queries on the surfaces, by one thread: local minima of the distance (triangle_query.h), and segments that cross. The
// same as engine/particle/boundary_query.cpp does eight at a time.
#pragma once

#include "kernels/contact/segment.h"
#include "kernels/contact/surface_set.h"
#include "kernels/contact/triangle_query.h"

MNS_NS_BEGIN

MNS_HD inline bool separatesOf(const SurfaceSet& set, Index t) { return set.topology[t].separates != 0; }

// Adds the local minima of the distance from x to the triangles of a list. atStart: those of the start, with weights and the filter
// by slopes; else those of the end.
MNS_HD inline void collectTriangles(const SurfaceSet& set, bool atStart, const Index* tri, Index count, const Vec3f& x, float reach,
                                    SurfaceHits& out) {
  for (Index k = 0; k < count; ++k) {
    const Index t = tri ? tri[k] : k;
    if (atStart) {
      if (mayHoldMinimum(set.filter[t], x, reach)) queryTriangle(set, set.start, t, x, reach, true, out);
      continue;
    }
    const Vec4f s = set.end.sphere[t];
    const float far = s.w + reach;
    if (norm2(x - s.xyz()) <= far * far) queryTriangle(set, set.end, t, x, reach, false, out);
  }
}
MNS_HD inline void collectPrimitives(const SurfaceSet& set, const Vec3f& x, float reach, bool atEnd, SurfaceHits& out) {
  for (Index k = set.firstPrimitive(x, reach); k < set.primitives; ++k) {
    PrimitiveFeature<float> f[kMaxPrimitiveFeatures];
    const int n = set.primitive[k].features(x, reach, atEnd, f);
    for (int j = 0; j < n; ++j) out.add({f[j].n, f[j].d, f[j].w, 0.f, 0.f, -1 - std::int32_t(k)});
  }
}

// Does any of the triangles near the cell stand between x and y?
MNS_HD inline bool crossesTriangle(const SurfaceSet& set, Index cell, const Vec3f& x, const Vec3f& y, bool separatingOnly) {
  const Vec3f mid = (x + y) * 0.5f;
  const float halfLength = 0.5f * norm(y - x);
  for (Index k = set.near.first(cell); k < set.near.last(cell); ++k) {
    const Index t = set.near.tri[k];
    const Vec4f s = set.start.sphere[t];
    const float far = s.w + halfLength;
    if (norm2(mid - s.xyz()) > far * far) continue;
    if (separatingOnly && !(set.topology[t].separates & kSurfaceSeparates)) continue;
    const PackedTriangle& tri = set.start.tri[t];
    const Vec3f a = tri.a.xyz();
    if (segmentMeetsTriangle(tri, x - a, y - a)) return true;
  }
  return false;
}

MNS_NS_END

// Distance queries on the triangles: local minima of the distance (kernels/contact/triangle_query.h), and segments that cross.
#include <algorithm>

#include "engine/particle/boundary_impl.h"
#include "kernels/contact/segment.h"

namespace meniscus {

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
  const auto collect = [&](std::size_t k) {
    PrimitiveFeature<float> f[kMaxPrimitiveFeatures];
    const int n = meniscus::featuresOf(primitives[k], x, reach, end, f);
    for (int j = 0; j < n; ++j) out.add({f[j].n, f[j].d, f[j].w, 0.f, 0.f, -1 - std::int32_t(k)});
  };
  for (unsigned near = wallsNear(x, reach); near; near &= near - 1) collect(wallOfSide[__builtin_ctz(near)]);
  for (std::size_t k = walls; k < primitives.size(); ++k) collect(k);
}

unsigned Boundary::Impl::wallsNear(const Vec3f& x, float reach) const {
  const Vec3f lo = x - wallMin, hi = wallMax - x;
  unsigned near = 0;
  for (int k = 0; k < 3; ++k) near |= unsigned(lo[k] < reach) << (2 * k) | unsigned(hi[k] < reach) << (2 * k + 1);
  return near;
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

// Does a segment meet a triangle? The border counts, with a small tolerance, so that a segment through an edge shared by two
// triangles is never missed.
#pragma once

#include "kernels/contact/triangle.h"

MNS_NS_BEGIN

constexpr float kSegmentTolerance = 1e-4f;  // in barycentric weights

// p, q: end points relative to the triangle's first vertex. Ends on the plane count as meeting it.
MNS_HD inline bool segmentMeetsTriangle(const PackedTriangle& t, const Vec3f& p, const Vec3f& q) {
  const Vec3f n = t.n.xyz();
  const float hp = dot(n, p), hq = dot(n, q);
  if (hp * hq > 0.f) return false;
  const float h = hp - hq;
  if (h == 0.f) return false;  // in the plane, or a degenerate triangle
  const Vec3f c = p + (q - p) * (hp / h);
  const float d1 = dot(t.e1.xyz(), c), d2 = dot(t.e2.xyz(), c);
  const float e11 = t.e1.w, e22 = t.e2.w, e12 = t.n.w;
  const float det = e11 * e22 - e12 * e12, tol = -kSegmentTolerance * det;
  const float b1 = e22 * d1 - e12 * d2, b2 = e11 * d2 - e12 * d1;
  return b1 >= tol && b2 >= tol && det - b1 - b2 >= tol;
}

MNS_NS_END

// A triangle packed for distance queries, and the point of it that is closest to a given point.
//   The Voronoi regions are told apart as in Ericson, Real-Time Collision Detection (2005), section 5.1.5, here with the edge
//   products precomputed and everything relative to the first vertex, so that single precision loses nothing to the distance from
//   the domain's origin.
#pragma once

#include "kernels/core/vec4.h"

MNS_NS_BEGIN

struct PackedTriangle {
  Vec4f a;   // first vertex [m]; w: side, see TriangleSide
  Vec4f e1;  // second vertex - first; w: |e1|^2
  Vec4f e2;  // third vertex - first; w: |e2|^2
  Vec4f n;   // unit normal by the winding, 0 where degenerate; w: e1.e2

  MNS_HD static PackedTriangle make(const Vec3f& a, const Vec3f& b, const Vec3f& c, float side) {
    const Vec3f e1 = b - a, e2 = c - a;
    return {Vec4f(a, side), Vec4f(e1, norm2(e1)), Vec4f(e2, norm2(e2)), Vec4f(normalized(cross(e1, e2)), dot(e1, e2))};
  }
};

// Which sides of a triangle the fluid can be on: +1 where the normal points, -1 the other one, 0 both (a sheet).
using TriangleSide = float;

// Where on the triangle (a, b, c) the closest point lies. Edge k joins vertex k and vertex (k+1)%3.
enum class TriangleRegion : int { face = 0, edge0 = 1, edge1 = 2, edge2 = 3, vertex0 = 4, vertex1 = 5, vertex2 = 6 };

struct TrianglePoint {
  float b1, b2;  // barycentric weights of the second and third vertex
  TriangleRegion region;
};

// p: the point relative to the first vertex.
MNS_HD inline TrianglePoint closestOnTriangle(const PackedTriangle& t, const Vec3f& p) {
  const float e11 = t.e1.w, e22 = t.e2.w, e12 = t.n.w;
  const float d1 = dot(t.e1.xyz(), p), d2 = dot(t.e2.xyz(), p);
  if (d1 <= 0.f && d2 <= 0.f) return {0.f, 0.f, TriangleRegion::vertex0};
  const float d3 = d1 - e11, d4 = d2 - e12;  // the same products with p relative to the second vertex
  if (d3 >= 0.f && d4 <= d3) return {1.f, 0.f, TriangleRegion::vertex1};
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0.f && d1 >= 0.f && d3 <= 0.f) return {d1 / e11, 0.f, TriangleRegion::edge0};
  const float d5 = d1 - e12, d6 = d2 - e22;  // relative to the third vertex
  if (d6 >= 0.f && d5 <= d6) return {0.f, 1.f, TriangleRegion::vertex2};
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0.f && d2 >= 0.f && d6 <= 0.f) return {0.f, d2 / e22, TriangleRegion::edge2};
  const float va = d3 * d6 - d5 * d4, u = d4 - d3, v = d5 - d6;
  if (va <= 0.f && u >= 0.f && v >= 0.f) {
    const float w = u + v > 0.f ? u / (u + v) : 0.f;
    return {1.f - w, w, TriangleRegion::edge1};
  }
  const float sum = va + vb + vc;
  if (!(sum > 0.f)) return {0.f, 0.f, TriangleRegion::vertex0};  // degenerate, or not a number
  const float s = 1.f / sum;
  return {vb * s, vc * s, TriangleRegion::face};
}

MNS_NS_END

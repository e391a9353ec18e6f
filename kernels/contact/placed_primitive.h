// An analytic solid, or a wall of the domain, where it stands at the start and at the end of a sub-step.
#pragma once

#include "kernels/contact/primitives.h"

MNS_NS_BEGIN

struct PrimitivePlace {
  Mat3d rotation;  // body to world
  Vec3d origin;    // relative to the domain's corner [m]
};

struct PlacedPrimitive {
  PrimitiveShape<float> shape;
  PrimitiveShape<double> shapeD;
  PrimitivePlace start, end;
  float bound;        // radius about the origin that holds the solid [m]; infinite: always test
  std::uint8_t thin;  // an obstacle thinner than the support: separates what is on its two sides

  // Planes and containers have the fluid on the inside of a convex region: there is no way past them, only out of them.
  MNS_HD bool enclosing() const { return shape.container || shape.kind == PrimitiveKind::plane; }

  // Fluid side first: signed distances nearer than reach, normals in the domain's frame. Returns their number.
  MNS_HD int features(const Vec3f& x, float reach, bool atEnd, PrimitiveFeature<float> (&out)[kMaxPrimitiveFeatures]) const {
    const PrimitivePlace& place = atEnd ? end : start;
    const Mat3f rotation(place.rotation);
    const Vec3f r = x - Vec3f(place.origin);
    if (shape.kind == PrimitiveKind::plane) {
      const Vec3f n = rotation.column(2);
      out[0] = {n, dot(n, r), 1.f};
      return out[0].d < reach;
    }
    const float far = bound + reach;
    if (norm2(r) > far * far) return 0;
    const int n = primitiveFeatures(shape, rotation.transposed() * r, reach, out);
    for (int k = 0; k < n; ++k) out[k].n = rotation * out[k].n;
    return n;
  }
  // In the body's frame; n: away from the surface.
  MNS_HD double signedDistance(const Vec3d& x, Vec3d& n) const {
    PrimitiveFeature<double> f[kMaxPrimitiveFeatures] = {};
    primitiveFeatures(shapeD, x, 1e300, f);
    n = f[0].n;
    return f[0].d;
  }
  MNS_HD double heightOnPath(const Vec3d& a, const Vec3d& d, double s) const {
    Vec3d n;
    return signedDistance(a + d * s, n);
  }
  // Does the straight path a + s d, s in [0, 1], of the body's frame go deeper than `depth` into a convex obstacle it starts
  // outside of? inside: a time when it is in. The signed distance to a convex body along a straight path is convex, so golden
  // sections bracket its minimum. It changes by no more than the way, which settles most cases at the ends.
  MNS_HD bool pathEnters(const Vec3d& a, const Vec3d& d, double depth, double& inside) const {
    constexpr double golden = 0.6180339887498949;
    const double length = norm(d), g0 = heightOnPath(a, d, 0.0);
    if (!(g0 > 0) || g0 + depth > length) return false;
    inside = 1.0;
    const double g1 = heightOnPath(a, d, 1.0);
    if (g1 < -depth) return true;
    if (g0 + g1 + 2 * depth > length) return false;
    double lo = 0, hi = 1, s1 = 1 - golden, s2 = golden, v1 = heightOnPath(a, d, s1), v2 = heightOnPath(a, d, s2);
    for (int i = 0; i < 60; ++i) {
      inside = v1 < v2 ? s1 : s2;
      if ((v1 < v2 ? v1 : v2) < -depth) return true;
      if (v1 < v2) {
        hi = s2;
        s2 = s1;
        v2 = v1;
        s1 = hi - golden * (hi - lo);
        v1 = heightOnPath(a, d, s1);
      } else {
        lo = s1;
        s1 = s2;
        v1 = v2;
        s2 = lo + golden * (hi - lo);
        v2 = heightOnPath(a, d, s2);
      }
    }
    return false;
  }
};

MNS_NS_END

// Continuous test: a point moving along a straight line against a triangle whose vertices move along straight lines.
//   The point is in the triangle's plane at time s in [0, 1] where the cubic
//     f(s) = (x(s) - a(s)) . ((b(s) - a(s)) x (c(s) - a(s)))
//   vanishes (Provot 1997); at such a time the barycentric weights say whether it is inside. The cubic is split at its extrema, so
//   every simple root is found; the side of a point on the plane is taken as positive, at both ends, so that steps chain without
//   a gap. Double precision throughout.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

constexpr double kBarycentricTolerance = 1e-6;

struct MovingTriangle {
  Vec3d start[3], end[3];
};

struct Crossing {
  double s;       // time in [0, 1]
  double b1, b2;  // barycentric weights of the second and third vertex at that time
  int from;       // side the point came from: +1 where the normal points, -1
};

// Side of p with respect to the triangle's plane, times twice the area [m^3].
MNS_HD inline double planeSide(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return dot(p - a, cross(b - a, c - a));
}

// Barycentric weights of the projection of p onto the plane of (a, b, c); false for a degenerate triangle.
MNS_HD inline bool barycentric(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c, double& b1, double& b2) {
  const Vec3d e1 = b - a, e2 = c - a, q = p - a;
  const Vec3d m = cross(e1, e2);
  const double mm = norm2(m);
  if (!(mm > 0.0)) return false;
  b1 = dot(cross(q, e2), m) / mm;
  b2 = dot(cross(e1, q), m) / mm;
  return true;
}

// Coefficients of f(s) = f[0] + f[1] s + f[2] s^2 + f[3] s^3.
MNS_HD inline void coplanarityCubic(const Vec3d& p0, const Vec3d& p1, const MovingTriangle& t, double (&f)[4]) {
  const Vec3d q = p0 - t.start[0], e = t.start[1] - t.start[0], g = t.start[2] - t.start[0];
  const Vec3d dq = (p1 - t.end[0]) - q, de = (t.end[1] - t.end[0]) - e, dg = (t.end[2] - t.end[0]) - g;
  const Vec3d n0 = cross(e, g), n1 = cross(e, dg) + cross(de, g), n2 = cross(de, dg);
  f[0] = dot(q, n0);
  f[1] = dot(q, n1) + dot(dq, n0);
  f[2] = dot(q, n2) + dot(dq, n1);
  f[3] = dot(dq, n2);
}

// The times in (lo, hi] where the cubic changes sign, one per monotone piece, in order; returns their number (at most 3).
MNS_HD inline int signChanges(const double (&f)[4], double f0, double f1, double (&root)[3]) {
  const auto value = [&](double s) { return f[0] + s * (f[1] + s * (f[2] + s * f[3])); };
  // extrema: 3 f3 s^2 + 2 f2 s + f1 = 0, by the form that does not cancel
  double knot[4] = {0.0, 1.0, 1.0, 1.0};
  int knots = 1;
  const double a = 3.0 * f[3], b = 2.0 * f[2], c = f[1], disc = b * b - 4.0 * a * c;
  if (disc > 0.0) {
    const double q = -0.5 * (b + (b >= 0.0 ? std::sqrt(disc) : -std::sqrt(disc)));
    double r0 = a != 0.0 ? q / a : 2.0, r1 = q != 0.0 ? c / q : 2.0;
    if (r1 < r0) {
      const double t = r0;
      r0 = r1;
      r1 = t;
    }
    if (r0 > 0.0 && r0 < 1.0) knot[knots++] = r0;
    if (r1 > 0.0 && r1 < 1.0) knot[knots++] = r1;
  }
  knot[knots] = 1.0;
  int found = 0;
  double lo = 0.0, flo = f0;
  for (int k = 1; k <= knots; ++k) {
    const double hi = knot[k], fhi = k == knots ? f1 : value(hi);
    if ((flo >= 0.0) != (fhi >= 0.0)) {
      double l = lo, h = hi;
      // plain bisection: 54 halvings reach the last bit of s, and few paths get here
      for (int i = 0; i < 60 && h - l > 1e-16; ++i) {
        const double m = 0.5 * (l + h);
        if ((value(m) >= 0.0) == (flo >= 0.0))
          l = m;
        else
          h = m;
      }
      root[found++] = 0.5 * (l + h);
    }
    lo = hi;
    flo = fhi;
  }
  return found;
}

// All crossings of the path p0 -> p1 with the triangle, in order of time; returns their number (at most 3).
MNS_HD inline int crossings(const Vec3d& p0, const Vec3d& p1, const MovingTriangle& t, Crossing (&out)[3]) {
  double f[4];
  coplanarityCubic(p0, p1, t, f);
  // the sides at the ends come from the positions themselves, so that the end of one step and the start of the next agree
  const double f0 = planeSide(p0, t.start[0], t.start[1], t.start[2]), f1 = planeSide(p1, t.end[0], t.end[1], t.end[2]);
  if (!(f0 == f0) || !(f1 == f1)) return 0;  // not a number
  // all Bernstein coefficients of one sign: no root
  const double b1 = f[0] + f[1] / 3.0, b2 = f[0] + 2.0 * f[1] / 3.0 + f[2] / 3.0;
  if (f0 > 0.0 && f1 > 0.0 && b1 > 0.0 && b2 > 0.0) return 0;
  if (f0 < 0.0 && f1 < 0.0 && b1 < 0.0 && b2 < 0.0) return 0;
  double root[3];
  const int roots = signChanges(f, f0, f1, root);
  int found = 0;
  bool positive = f0 >= 0.0;
  for (int k = 0; k < roots; ++k, positive = !positive) {
    const double s = root[k];
    const Vec3d p = p0 + (p1 - p0) * s;
    Vec3d v[3];
    for (int i = 0; i < 3; ++i) v[i] = t.start[i] + (t.end[i] - t.start[i]) * s;
    double w1, w2;
    if (!barycentric(p, v[0], v[1], v[2], w1, w2)) continue;
    const double tol = -kBarycentricTolerance;
    if (w1 < tol || w2 < tol || 1.0 - w1 - w2 < tol) continue;
    out[found++] = {s, w1, w2, positive ? 1 : -1};
  }
  return found;
}

MNS_NS_END

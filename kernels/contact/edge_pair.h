// Two edges that cross at a distance: where, along which normal, and whether that is a local minimum of the distance between the
// surfaces that they belong to.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

struct EdgeCrossing {
  double s, t;      // of the nearest points, from the first ends on, both in (0, 1)
  Vec3d n;          // unit, across both edges, from b to a
  double distance;  // m, >= 0
};

// Edges a and b. False where the points that are nearest to one another are not within both, and where the edges are parallel: of
// parallel edges there is none, their ends before the other one say all. `aside` [m]: edges that part sideways by less over the
// length of the shorter one are parallel.
MNS_HD inline bool crossEdges(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1, double aside, EdgeCrossing& out) {
  const Vec3d e = a1 - a0, f = b1 - b0, r = a0 - b0, c = cross(e, f);
  const double c2 = norm2(c), longer2 = norm2(e) > norm2(f) ? norm2(e) : norm2(f);
  if (!(c2 > aside * aside * longer2)) return false;
  out.s = dot(cross(f, r), c) / c2;
  out.t = dot(cross(e, r), c) / c2;
  if (!(out.s > 0 && out.s < 1 && out.t > 0 && out.t < 1)) return false;
  out.n = c / std::sqrt(c2);
  out.distance = dot(out.n, r);
  if (out.distance < 0) {
    out.n = -out.n;
    out.distance = -out.distance;
  }
  return true;
}

// The least distance between two edges, their ends included [m].
MNS_HD inline double edgeDistance(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
  EdgeCrossing c;
  if (crossEdges(a0, a1, b0, b1, 0, c)) return c.distance;
  const Vec3d* const end[4] = {&a0, &a1, &b0, &b1};
  double least2 = 1e300;
  for (int k = 0; k < 4; ++k) {  // each end before the other edge
    const Vec3d &x = *end[k], &p = *end[k < 2 ? 2 : 0], e = *end[k < 2 ? 3 : 1] - p;
    const double length2 = norm2(e), along = length2 > 0 ? dot(x - p, e) / length2 : 0;
    const double d2 = norm2(x - p - e * (along < 0 ? 0 : along > 1 ? 1 : along));
    if (d2 < least2) least2 = d2;
  }
  return std::sqrt(least2);
}

// The surface at an edge: the directions from it into its one or two faces, unit and across the edge.
struct EdgeSides {
  int count = 0;
  Vec3d into[2];
  // opposite: the third node of a face
  MNS_HD void add(const Vec3d& a0, const Vec3d& a1, const Vec3d& opposite) {
    const Vec3d e = normalized(a1 - a0), o = opposite - a0;
    into[count++] = normalized(o - e * dot(e, o));
  }
  // Does the edge stick out along -n, from where the other surface is? tilt: sine by which a face may lead nearer; bend: angle that
  // two faces are out of one plane by at least, else the edge is one of a face.
  MNS_HD bool sticksOut(const Vec3d& n, double tilt, double bend) const {
    double sum = 0;
    for (int k = 0; k < count; ++k) {
      const double away = dot(into[k], n);
      if (away < -tilt) return false;
      sum += away;
    }
    return count == 1 || (count == 2 && sum > bend);
  }
};

MNS_NS_END

#include "engine/solid/implicit/closest_feature.h"

#include <algorithm>
#include <cmath>

namespace meniscus::implicit {
namespace {

// Of an edge: the weight of its second end.
double along(const Vec3d& a, const Vec3d& b, const Vec3d& x) {
  const Vec3d e = b - a;
  const double length2 = norm2(e);
  return length2 > 0 ? std::clamp(dot(x - a, e) / length2, 0.0, 1.0) : 0.0;
}

Vec3d pointAt(const Vec3d (&v)[3], int corners, const std::array<double, 3>& weight) {
  Vec3d p = v[0];
  for (int k = 1; k < corners; ++k) p += (v[k] - v[0]) * weight[std::size_t(k)];
  return p;
}

}  // namespace

// Of a triangle, the point of its plane where that is within it, else the nearest one of its edges.
std::array<double, 3> nearestWeights(const Vec3d (&v)[3], int corners, const Vec3d& x) {
  if (corners == 2) {
    const double t = along(v[0], v[1], x);
    return {1 - t, t, 0};
  }
  const Vec3d e = v[1] - v[0], f = v[2] - v[0], p = x - v[0], n = cross(e, f);
  const double n2 = norm2(n);
  if (n2 > 0) {
    const double b = dot(cross(p, f), n) / n2, c = dot(cross(e, p), n) / n2, a = 1 - b - c;
    if (a > 0 && b > 0 && c > 0) return {a, b, c};
  }
  std::array<double, 3> best{1, 0, 0};
  double least = -1;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3;
    const double t = along(v[k], v[l], x), d = norm2(x - v[k] - (v[l] - v[k]) * t);
    if (least >= 0 && d >= least) continue;
    least = d;
    best = {0, 0, 0};
    best[k] = 1 - t;
    best[l] = t;
  }
  return best;
}

NearParts nearParts(const Vec3d (&v)[3], int corners, const std::array<double, 3>& weight, double near) {
  NearParts out;
  const auto add = [&](int part) { out.corners[std::size_t(out.count++)] = part; };
  int exact = 0, node = -1, edge = -1, carry = 0;
  for (int k = 0; k < corners; ++k) {
    if (!(weight[std::size_t(k)] > 0)) continue;
    exact |= 1 << k;
    ++carry;
  }
  const Vec3d p = pointAt(v, corners, weight);
  double toNode = near, toEdge = near;
  for (int k = 0; k < corners && carry > 1; ++k) {
    if (const double d = norm(p - v[k]); d <= toNode) {
      toNode = d;
      node = k;
    }
    if (carry < 3) continue;  // within a triangle, how far from the edge opposite to the corner?
    const Vec3d &a = v[(k + 1) % 3], e = v[(k + 2) % 3] - a;
    if (const double across = norm2(cross(e, p - a)), length2 = norm2(e); across <= toEdge * toEdge * length2) {
      toEdge = std::sqrt(across / length2);
      edge = k;
    }
  }
  if (node >= 0) add(1 << node);
  if (edge >= 0) add(exact & ~(1 << edge));
  add(exact);
  return out;
}

}  // namespace meniscus::implicit

// Projection of the edges (distance constraints) of one colour, four at a time: what the general projection of project.cpp does,
// with the same bits. Edges are most of a shell's constraints, and a sweep over them one at a time waits for a square root and
// three divisions each.
#pragma once

#include "engine/base/buffer.h"
#include "kernels/core/double4.h"
#include "kernels/solid/xpbd.h"

namespace meniscus {

struct EdgeFour {
  Index a[4], b[4];  // nodes
  double length[4];  // m
  // alpha~ = alpha + equivalent gWg with the bare masses (Xpbd::equivalentAlphaTilde), at least `solvable` of EdgeSweep
  // times that here times gWg; active: 0 is left out
  double alpha[4], equivalent[4], solvable[4], gamma[4], active[4];
  bool damped;  // one of them
};

// A colour with something to project.
struct ActiveColour {
  Index begin, end;  // constraints; where there are no fours, of the list of those that are projected one at a time
  Index four;        // first of its fours, or -1
};

// Inverse mass of a node: w in the tangent plane and w + more along the normal.
struct NodeMass {
  Vec3d normal;
  double w, more, unused;
};

struct EdgeSweep {
  const EdgeFour* fours;
  const NodeMass* mass;
  const Vec3d* xPrev;
  Vec3d* x;
  double solvable;  // see SolidWork
  bool pullOnly;

  // Four k of a colour; lambda: of its n edges.
  void project(Index k, double* lambda, Index n) const {
    const EdgeFour& e = fours[k];
    const Vec3x4 p = gather(x, e.a), q = gather(x, e.b), d = p - q;
    const Double4 one(1.0), zero, length = sqrt(dot(d, d));
    const Vec3x4 g = maskedDirection(d, length);
    Double4 wa, wb;
    const Vec3x4 stepA = inertia(e.a, g, wa), stepB = inertia(e.b, -g, wb);
    const Double4 g2 = dot(g, g), bare = wa * g2 + wb * g2, gWg = dot(g, stepA) + dot(-g, stepB);
    const Double4 gamma = Double4::load(e.gamma), least = Double4(solvable) * (Double4::load(e.solvable) * bare);
    const Double4 given = Double4::load(e.alpha) + Double4::load(e.equivalent) * bare,
                  alphaTilde = wherePositive(given - least, given, least);
    const Double4 moved = e.damped ? dot(g, p - gather(xPrev, e.a)) + dot(-g, q - gather(xPrev, e.b)) : zero;
    const Double4 value = length - Double4::load(e.length), before = loadFirst(lambda, n);
    Double4 change = (-value - alphaTilde * before - gamma * moved) / ((one + gamma) * gWg + alphaTilde);
    if (pullOnly) change = wherePositive(before + change, -before, change);
    change = wherePositive(gWg, wherePositive(Double4::load(e.active), change, zero), zero);
    storeFirst(before + change, lambda, n);
    scatter(p + stepA * change, x, e.a, n);
    scatter(q + stepB * change, x, e.b, n);
  }

 private:
  // Coincident nodes have no direction.
  static Vec3x4 maskedDirection(const Vec3x4& d, Double4 length) {
    const Vec3x4 g = d * (Double4(1.0) / length);
    return {wherePositive(length, g.x, {}), wherePositive(length, g.y, {}), wherePositive(length, g.z, {})};
  }
  // M^-1 g, see applyInverseMass().
  Vec3x4 inertia(const Index* node, const Vec3x4& g, Double4& w) const {
    constexpr Index kStride = Index(sizeof(NodeMass) / sizeof(double));
    const double* const m = &mass->normal.x;
    Vec3x4 normal;
    Double4 more, unused;
    gatherPairs(m, kStride, node, normal.x, normal.y);
    gatherPairs(m + 2, kStride, node, normal.z, w);
    gatherPairs(m + 4, kStride, node, more, unused);
    return g * w + normal * (more * dot(normal, g));
  }
  static Double4 loadFirst(const double* a, Index n) {
    if (n == Double4::lanes) return Double4::load(a);
    double r[4] = {};
    for (Index l = 0; l < n; ++l) r[l] = a[l];
    return Double4::load(r);
  }
  static void storeFirst(Double4 v, double* a, Index n) {
    if (n == Double4::lanes) return v.store(a);
    double r[4];
    v.store(r);
    for (Index l = 0; l < n; ++l) a[l] = r[l];
  }
};

}  // namespace meniscus

// Tetrahedra and membrane triangles that have an energy: the second-order model of it at given positions, a row of the joint solve
// for each of its modes, and what the solve's stress means for the multipliers of the constraints that stand for the energy. One
// source for the rows of the CPU and for those that a device makes itself.
#pragma once

#include "kernels/solid/elastic_modes.h"
#include "kernels/solid/linearise_constraint.h"

MNS_NS_BEGIN

constexpr int kMostModes = 9, kMembraneModes = 6;  // the first: of a tetrahedron
// By their place in dispatchConstraint().
constexpr int kMembraneKind = 3, kDeviatoricKind = 5, kHydrostaticKind = 6;

// Deformation gradient of an element and the gradients of its nodes by it: dF = sum_n dx_n b_n^T.
struct ElementShape {
  int nodes;
  Vec3d b[4];   // 1/m
  double size;  // m^3; m^2 of a membrane

  MNS_HD Mat3d deformation(const Index* node, const Vec3d* x) const {
    Mat3d f{};
    for (int n = 1; n < nodes; ++n) f = f + Mat3d::outer(x[node[n]] - x[node[0]], b[n]);
    return f;
  }
  // d(q : F) / dx_n
  MNS_HD void gradients(const Mat3d& q, Vec3d* grad) const {
    for (int n = 0; n < nodes; ++n) grad[n] = q * b[n];
  }
  // rest: of the element
  MNS_HD static ElementShape of(bool membrane, const double* rest) {
    ElementShape e;
    if (membrane) {
      e.nodes = 3;
      e.b[1] = {rest[0], rest[1], 0};
      e.b[2] = {rest[2], rest[3], 0};
      e.b[0] = -(e.b[1] + e.b[2]);
      e.b[3] = {};
      e.size = 0.5 / std::fabs(rest[0] * rest[3] - rest[1] * rest[2]);
    } else {
      const TetShape<double> t = TetShape<double>::fromRest(rest);
      e.nodes = 4;
      for (int n = 0; n < 3; ++n) e.b[n + 1] = t.inv.r[n];
      e.b[0] = -(e.b[1] + e.b[2] + e.b[3]);
      e.size = 1 / (6 * std::fabs(determinant(t.inv)));
    }
    return e;
  }
};

// Value of one of the element's constraints, and dC/dF from the gradients of its nodes. x: of the element's nodes.
struct ElementStress {
  double C;
  Mat3d direction;
  MNS_HD static ElementStress of(int kind, const double* rest, const Vec3d* x, const ElementShape& e) {
    ElementStress s;
    Vec3d grad[4];
    if (kind == kMembraneKind) {
      s.C = MembraneConstraint<double>::fromRest(rest).evaluate(x, grad);
      // in the plane of the rest shape
      const double det = e.b[1].x * e.b[2].y - e.b[1].y * e.b[2].x;
      const Vec3d p0 = (grad[1] * e.b[2].y - grad[2] * e.b[1].y) / det, p1 = (grad[2] * e.b[1].x - grad[1] * e.b[2].x) / det;
      s.direction = Mat3d::columns(p0, p1, {});
      return s;
    }
    s.C = kind == kDeviatoricKind ? TetDeviatoricConstraint<double>::fromRest(rest).evaluate(x, grad)
                                  : TetHydrostaticConstraint<double>::fromRest(rest).evaluate(x, grad);
    // grad_n = P b_n, n = 1..3
    s.direction = Mat3d::columns(grad[1], grad[2], grad[3]) * inverse(Mat3d::columns(e.b[1], e.b[2], e.b[3]));
    return s;
  }
};

MNS_HD inline double contract(const Mat3d& a, const Mat3d& b) {
  return dot(a.r[0], b.r[0]) + dot(a.r[1], b.r[1]) + dot(a.r[2], b.r[2]);
}

// What of the constraints of an element its rows are made of. parts: 1, or 2 with the hydrostatic one.
struct ElementParts {
  const Index* node;
  int kind;            // of the first
  const double* rest;  // of the element
  int parts;
  double compliance[2];
  double damping;
  MNS_HD int kindOf(int part) const { return part == 0 ? kind : kHydrostaticKind; }
  MNS_HD bool membrane() const { return kind == kMembraneKind; }
};

// What the rows of an element are made of, at x.
struct ElementModel {
  ElementShape shape;
  ElasticModes<double> modes;
  Mat3d moved;   // change of the deformation gradient since the start of the step
  Mat3d stress;  // of the last solve

  // lambda: multipliers of the parts
  MNS_HD static ElementModel of(const ElementParts& p, const Vec3d* x, const Vec3d* xPrev, const double (&lambda)[2]) {
    ElementModel m{ElementShape::of(p.membrane(), p.rest), {}, {}, {}};
    const ElementShape& shape = m.shape;
    const double mu = 1 / (p.compliance[0] * shape.size), lame = p.parts > 1 ? 1 / (p.compliance[1] * shape.size) : 0;
    const Mat3d f = shape.deformation(p.node, x);
    m.moved = f - shape.deformation(p.node, xPrev);
    m.modes = p.membrane() ? membraneModes(f, mu) : stableNeoHookeanModes(f, mu, lame);
    Vec3d at[4];
    for (int n = 0; n < shape.nodes; ++n) at[n] = x[p.node[n]];
    for (int k = 0; k < p.parts; ++k)
      if (lambda[k] != 0) m.stress = m.stress + ElementStress::of(p.kindOf(k), p.rest, at, shape).direction * lambda[k];
    return m;
  }
};

// The row of mode k of an element, or the multiplier that it is taken with explicitly.
struct ModeRow {
  RowOutcome outcome;
  bool explicitly;  // the mode gives way or is weak
  LinearRow row;
  double lambda;  // to start from; explicitly: the multiplier
  MNS_HD static ModeRow of(const ElementModel& m, int k, const ElementParts& p, const EdgePlaces& at) {
    ModeRow r;
    const Mat3d& q = m.modes.direction[k];
    m.shape.gradients(q, r.row.grad);
    const double scale = m.shape.size * at.dt * at.dt, h = m.modes.stiffness[k];
    if (!(h > 0)) {
      // the stress of a mode that gives way is taken as it is: the solve stays positive definite
      r.outcome = RowOutcome::weak;
      r.explicitly = true;
      r.lambda = -scale * m.modes.slope[k];
      return r;
    }
    const CompliantValue v = damped(m.modes.slope[k] / h, 1 / (scale * h), p.damping / at.dt, contract(q, m.moved));
    RowHold hold;
    for (int n = 0; n < m.shape.nodes; ++n) hold.add(at.w[p.node[n]], r.row.grad[n]);
    r.row.C = v.C;
    r.row.alphaTilde = Xpbd<double>::solvableAlphaTilde(v.alphaTilde, at.solvable, hold.gWg);
    r.outcome = hold.outcome(r.row.alphaTilde);
    r.explicitly = r.outcome == RowOutcome::weak;
    r.lambda = r.explicitly ? v.multiplier() : contract(q, m.stress);
    return r;
  }
};

// What the solve's stress differs from that of the law at x goes to the multipliers, by least squares. Where the strain is a pure
// dilation or nothing, both constraints have one direction; the bound keeps the multipliers from growing against each other there.
// stress: dt^2 V dpsi/dF of the solve, negative [kg m^2]; x: of the element's nodes.
MNS_HD inline void elementMultipliers(const ElementParts& p, const Vec3d* x, double dt, Mat3d stress, double (&lambda)[2]) {
  constexpr double kBound = 1e-3;
  const ElementShape shape = ElementShape::of(p.membrane(), p.rest);
  Mat3d direction[2] = {};
  lambda[0] = lambda[1] = 0;
  for (int k = 0; k < p.parts; ++k) {
    const ElementStress s = ElementStress::of(p.kindOf(k), p.rest, x, shape);
    direction[k] = s.direction;
    lambda[k] = -s.C * dt * dt / p.compliance[k];
    stress = stress - direction[k] * lambda[k];
  }
  const double a = contract(direction[0], direction[0]) * (1 + kBound), b = contract(direction[0], direction[1]),
               c = contract(direction[1], direction[1]) * (1 + kBound), f = contract(direction[0], stress),
               g = contract(direction[1], stress);
  if (a > 0 && c > 0) {
    const double det = a * c - b * b;
    lambda[0] += (f * c - g * b) / det;
    lambda[1] += (g * a - f * b) / det;
  } else if (a > 0) {
    lambda[0] += f / a;
  } else if (c > 0) {
    lambda[1] += g / c;
  }
}

MNS_NS_END

// An edge of a mesh (a distance constraint) at given positions: what of it takes part in a joint solve, and its row there
// (edge_row.h). One source for the rows of the CPU and for those that a device makes itself.
#pragma once

#include "kernels/core/vec4.h"
#include "kernels/solid/edge_row.h"
#include "kernels/solid/xpbd.h"

MNS_NS_BEGIN

// A constraint that resists by less than this share of its nodes' inertia is taken explicitly; the coupling iterations make up for
// it, each by this factor.
constexpr double kWeak = 1e-2;
MNS_HD inline bool isWeak(double gWg, double alphaTilde) { return gWg < kWeak * alphaTilde; }

// What becomes of a constraint in a joint solve; weak: taken explicitly.
enum class RowOutcome : std::uint8_t { none, weak, row };

// Value and compliance of a constraint, its damping included.
struct CompliantValue {
  double C, alphaTilde;
  MNS_HD double multiplier() const { return -C / alphaTilde; }  // without inertia
};
// gamma = damping time / dt resists the rate: alphaTilde lambda = -(C + dC) - gamma (moved + dC), with dC the change of C to come
// and moved that since the start of the step.
MNS_HD inline CompliantValue damped(double C, double alphaTilde, double gamma, double moved) {
  return {(C + gamma * moved) / (1 + gamma), alphaTilde / (1 + gamma)};
}
// Item: a stored constraint.
template <class Item>
MNS_HD double complianceTilde(const Item& c, double gWg, double dt) {
  return c.stiffness >= 0 ? Xpbd<double>::equivalentAlphaTilde(c.stiffness, gWg) : c.compliance / (dt * dt);
}

// Beside water, edges pull but do not push: a skin under compression wrinkles below the size of its triangles, and edges that
// resist it buckle so suddenly that no linearisation follows. As ActiveRow of engine/solid/solid.h.
enum EdgeActive : std::uint8_t { kEdgeByState, kEdgeNever, kEdgeAlways };
MNS_HD inline bool isSlack(double C, double lambda, std::uint8_t active) {
  return active == kEdgeByState ? !(C > 0 || lambda < 0) : active == kEdgeNever;
}

// Where edges are.
struct EdgePlaces {
  const Vec3d *x, *xPrev;
  const double* w;  // inverse masses
  double dt, solvable;
};

// Edge has the members of SolidEdge of engine/solid/solid.h.
template <class Item, class Edge>
MNS_HD void lineariseEdge(const EdgePlaces& at, const Item& c, Index a, Index b, double rest, double lambda, std::uint8_t active,
                          Edge& e) {
  e.state = Edge::off;
  if (active == kEdgeNever) return;
  const Vec3d d = at.x[a] - at.x[b];
  const double length = norm(d), C = length - rest, gWg = at.w[a] + at.w[b];
  if (c.stiffness == 0 || !(gWg > 0) || !(length > 0) || isSlack(C, lambda, active)) return;
  e.n = d * (1 / length);
  e.moved = d - (at.xPrev[a] - at.xPrev[b]);
  const CompliantValue value = damped(C, complianceTilde(c, gWg, at.dt), c.damping / at.dt, dot(e.n, e.moved));
  e.C = value.C;
  e.alphaTilde = Xpbd<double>::solvableAlphaTilde(value.alphaTilde, at.solvable, gWg);
  e.lambda = lambda;
  const double tension = -e.lambda;  // dt^2 T
  e.acrossTilde = tension > 0 ? length / tension : 0;
  // a turning that the nodes' inertia hides is left out; in single precision its compliance would amplify the tension's round-off
  const bool turns = tension > 0 && !isWeak(gWg, e.acrossTilde);
  e.state = isWeak(gWg, e.alphaTilde) ? Edge::weak : (turns ? Edge::taut : Edge::pulls);
}

// The same in the units of the pressure equation.
struct RowUnits {
  double scale, V, dt, multiplierScale;  // scale: 1/dx [1/m]
  float diagFloor;
  MNS_HD void activate(EdgeRow& row, int part, double alphaTilde, double gWg) const {
    const double s2V = scale * scale * V;
    row.on[part] = 1.f;
    row.compliance[part] = float(s2V * alphaTilde);
    row.diag[part] = float(s2V * (gWg + alphaTilde)) + diagFloor;
    row.inverse[part] = 1.f / row.diag[part];
  }
  // multiplier: where the solve starts
  template <class Edge>
  MNS_HD void scaleEdge(const Edge& e, Index a, Index b, const double* w, EdgeRow& out, Vec4f& rate, float* multiplier) const {
    EdgeRow row{};
    row.a = a;
    row.b = b;
    Vec3d r{};
    if (e.hasRow()) {
      row.n = Vec4f(Vec3f(e.n), 0.f);
      activate(row, EdgeRow::along, e.alphaTilde, w[a] + w[b]);
      // C at the end of the step without multipliers, see ScaleRow of engine/particle/pressure_rows.cpp; across the edge it is zero
      const double along = dot(e.n, e.moved);
      r = e.n * (along - e.C);
      if (e.state == Edge::taut) {
        activate(row, EdgeRow::across, e.acrossTilde, w[a] + w[b]);
        r += e.moved - e.n * along;
      }
    }
    out = row;
    rate = Vec4f(Vec3f(r * (scale / (dt * dt))), 0.f);
    storeVec4(multiplier, e.hasRow() ? row.n * (row.on[EdgeRow::along] * float(e.lambda / multiplierScale)) : Vec4f{});
  }
  // XPBD multiplier of an edge: the part of its vector X along it.
  MNS_HD double multiplier(const EdgeRow& e, const Vec4f& X) const {
    return dot(Vec3d(X.xyz()) * multiplierScale, Vec3d(e.n.xyz()));
  }
};

// ---- on a device ----

// Where constraints that are taken explicitly have their multipliers and impulses: of those the nodes get nothing in a solve.
struct ExplicitConstraints {
  double* lambda;         // a constraint
  std::uint8_t* leftOut;  // a constraint: 1 where it is one
  MNS_HD void set(Index constraint, RowOutcome outcome, double multiplier) const {
    leftOut[constraint] = outcome == RowOutcome::weak;
    if (outcome == RowOutcome::weak) lambda[constraint] = multiplier;
  }
};

// What a device knows of an edge.
struct StoredEdge {
  Index a, b, constraint;
  float compliance, stiffness, damping;
  double rest;
};
struct LinearEdge {
  enum State : std::uint8_t { off, weak, pulls, taut };
  State state;
  Vec3d n, moved;
  double C, alphaTilde, acrossTilde, lambda;
  MNS_HD bool hasRow() const { return state == pulls || state == taut; }
};

// acc: rows, and edges that are taken explicitly.
struct LineariseEdges {
  const StoredEdge* edges;
  const double* lambda;  // a constraint
  const std::uint8_t* active;
  EdgePlaces at;
  RowUnits units;
  EdgeRow* row;
  Vec4f* rate;
  float* guess;    // four an edge
  Vec3d* impulse;  // of an edge that is taken explicitly, on its first node [kg m]
  ExplicitConstraints explicitly;
  MNS_HD void operator()(Index k, double (&acc)[2]) const {
    const StoredEdge& s = edges[k];
    LinearEdge e;
    e.lambda = 0;
    lineariseEdge(at, s, s.a, s.b, s.rest, lambda[s.constraint], active[k], e);
    units.scaleEdge(e, s.a, s.b, at.w, row[k], rate[k], guess + 4 * Offset(k));
    const bool weak = e.state == LinearEdge::weak;
    const double multiplier = weak ? CompliantValue{e.C, e.alphaTilde}.multiplier() : 0;
    impulse[k] = weak ? e.n * multiplier : Vec3d{};
    explicitly.set(s.constraint, weak ? RowOutcome::weak : RowOutcome::none, multiplier);
    acc[0] += e.state == LinearEdge::taut ? 3 : e.state == LinearEdge::pulls;
    acc[1] += weak;
  }
};

// Where a solve takes the nodes.
struct SolvedPlaces {
  EdgePlaces at;
  const Vec3d *velocity, *acceleration;  // that it started from, and its own
  MNS_HD Vec3d operator()(Index n) const {
    return at.w[n] == 0 ? at.x[n] : at.xPrev[n] + (velocity[n] + acceleration[n] * at.dt) * at.dt;
  }
};

// Which edges pull after a solve, by what it says of them, or by where it takes their nodes; and what is kept of their multipliers:
// nothing of an edge that pushed, see storeMultipliers() of engine/solid/rows.cpp. acc: squares of the multipliers of those that
// pushed, and of all.
struct SortSolvedEdges {
  const StoredEdge* edges;
  const EdgeRow* row;
  SolvedPlaces placed;
  RowUnits units;
  const Vec4f* X;
  std::uint8_t* active;
  ExplicitConstraints explicitly;
  MNS_HD void operator()(Index k, double (&acc)[2]) const {
    const StoredEdge& s = edges[k];
    const bool hasRow = row[k].on[EdgeRow::along] > 0;
    const double lambda = units.multiplier(row[k], X[k]);
    const bool pulls = hasRow ? !(lambda > 0) : norm(placed(s.a) - placed(s.b)) > s.rest;
    active[k] = pulls ? kEdgeAlways : kEdgeNever;
    if (!explicitly.leftOut[s.constraint]) explicitly.lambda[s.constraint] = lambda > 0 ? 0 : lambda;
    if (!hasRow) return;
    acc[1] += lambda * lambda;
    if (!pulls) acc[0] += lambda * lambda;
  }
};

MNS_NS_END

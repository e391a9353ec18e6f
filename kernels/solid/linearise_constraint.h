// A constraint of at most four nodes at given positions: what of it takes part in a joint solve, and its row there in the units of
// the pressure equation. One source for the rows of the CPU and for those that a device makes itself. Edges have linearise_edge.h.
#pragma once

#include "kernels/solid/linearise_edge.h"
#include "kernels/solid/project_constraint.h"

MNS_NS_BEGIN

// What the gradients of a constraint say of whether it has a row.
struct RowHold {
  double gWg = 0, freeGrad2 = 0, allGrad2 = 0;
  MNS_HD void add(double w, const Vec3d& grad) {
    const double grad2 = norm2(grad);
    gWg += w * grad2;
    allGrad2 += grad2;
    if (w > 0) freeGrad2 += grad2;
  }
  // alphaTilde: at least what a solve can tell from nothing
  MNS_HD RowOutcome outcome(double alphaTilde) const {
    if (!(gWg > 0) || !hasHold(freeGrad2, allGrad2)) return RowOutcome::none;
    return isWeak(gWg, alphaTilde) ? RowOutcome::weak : RowOutcome::row;
  }
};

struct LinearRow {
  double C, alphaTilde;
  Vec3d grad[4];
};

// For dispatchConstraint(). Row has the members of LinearRow.
template <class Item, class Row>
struct LineariseKind {
  const EdgePlaces& at;
  const Item& c;
  const double* rest;  // of all constraints
  Row& e;
  RowOutcome& outcome;
  template <class Tag>
  MNS_HD void operator()(Tag) const {
    using Kind = typename Tag::type;
    Vec3d p[Kind::nodes];
    for (int n = 0; n < Kind::nodes; ++n) p[n] = at.x[c.node[n]];
    const double C = Kind::fromRest(rest + c.rest).evaluate(p, e.grad);
    RowHold hold;
    double moved = 0;
    for (int n = 0; n < Kind::nodes; ++n) {
      hold.add(at.w[c.node[n]], e.grad[n]);
      if (c.damping > 0) moved += dot(e.grad[n], p[n] - at.xPrev[c.node[n]]);
    }
    const CompliantValue value = damped(C, complianceTilde(c, hold.gWg, at.dt), c.damping / at.dt, moved);
    e.C = value.C;
    e.alphaTilde = Xpbd<double>::solvableAlphaTilde(value.alphaTilde, at.solvable, hold.gWg);
    outcome = hold.outcome(e.alphaTilde);
  }
};

// ---- in the units of the pressure equation ----

struct ScaledRow {
  float compliance, rate, measure, diag, guess;
};
// What the entries of a row, those of free nodes, sum up to.
struct RowSums {
  double inverseMass = 0, moved = 0, most = 0;
  MNS_HD void add(const Vec3d& grad, double w, const Vec3d& way) {
    const double grad2 = norm2(grad);
    inverseMass += w * grad2;
    most = most < grad2 ? grad2 : most;
    moved += dot(grad, way);
  }
  // ofMode: it is a strain, see PressureSystem::rowMeasure_
  MNS_HD ScaledRow scaled(const RowUnits& u, double C, double alphaTilde, double lambda, bool ofMode) const {
    ScaledRow r;
    r.compliance = float(u.scale * u.scale * alphaTilde * u.V);
    // C at the end of the step without multipliers is C(x_lin) + grad C . (xPrev + dt v* - x_lin); the v* part enters with D u*
    r.rate = float(-u.scale * (C - moved) / (u.dt * u.dt));
    r.measure = ofMode ? float(most) : 1.f;
    r.diag = float(u.scale * u.scale * u.V * (inverseMass + alphaTilde)) + u.diagFloor;
    r.guess = float(lambda / u.multiplierScale);
    return r;
  }
};

MNS_NS_END

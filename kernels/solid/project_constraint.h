// One constraint of a solid, projected: a step of Gauss-Seidel sweeps of XPBD, colour by colour on CPU and device
// (Macklin, Mueller, Chentanez 2016; Fratarcangeli, Tibaldo, Pellacini 2016 for the colours).
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/core/view.h"
#include "kernels/solid/bend_dihedral.h"
#include "kernels/solid/bend_isometric.h"
#include "kernels/solid/distance.h"
#include "kernels/solid/membrane.h"
#include "kernels/solid/tet_deviatoric.h"
#include "kernels/solid/tet_hydrostatic.h"
#include "kernels/solid/tet_volume.h"
#include "kernels/solid/xpbd.h"

MNS_NS_BEGIN

template <class Kind>
struct KindTag {
  using type = Kind;
};

constexpr int kConstraintKinds = 7;
// f(KindTag<functor of that kind>{}), in the order of ConstraintType of engine/solid/solid_state.h.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable  // f may be of the host alone
#endif
template <class F>
MNS_HD inline void dispatchConstraint(int kind, const F& f) {
  switch (kind) {
    case 0:
      return f(KindTag<DistanceConstraint<double>>{});
    case 1:
      return f(KindTag<BendDihedralConstraint<double>>{});
    case 2:
      return f(KindTag<BendIsometricConstraint<double>>{});
    case 3:
      return f(KindTag<MembraneConstraint<double>>{});
    case 4:
      return f(KindTag<TetVolumeConstraint<double>>{});
    case 5:
      return f(KindTag<TetDeviatoricConstraint<double>>{});
    case 6:
      return f(KindTag<TetHydrostaticConstraint<double>>{});
    default:
      break;
  }
}

// A stored constraint as a device has it: Constraint of engine/solid/solid_state.h.
struct StoredConstraint {
  Index node[4];
  float compliance, stiffness, damping;
  std::int32_t rest;
  std::uint8_t type, reserved;
  std::uint16_t body;
};

// What a projection reads and writes; Item is a stored constraint.
template <class Item>
struct ConstraintProjection {
  const Item* items;
  double* lambda;
  const double* rest;
  Vec3d* x;
  const Vec3d* xPrev;
  const double *w, *invMassNormal;
  const Vec3d* normal;  // null: no water moves with the nodes
  const double* share;  // what one projection removes of the violation, without water
  double invDt, solvable;
  const std::uint8_t* leftOut;  // may be null

  // Beside a joint solve with the compliance that the solve used; bare: grad C . M^-1 grad C without the water.
  MNS_HD Xpbd<double> compliant(const Item& c, double bare) const {
    if (c.stiffness >= 0)
      return {Xpbd<double>::solvableAlphaTilde(Xpbd<double>::equivalentAlphaTilde(c.stiffness, bare), solvable, bare),
              c.damping * invDt};
    const double alphaTilde = c.compliance * invDt * invDt, gamma = c.damping * invDt;
    return {normal ? Xpbd<double>::solvableAlphaTilde(alphaTilde, solvable, (1 + gamma) * bare) : alphaTilde, gamma};
  }

  template <class Kind>
  MNS_HD void project(Index i) const {
    if (leftOut && leftOut[i]) return;
    const Item& c = items[i];
    if (c.stiffness == 0) return;
    Vec3d p[Kind::nodes], grad[Kind::nodes], step[Kind::nodes];
    for (int n = 0; n < Kind::nodes; ++n) p[n] = x[c.node[n]];
    const double value = Kind::fromRest(rest + c.rest).evaluate(p, grad);
    double gWg = 0, bare = 0, freeGrad2 = 0, allGrad2 = 0;
    for (int n = 0; n < Kind::nodes; ++n) {
      const Index a = c.node[n];
      const double grad2 = norm2(grad[n]);
      bare += w[a] * grad2;
      allGrad2 += grad2;
      if (w[a] > 0) freeGrad2 += grad2;
      step[n] = normal && w[a] > 0 ? applyInverseMass(w[a], invMassNormal[a], normal[a], grad[n]) : grad[n] * w[a];
      gWg += dot(grad[n], step[n]);
    }
    if (!(gWg > 0) || !hasHold(freeGrad2, allGrad2)) return;
    double d;
    if (c.stiffness >= 0 && !normal) {
      d = Xpbd<double>::plainIncrement(value, gWg, share[i]);
    } else {
      double moved = 0;
      if (c.damping > 0)
        for (int n = 0; n < Kind::nodes; ++n) moved += dot(grad[n], p[n] - xPrev[c.node[n]]);
      d = compliant(c, bare).increment(value, lambda[i], moved, gWg);
    }
    // beside a joint solve edges pull only, as its rows do
    if (std::is_same_v<Kind, DistanceConstraint<double>> && normal && lambda[i] + d > 0) d = -lambda[i];
    lambda[i] += d;
    for (int n = 0; n < Kind::nodes; ++n) x[c.node[n]] = p[n] + step[n] * d;
  }
};

// A colour: constraints of one kind, no two of which share a node.
template <class Kind>
struct ProjectColourOfKind {
  ConstraintProjection<StoredConstraint> projection;
  Index first;
  MNS_HD void operator()(Index k) const { projection.project<Kind>(first + k); }
};
// Those that fit in no colour, one after the other by one thread.
struct ProjectInTurn {
  ConstraintProjection<StoredConstraint> projection;
  Index first, end;
  struct One {
    const ConstraintProjection<StoredConstraint>& projection;
    Index i;
    template <class Tag>
    MNS_HD void operator()(Tag) const {
      projection.project<typename Tag::type>(i);
    }
  };
  MNS_HD void operator()(Index) const {
    for (Index i = first; i < end; ++i) dispatchConstraint(projection.items[i].type, One{projection, i});
  }
};

MNS_NS_END

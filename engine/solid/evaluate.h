// Value and gradients of one stored constraint: the way from the table of constraints to the functors in kernels/solid.
#pragma once

#include "engine/solid/solid_state.h"
#include "kernels/solid/bend_dihedral.h"
#include "kernels/solid/bend_isometric.h"
#include "kernels/solid/distance.h"
#include "kernels/solid/membrane.h"
#include "kernels/solid/tet_deviatoric.h"
#include "kernels/solid/tet_hydrostatic.h"
#include "kernels/solid/tet_volume.h"

namespace meniscus {

struct ConstraintValue {
  int nodes = 0;
  double C = 0;
  Vec3d grad[4];
};

template <class Kind>
inline void evaluateAs(const Constraint& c, const double* rest, const Vec3d* x, ConstraintValue& out) {
  Vec3d p[Kind::nodes];
  for (int k = 0; k < Kind::nodes; ++k) p[k] = x[c.node[k]];
  out.nodes = Kind::nodes;
  out.C = Kind::fromRest(rest + c.rest).evaluate(p, out.grad);
}

inline void evaluateConstraint(const Constraint& c, const double* rest, const Vec3d* x, ConstraintValue& out) {
  switch (c.type) {
    case ConstraintType::distance: return evaluateAs<DistanceConstraint<double>>(c, rest, x, out);
    case ConstraintType::bendDihedral: return evaluateAs<BendDihedralConstraint<double>>(c, rest, x, out);
    case ConstraintType::bendIsometric: return evaluateAs<BendIsometricConstraint<double>>(c, rest, x, out);
    case ConstraintType::membrane: return evaluateAs<MembraneConstraint<double>>(c, rest, x, out);
    case ConstraintType::tetVolume: return evaluateAs<TetVolumeConstraint<double>>(c, rest, x, out);
    case ConstraintType::tetDeviatoric: return evaluateAs<TetDeviatoricConstraint<double>>(c, rest, x, out);
    case ConstraintType::tetHydrostatic: return evaluateAs<TetHydrostaticConstraint<double>>(c, rest, x, out);
    case ConstraintType::count: break;
  }
  out.nodes = 0;
}

}  // namespace meniscus

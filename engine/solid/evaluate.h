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
struct KindTag {
  using type = Kind;
};

// f(KindTag<functor of that type>{})
template <class F>
inline void dispatchKind(ConstraintType type, F&& f) {
  switch (type) {
    case ConstraintType::distance:
      return f(KindTag<DistanceConstraint<double>>{});
    case ConstraintType::bendDihedral:
      return f(KindTag<BendDihedralConstraint<double>>{});
    case ConstraintType::bendIsometric:
      return f(KindTag<BendIsometricConstraint<double>>{});
    case ConstraintType::membrane:
      return f(KindTag<MembraneConstraint<double>>{});
    case ConstraintType::tetVolume:
      return f(KindTag<TetVolumeConstraint<double>>{});
    case ConstraintType::tetDeviatoric:
      return f(KindTag<TetDeviatoricConstraint<double>>{});
    case ConstraintType::tetHydrostatic:
      return f(KindTag<TetHydrostaticConstraint<double>>{});
    case ConstraintType::count:
      break;
  }
}

inline void evaluateConstraint(const Constraint& c, const double* rest, const Vec3d* x, ConstraintValue& out) {
  out.nodes = 0;
  dispatchKind(c.type, [&](auto tag) {
    using Kind = typename decltype(tag)::type;
    Vec3d p[Kind::nodes];
    for (int k = 0; k < Kind::nodes; ++k) p[k] = x[c.node[k]];
    out.nodes = Kind::nodes;
    out.C = Kind::fromRest(rest + c.rest).evaluate(p, out.grad);
  });
}

}  // namespace meniscus

// Value and gradients of one stored constraint: the way from the table of constraints to the functors in kernels/solid.
#pragma once

#include <string>

#include "engine/base/error.h"
#include "engine/solid/solid_state.h"
#include "kernels/solid/project_constraint.h"

namespace meniscus {

struct ConstraintValue {
  int nodes = 0;
  double C = 0;
  Vec3d grad[4];
};

// f(KindTag<functor of that type>{}). Throws internal for a type that there is not.
template <class F>
inline void dispatchKind(ConstraintType type, F&& f) {
  static_assert(int(ConstraintType::count) == kConstraintKinds && int(ConstraintType::membrane) == 3 &&
                int(ConstraintType::tetHydrostatic) == 6);
  if (type >= ConstraintType::count)
    throw Error(ErrorKind::internal, "a constraint of type " + std::to_string(int(type)) + ", of which there is none");
  dispatchConstraint(int(type), f);
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

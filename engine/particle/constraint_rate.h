// Rate of a constraint's row for given velocities of nodes and rigid bodies.
#pragma once

#include "kernels/core/vec4.h"
#include "kernels/solid/rigid_hold.h"

namespace meniscus {

// What rigid bodies have in the rows: at most one in each.
struct RigidRates {
  const Index* of = nullptr;                          // a row: its entry, or -1; null: there are none
  const Index* body = nullptr;                        // an entry
  const RigidRate* grad = nullptr;                    // an entry
  const Vec3d *linear = nullptr, *angular = nullptr;  // a body

  double rate(Index row) const {
    if (!of || of[row] < 0) return 0;
    const Index e = of[row];
    return dot(grad[e].linear, linear[body[e]]) + dot(grad[e].angular, angular[body[e]]);
  }
};

struct ConstraintRates {
  const Index *begin, *node;
  const Vec4f* grad;  // w: 0
  RigidRates rigid = {};

  float rate(Index k, const Vec4f* v) const {
    Vec4f s{};
    for (Index e = begin[k]; e < begin[k + 1]; ++e) s += Vec4f(grad[e].v * v[node[e]].v);
    const float nodes = (s.x + s.y) + s.z;
    return rigid.of ? nodes + float(rigid.rate(k)) : nodes;
  }
  double rate(Index k, const Vec3d* v) const {
    double s = rigid.rate(k);
    for (Index e = begin[k]; e < begin[k + 1]; ++e) s += dot(Vec3d(grad[e].xyz()), v[node[e]]);
    return s;
  }
};

}  // namespace meniscus

// Rate of a constraint's row for given node velocities.
#pragma once

#include "kernels/core/vec4.h"

namespace meniscus {

struct ConstraintRates {
  const Index *begin, *node;
  const Vec4f* grad;  // w: 0

  float rate(Index k, const Vec4f* v) const {
    Vec4f s{};
    for (Index e = begin[k]; e < begin[k + 1]; ++e) s += Vec4f(grad[e].v * v[node[e]].v);
    return (s.x + s.y) + s.z;
  }
  double rate(Index k, const Vec3d* v) const {
    double s = 0;
    for (Index e = begin[k]; e < begin[k + 1]; ++e) s += dot(Vec3d(grad[e].xyz()), v[node[e]]);
    return s;
  }
};

}  // namespace meniscus

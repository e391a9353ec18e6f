// Rate of a constraint's row for given node velocities.
#pragma once

#include "kernels/core/vec.h"

namespace meniscus {

template <class RowNode>
inline float constraintRate(const Index* begin, const RowNode* nodes, Index k, const Vec3d* v) {
  double s = 0;
  for (Index e = begin[k]; e < begin[k + 1]; ++e) s += dot(Vec3d(nodes[e].grad), v[nodes[e].node]);
  return float(s);
}

}  // namespace meniscus

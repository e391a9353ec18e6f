// Bending as the angle between two triangles (0,1,2) and (1,0,3) that share the edge (0,1).
// C = theta - theta0 [rad], wrapped to (-pi, pi]; energy C^2 / (2 alpha), alpha in rad^2/J. theta is 0 where flat and positive
// where nodes 2 and 3 lie on the side of the normals. Gradients: Bridson, Marino, Fedkiw 2003.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

template <class T>
struct BendDihedralConstraint {
  static constexpr int nodes = 4;
  static constexpr int restCount = 1;
  T angle;  // rad

  MNS_HD static BendDihedralConstraint fromRest(const T* rest) { return {rest[0]}; }

  // Degenerate triangles have no angle: value and gradient are then zero.
  MNS_HD T evaluate(const Vec3<T>* x, Vec3<T>* grad) const {
    constexpr T pi = T(3.14159265358979323846);
    const Vec3<T> e = x[1] - x[0], a = x[2] - x[0], b = x[3] - x[0];
    const Vec3<T> n0 = cross(e, a), n1 = cross(b, e);
    const T e2 = norm2(e), s0 = norm2(n0), s1 = norm2(n1);
    const T tiny = T(1e-24) * e2 * e2;
    if (!(s0 > tiny) || !(s1 > tiny)) {
      for (int k = 0; k < 4; ++k) grad[k] = Vec3<T>{};
      return T(0);
    }
    const T l = std::sqrt(e2);
    grad[2] = n0 * (l / s0);
    grad[3] = n1 * (l / s1);
    const T u2 = dot(a, e) / e2, u3 = dot(b, e) / e2;  // where the heights meet the edge, from node 0
    grad[0] = -(grad[2] * (T(1) - u2) + grad[3] * (T(1) - u3));
    grad[1] = -(grad[2] * u2 + grad[3] * u3);
    T c = std::atan2(dot(cross(n1, n0), e) / l, dot(n0, n1)) - angle;
    if (c > pi) c -= T(2) * pi;
    if (c <= -pi) c += T(2) * pi;
    return c;
  }
};

MNS_NS_END

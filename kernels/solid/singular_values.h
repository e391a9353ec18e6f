// F = U diag(sigma) V^T with U and V rotations: where det F < 0 the smallest singular value carries the sign.
#pragma once

#include "kernels/core/symmetric_eigen.h"

MNS_NS_BEGIN

template <class T>
struct SingularValues {
  Mat3<T> U, V;
  Vec3<T> sigma;  // descending; the last may be negative

  MNS_HD static SingularValues of(const Mat3<T>& f) {
    Mat3<T> axes;
    const Vec3<T> squares = symmetricEigen(f.transposed() * f, axes);
    int o[3] = {0, 1, 2};
    for (int k = 0; k < 3; ++k) {  // three comparisons sort three values
      const int i = k == 1 ? 1 : 0;
      if (squares[o[i]] < squares[o[i + 1]]) {
        const int swap = o[i];
        o[i] = o[i + 1];
        o[i + 1] = swap;
      }
    }
    const Vec3<T> v0 = axes.column(o[0]), v1 = axes.column(o[1]), v2 = cross(v0, v1);
    const Vec3<T> a0 = f * v0, a1 = f * v1, a2 = f * v2;
    const T s0 = norm(a0);
    const Vec3<T> u0 = s0 > T(0) ? a0 / s0 : Vec3<T>{T(1), T(0), T(0)};
    const Vec3<T> rest = a1 - u0 * dot(u0, a1);
    const T s1 = norm(rest);
    // of an element crushed to a line, any direction across it will do
    const Vec3<T> u1 =
        s1 > T(1e-6) * s0 ? rest / s1 : normalized(cross(u0, std::fabs(u0.x) < T(0.6) ? Vec3<T>{1, 0, 0} : Vec3<T>{0, 1, 0}));
    const Vec3<T> u2 = cross(u0, u1);
    return {Mat3<T>::columns(u0, u1, u2), Mat3<T>::columns(v0, v1, v2), {s0, dot(u1, a1), dot(u2, a2)}};
  }
};

MNS_NS_END

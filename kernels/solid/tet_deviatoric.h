// Stable neo-Hookean tetrahedron, deviatoric part, after Smith, de Goes, Kim 2018 and, as constraints, Macklin & Mueller 2021.
// The latter's two constraints, |F| and J - 1 - mu/lambda, only balance each other at rest: projected one after the other with few
// sweeps, the rest shape is not kept. The same energy, up to a constant, can be grouped into two terms that both vanish at rest,
//   (2/3) mu X + lambda/2 (J - 1)^2,   X = (I1 - 3) - log((I1 + 1)/4) - 3/2 (J - 1) + 5/8 (J - 1)^2 >= 0   (lambda, mu: Lame),
// X = 0 only for rotations: for given J it is least for equal stretches, and there it falls to 1 and rises after. The logarithm
// keeps elements crushed to a point from being at rest there. This file is the first term:
//   C = sqrt(4/3 X) [1],  energy C^2 / (2 alpha),  alpha = 1 / (mu V) [1/J].
// In invariants of the Green strain E, with s = J - 1, y = tr E / 2:  4/3 X = 11/6 s^2 - 4 II_E - 8 III_E + 4/3 (y - log(1 + y)),
// which has no cancellation at small strain, where it is 2 |sym grad u|^2. Finite everywhere, so that inverted elements recover.
#pragma once

#include "kernels/solid/tet_shape.h"

MNS_NS_BEGIN

template <class T>
struct TetDeviatoricConstraint {
  static constexpr int nodes = 4;
  static constexpr int restCount = 9;
  TetShape<T> shape;

  MNS_HD static TetDeviatoricConstraint fromRest(const T* rest) { return {TetShape<T>::fromRest(rest)}; }

  MNS_HD T evaluate(const Vec3<T>* x, Vec3<T>* grad) const {
    const Mat3<T> f = shape.deformation(x);
    const Vec3<T> f0 = f.column(0), f1 = f.column(1), f2 = f.column(2);
    const T h = T(0.5);
    const T e00 = (dot(f0, f0) - T(1)) * h, e11 = (dot(f1, f1) - T(1)) * h, e22 = (dot(f2, f2) - T(1)) * h;
    const T e01 = dot(f0, f1) * h, e02 = dot(f0, f2) * h, e12 = dot(f1, f2) * h;
    const T second = e00 * e11 + e11 * e22 + e22 * e00 - e01 * e01 - e02 * e02 - e12 * e12;
    const T third = e00 * (e11 * e22 - e12 * e12) - e01 * (e01 * e22 - e12 * e02) + e02 * (e01 * e12 - e11 * e02);
    const T q = T(2) * (e00 + e11 + e22) + T(4) * second + T(8) * third;  // J^2 - 1
    const T j = determinant(f);
    const T s = j > T(0) ? q / (T(1) + j) : j - T(1);  // J - 1
    const T y = T(0.5) * (e00 + e11 + e22);
    const T c2 = T(11) / T(6) * s * s - T(4) * second - T(8) * third + T(4) / T(3) * (y - std::log1p(y));
    if (!(c2 > T(1e-24))) {
      for (int k = 0; k < 4; ++k) grad[k] = Vec3<T>{};
      return T(0);
    }
    const T c = std::sqrt(c2);
    // dC/dF = (4/3 (1 - 1/(I1 + 1)) F - (1 - 5/6 s) cof F) / C,  I1 + 1 = 4 (1 + y)
    const T a = T(4) / T(3) - T(1) / (T(3) * (T(1) + y)), b = T(1) - T(5) / T(6) * s;
    shape.gradients((f * a - TetShape<T>::cofactor(f) * b) * (T(1) / c), grad);
    return c;
  }
};

MNS_NS_END

// Stable neo-Hookean tetrahedron, deviatoric part. Macklin & Mueller 2021 write the energy density as
//   mu/2 (I1 - 3) + lambda'/2 (J - 1 - mu/lambda')^2,   lambda' = lambda + mu  (lambda, mu: Lame),
// two constraints whose forces only balance at rest: solved one after the other with few sweeps, the rest shape is not kept.
// The same energy, up to a constant, grouped as
//   mu/2 (I1 + J^2 - 4J)  +  lambda/2 (J - 1)^2
// has two terms that both vanish at rest: a^2 + b^2 + c^2 + J^2 >= 4 |J| for the singular values (arithmetic against geometric mean),
// with equality only for rotations. This file is the first term:
//   C = sqrt(I1 + J^2 - 4J) [1],  energy C^2 / (2 alpha),  alpha = 1 / (mu V) [1/J].
// In invariants of the Green strain E the radicand is 2 (J-1)^2 - 4 II_E - 8 III_E: no cancellation at small strain.
// Finite everywhere, so that inverted elements recover.
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
    const T c2 = T(2) * s * s - T(4) * second - T(8) * third;
    if (!(c2 > T(1e-24))) {
      for (int k = 0; k < 4; ++k) grad[k] = Vec3<T>{};
      return T(0);
    }
    const T c = std::sqrt(c2);
    shape.gradients((f + TetShape<T>::cofactor(f) * (s - T(1))) * (T(1) / c), grad);
    return c;
  }
};

MNS_NS_END

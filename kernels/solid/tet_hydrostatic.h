// Stable neo-Hookean tetrahedron, hydrostatic part: C = J - 1 [1], energy C^2 / (2 alpha), alpha = 1 / (lambda V) [1/J] with Lame's
// lambda. How this and the deviatoric part make up the stable energy: tet_deviatoric.h.
#pragma once

#include "kernels/solid/tet_shape.h"

MNS_NS_BEGIN

template <class T>
struct TetHydrostaticConstraint {
  static constexpr int nodes = 4;
  static constexpr int restCount = 9;
  TetShape<T> shape;

  MNS_HD static TetHydrostaticConstraint fromRest(const T* rest) { return {TetShape<T>::fromRest(rest)}; }

  MNS_HD T evaluate(const Vec3<T>* x, Vec3<T>* grad) const {
    const Mat3<T> f = shape.deformation(x);
    shape.gradients(TetShape<T>::cofactor(f), grad);
    return determinant(f) - T(1);
  }
};

MNS_NS_END

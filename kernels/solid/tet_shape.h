// What the tetrahedral constraints share: the deformation gradient F = Ds Dm^-1 and the way from dC/dF to node gradients.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

template <class T>
struct TetShape {
  Mat3<T> inv;  // Dm^-1; the columns of Dm are the rest edges from node 0 [1/m]

  MNS_HD static TetShape fromRest(const T* r) { return {{{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}}}; }
  MNS_HD static Mat3<T> edges(const Vec3<T>* x) { return Mat3<T>::columns(x[1] - x[0], x[2] - x[0], x[3] - x[0]); }
  // The caller has excluded tetrahedra without volume.
  MNS_HD static TetShape make(const Vec3<T>* x) { return {inverse(edges(x))}; }

  MNS_HD Mat3<T> deformation(const Vec3<T>* x) const { return edges(x) * inv; }
  // p = dC/dF
  MNS_HD void gradients(const Mat3<T>& p, Vec3<T>* grad) const {
    const Mat3<T> h = p * inv.transposed();
    grad[1] = h.column(0);
    grad[2] = h.column(1);
    grad[3] = h.column(2);
    grad[0] = -(grad[1] + grad[2] + grad[3]);
  }
  // dJ/dF
  MNS_HD static Mat3<T> cofactor(const Mat3<T>& f) {
    return {{cross(f.r[1], f.r[2]), cross(f.r[2], f.r[0]), cross(f.r[0], f.r[1])}};
  }
};

MNS_NS_END

// Volume of a tetrahedron: C = V - V0 [m^3]; energy C^2 / (2 alpha), alpha in m^3/Pa.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

template <class T>
struct TetVolumeConstraint {
  static constexpr int nodes = 4;
  static constexpr int restCount = 1;
  T volume;  // m^3

  MNS_HD static TetVolumeConstraint fromRest(const T* rest) { return {rest[0]}; }

  MNS_HD T evaluate(const Vec3<T>* x, Vec3<T>* grad) const {
    const T sixth = T(1) / T(6);
    const Vec3<T> a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
    grad[1] = cross(b, c) * sixth;
    grad[2] = cross(c, a) * sixth;
    grad[3] = cross(a, b) * sixth;
    grad[0] = -(grad[1] + grad[2] + grad[3]);
    return dot(a, grad[1]) - volume;
  }
};

MNS_NS_END

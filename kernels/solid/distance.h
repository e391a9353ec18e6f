// Stretch and shear: the distance of two nodes. C = |x0 - x1| - L [m]; energy C^2 / (2 alpha), alpha in m/N.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

template <class T>
struct DistanceConstraint {
  static constexpr int nodes = 2;
  static constexpr int restCount = 1;
  T length;  // m

  MNS_HD static DistanceConstraint fromRest(const T* rest) { return {rest[0]}; }

  // Coincident nodes have no direction: the gradient is then zero.
  MNS_HD T evaluate(const Vec3<T>* x, Vec3<T>* grad) const {
    const Vec3<T> d = x[0] - x[1];
    const T l = norm(d);
    grad[0] = l > T(0) ? d * (T(1) / l) : Vec3<T>{};
    grad[1] = -grad[0];
    return l - length;
  }
};

MNS_NS_END

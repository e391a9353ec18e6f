// Isometric bending (Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006) of two triangles (0,1,2) and (1,0,3) sharing the edge (0,1).
// Their energy is (k/2) |c sum_k K_k x_k|^2 with cotangent weights K of the rest shape and c^2 = 3 / (A0 + A1). For bending
// without stretching, the vector sum K x is normal to the surface; its signed length along the mean normal n,
//   C = -c n . sum_k K_k x_k - C0,   n = (x1 - x0) x (x2 - x3) / |.|,
// gives the same energy C^2 / (2 alpha), alpha = 1/k [1/J], and stays smooth through the flat state, where the length itself has
// no gradient. It also allows a curved rest shape (C0) and does not resist stretching in the plane.
// C = |x1 - x0| c theta for small angles theta. Bent to a cylinder, equilateral triangles store 3k/2 curvature^2 per area in every
// direction, right-angled ones the same along their cells and up to half more across: a sheet of flexural rigidity D has k = D/3.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

template <class T>
struct BendIsometricConstraint {
  static constexpr int nodes = 4;
  static constexpr int restCount = 5;
  T weight[4];  // -c K [1/m]
  T value;      // C0 [1]

  MNS_HD static BendIsometricConstraint fromRest(const T* rest) { return {{rest[0], rest[1], rest[2], rest[3]}, rest[4]}; }

  // From the rest shape; the caller has excluded triangles without area.
  MNS_HD static BendIsometricConstraint make(const Vec3<T>* x) {
    const Vec3<T> e = x[1] - x[0], a = x[2] - x[0], b = x[3] - x[0];
    const T c01 = cotangent(e, a), c02 = cotangent(e, b);
    const T c03 = cotangent(-e, x[2] - x[1]), c04 = cotangent(-e, x[3] - x[1]);
    const T area = T(0.5) * (norm(cross(e, a)) + norm(cross(e, b)));
    const T c = std::sqrt(T(3) / area);
    BendIsometricConstraint r{{-c * (c03 + c04), -c * (c01 + c02), c * (c01 + c03), c * (c02 + c04)}, T(0)};
    Vec3<T> g[4];
    r.value = r.evaluate(x, g);
    return r;
  }

  // Where the mean normal vanishes (folded flat), value and gradient are zero.
  MNS_HD T evaluate(const Vec3<T>* x, Vec3<T>* grad) const {
    const Vec3<T> e = x[1] - x[0], d = x[2] - x[3];
    // sum of weights is zero, so positions relative to node 0 lose no digits far from the origin
    const Vec3<T> k = (x[1] - x[0]) * weight[1] + (x[2] - x[0]) * weight[2] + (x[3] - x[0]) * weight[3];
    const Vec3<T> m = cross(e, d);
    const T l = norm(m);
    if (!(l > T(1e-12) * norm2(e))) {
      for (int i = 0; i < 4; ++i) grad[i] = Vec3<T>{};
      return T(0);
    }
    const Vec3<T> n = m * (T(1) / l);
    const T c = dot(k, n);
    const Vec3<T> t = (k - n * c) * (T(1) / l);  // zero where k is normal
    const Vec3<T> de = cross(d, t), dd = cross(t, e);
    grad[0] = n * weight[0] - de;
    grad[1] = n * weight[1] + de;
    grad[2] = n * weight[2] + dd;
    grad[3] = n * weight[3] - dd;
    return c - value;
  }

 private:
  MNS_HD static T cotangent(const Vec3<T>& a, const Vec3<T>& b) { return dot(a, b) / norm(cross(a, b)); }
};

MNS_NS_END

// Incompressible neo-Hookean membrane triangle in plane stress: energy U = (mu/2) h A (I1 + 1/J^2 - 3), with I1 and J of the
// 3x2 deformation gradient F, thickness h and rest area A. As a constraint
//   C = sqrt(I1 + 1/J^2 - 3) [1],  energy C^2 / (2 alpha),  alpha = 1 / (mu h A) [1/J].
// The radicand is >= 0 (arithmetic against geometric mean) and quadratic in the strain at rest, so C behaves like the size of the
// strain: the gradient stays bounded, only its direction is undefined at rest itself, where the force vanishes.
// In invariants of the Green strain E (t = tr E, d = det E, q = J^2 - 1 = 2t + 4d) the radicand is (2tq - 4d) / (1 + q): written
// so, it has no cancellation at small strain.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

template <class T>
struct MembraneConstraint {
  static constexpr int nodes = 3;
  static constexpr int restCount = 4;
  T inv[4];  // inverse of the 2x2 matrix of rest edges, row-major [1/m]

  MNS_HD static MembraneConstraint fromRest(const T* rest) { return {{rest[0], rest[1], rest[2], rest[3]}}; }

  // From the rest shape; the caller has excluded triangles without area.
  MNS_HD static MembraneConstraint make(const Vec3<T>* x) {
    const Vec3<T> a = x[1] - x[0], b = x[2] - x[0];
    const T l = norm(a), bx = dot(a, b) / l, by = norm(cross(a, b)) / l;
    return {{T(1) / l, -bx / (l * by), T(0), T(1) / by}};
  }

  // Triangles squeezed below a hundredth of their area are treated as having that much.
  MNS_HD T evaluate(const Vec3<T>* x, Vec3<T>* grad) const {
    const Vec3<T> a = x[1] - x[0], b = x[2] - x[0];
    const Vec3<T> f0 = a * inv[0] + b * inv[2], f1 = a * inv[1] + b * inv[3];
    const T e00 = (dot(f0, f0) - T(1)) * T(0.5), e11 = (dot(f1, f1) - T(1)) * T(0.5), e01 = dot(f0, f1) * T(0.5);
    const T t = e00 + e11, d = e00 * e11 - e01 * e01;
    T q = T(2) * t + T(4) * d;
    if (q < T(-0.9999)) q = T(-0.9999);
    const T j2 = T(1) + q;
    const T c2 = (T(2) * t * q - T(4) * d) / j2;
    if (!(c2 > T(1e-24))) {
      for (int k = 0; k < 3; ++k) grad[k] = Vec3<T>{};
      return T(0);
    }
    const T c = std::sqrt(c2);
    // dC = F (1 - adj(F^T F) / J^4) : dF / C
    const T s = T(1) / (j2 * j2 * c), m = T(2) * q + q * q;
    const T m00 = (m - T(2) * e11) * s, m11 = (m - T(2) * e00) * s, m01 = T(2) * e01 * s;
    const Vec3<T> p0 = f0 * m00 + f1 * m01, p1 = f0 * m01 + f1 * m11;
    grad[1] = p0 * inv[0] + p1 * inv[1];
    grad[2] = p0 * inv[2] + p1 * inv[3];
    grad[0] = -(grad[1] + grad[2]);
    return c;
  }
};

MNS_NS_END

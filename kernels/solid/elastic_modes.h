// The second-order model of an isotropic energy density psi(F) in the eigenvectors of its Hessian,
//   psi(F + dF) = psi(F) + sum_k slope_k (Q_k : dF) + 1/2 sum_k stiffness_k (Q_k : dF)^2,   Q_k orthonormal,
// after Smith, de Goes, Kim 2019 (Analytic eigensystems for isotropic distortion energies). With F = U diag(sigma) V^T the
// eigenvectors are, for each pair i < j of axes, a twist and a flip, and in the space of the three stretches those of a 3x3 matrix.
// The slopes of twists and flips vanish. A constraint whose square is the energy knows only one direction of it, that of the
// present strain: sheared anew, it seems to give way freely. These modes know all.
#pragma once

#include "kernels/solid/singular_values.h"

MNS_NS_BEGIN

template <class T>
struct ElasticModes {
  int count = 0;
  Mat3<T> direction[9];  // Q_k [1]
  T slope[9];            // Pa (N/m for a sheet)
  T stiffness[9];        // likewise; may be negative

  MNS_HD void add(const Mat3<T>& q, T g, T h) {
    direction[count] = q;
    slope[count] = g;
    stiffness[count++] = h;
  }
  // The pair of axes i, j: (u_i v_j^T -+ u_j v_i^T) / sqrt 2.
  MNS_HD void addTwistAndFlip(const SingularValues<T>& f, int i, int j, T twist, T flip) {
    const T half = std::sqrt(T(0.5));
    const Mat3<T> a = Mat3<T>::outer(f.U.column(i), f.V.column(j)) * half, b = Mat3<T>::outer(f.U.column(j), f.V.column(i)) * half;
    add(a - b, T(0), twist);
    add(a + b, T(0), flip);
  }
  // The stretches: gradient g and Hessian of psi in sigma.
  MNS_HD void addStretches(const SingularValues<T>& f, int dimensions, const Vec3<T>& g, const Mat3<T>& hessian) {
    Mat3<T> axes;
    const Vec3<T> h = symmetricEigen(hessian, axes);
    for (int k = 0; k < dimensions; ++k) {
      const Vec3<T> w = axes.column(k);
      add(f.U * Mat3<T>::diagonal(w) * f.V.transposed(), dot(g, w), h[k]);
    }
  }
};

// Stable neo-Hookean solid of tet_deviatoric.h and tet_hydrostatic.h together: psi = (2/3) mu X(I1, J) + lambda/2 (J - 1)^2.
template <class T>
MNS_HD inline ElasticModes<T> stableNeoHookeanModes(const Mat3<T>& deformation, T mu, T lambda) {
  const SingularValues<T> f = SingularValues<T>::of(deformation);
  const Vec3<T> s = f.sigma, cofactor{s.y * s.z, s.z * s.x, s.x * s.y};
  const T j = s.x * s.y * s.z, n = norm2(s) + T(1), m = T(2) / T(3) * mu;
  const T byI1 = m * (T(1) - T(1) / n), byI1I1 = m / (n * n);
  const T byJ = m * (T(1.25) * (j - T(1)) - T(1.5)) + lambda * (j - T(1)), byJJ = T(1.25) * m + lambda;
  ElasticModes<T> out;
  Mat3<T> h =
      Mat3<T>::identity() * (T(2) * byI1) + Mat3<T>::outer(s, s) * (T(4) * byI1I1) + Mat3<T>::outer(cofactor, cofactor) * byJJ;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if (i != k) h.r[i][k] += byJ * s[3 - i - k];
  out.addStretches(f, 3, s * (T(2) * byI1) + cofactor * byJ, h);
  for (int k = 0; k < 3; ++k) out.addTwistAndFlip(f, (k + 1) % 3, (k + 2) % 3, T(2) * byI1 + byJ * s[k], T(2) * byI1 - byJ * s[k]);
  return out;
}

// Incompressible neo-Hookean membrane of membrane.h: psi = mu h/2 (I1 + 1/J^2 - 3), muH = mu times thickness [N/m]; the third
// column of F is zero. A change of F out of its plane turns the stresses: stiffness psi_i / sigma_i.
template <class T>
MNS_HD inline ElasticModes<T> membraneModes(const Mat3<T>& deformation, T muH) {
  const SingularValues<T> f = SingularValues<T>::of(deformation);
  // as in membrane.h, no triangle counts as squeezed below a hundredth of its area
  const T s0 = f.sigma.x > T(0.01) ? f.sigma.x : T(0.01), least = T(0.01) / s0;
  const T s1 = f.sigma.y > least ? f.sigma.y : least, j = s0 * s1, j2 = j * j;
  ElasticModes<T> out;
  const Vec3<T> g{muH * (s0 - T(1) / (s0 * j2)), muH * (s1 - T(1) / (s1 * j2)), T(0)};
  Mat3<T> h = Mat3<T>::diagonal({muH * (T(1) + T(3) / (s0 * s0 * j2)), muH * (T(1) + T(3) / (s1 * s1 * j2)), T(0)});
  h.r[0].y = h.r[1].x = muH * T(2) / (j2 * j);
  out.addStretches(f, 2, g, h);
  out.addTwistAndFlip(f, 0, 1, muH * (T(1) - T(1) / (j2 * j)), muH * (T(1) + T(1) / (j2 * j)));
  out.add(Mat3<T>::outer(f.U.column(2), f.V.column(0)), T(0), g.x / s0);
  out.add(Mat3<T>::outer(f.U.column(2), f.V.column(1)), T(0), g.y / s1);
  return out;
}

MNS_NS_END

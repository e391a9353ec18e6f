// Smoothing kernel of the fluid in three dimensions, support radius H, made for a support of two particle spacings.
//   W(r) = 378/(41 pi H^3) (1-q)^3 (1 + 3 q - 4 q^2 + 5/3 q^3),  q = r/H
//   F(r) = W'(r)/r = -7560/(41 pi H^5) (1-q)^2 (1 - 5/4 q + q^2/2)     finite at r = 0, so no eta^2 is needed; grad W = F x_ab
// Twice continuously differentiable, its Fourier transform positive, so particles do not pair (Dehnen & Aly 2012).
//
// Why not the C2 kernel of Wendland (1995), (1-q)^4 (1+4q), F ~ (1-q)^3, of the same degrees. A packing sheared by gamma at
// constant volume changes its density sum to rho (1 + c gamma^2 / 2), and as the sum is held it resists like an elastic solid of
// the modulus c p. In a family F ~ (1-q)^2 (1 + b q + d q^2), which holds Wendland's as (-1, 0), the sums over the cubic lattice
//   c_axes = sum (2 g' y^2 + 4 g'' x^2 y^2) / sum W,   c_diagonal = sum (2 g' y^2 + 2 g'' x^2 (x^2 - y^2)) / sum W,   g(r^2) = W(r)
// are zero together at no place where still water stays calm; (-5/4, 1/2) has the smallest among the calm ones. At H = 2 spacings:
//                      c_axes  c_diagonal  periods of small waves on a lattice   stirred: more volume  vortices left after 0.4 s
//   this kernel        0.040    -0.026       +0.8  0.0  -0.5 %                        2.2 %                  0.61
//   Wendland C2        0.037     0.175      -12.4 -8.9 -10.0 %                        2.6 %                  0.51
// The last two: water stirred at random for a second, then Taylor-Green vortices of 0.3 m/s under 0.5 m of water, 20 spacings a
// metre.
#pragma once

#include <cmath>

#include "kernels/core/macros.h"

MNS_NS_BEGIN

template <class T>
struct SmoothingKernel {
  T H;     // support radius [m]
  T invH;  // 1/H
  T w0;    // W(0) [1/m^3]
  T f0;    // -F(0) [1/m^5]

  MNS_HD static SmoothingKernel make(T support) {
    constexpr double pi = 3.14159265358979323846;
    const double h = double(support);
    return {support, T(1.0 / h), T(378.0 / (41.0 * pi * h * h * h)), T(7560.0 / (41.0 * pi * h * h * h * h * h))};
  }
  // W / W(0) and F / F(0) for q in [0, 1], also of eight lanes; a = 1 - q.
  template <class L>
  MNS_HD static L shapeW(L q, L a) {
    return a * a * a * (L(T(1)) + q * (L(T(3)) + q * (L(T(5.0 / 3.0)) * q - L(T(4)))));
  }
  template <class L>
  MNS_HD static L shapeF(L q, L a) {
    return a * a * (L(T(1)) + q * (L(T(0.5)) * q - L(T(1.25))));
  }
  // -(dF/dq) / F = logSlopeNumerator(q) / logSlopeDenominator(q, 1 - q)
  template <class L>
  MNS_HD static L logSlopeNumerator(L q) {
    return L(T(3.25)) + q * (L(T(2)) * q - L(T(4.75)));
  }
  template <class L>
  MNS_HD static L logSlopeDenominator(L q, L a) {
    return a * (L(T(1)) + q * (L(T(0.5)) * q - L(T(1.25))));
  }
  // W(r) for r < H; the caller has tested the support.
  MNS_HD T W(T r) const {
    const T q = r * invH;
    return w0 * shapeW(q, T(1) - q);
  }
  // |F(r)| = -W'(r)/r >= 0.
  MNS_HD T absF(T r) const {
    const T q = r * invH;
    return f0 * shapeF(q, T(1) - q);
  }
};

MNS_NS_END

// Wendland C2 kernel in three dimensions (Wendland 1995), support radius H.
//   W(r) = 21/(2 pi H^3) (1-q)^4 (1+4q),  q = r/H
//   F(r) = W'(r)/r = -210/(pi H^5) (1-q)^3     finite at r = 0, so no eta^2 is needed; grad W = F x_ab
#pragma once

#include <cmath>

#include "kernels/core/macros.h"

MNS_NS_BEGIN

template <class T>
struct Wendland {
  T H;     // support radius [m]
  T invH;  // 1/H
  T w0;    // W(0) [1/m^3]
  T f0;    // -F(0) [1/m^5]

  MNS_HD static Wendland make(T support) {
    constexpr double pi = 3.14159265358979323846;
    const double h = double(support);
    return {support, T(1.0 / h), T(21.0 / (2.0 * pi * h * h * h)), T(210.0 / (pi * h * h * h * h * h))};
  }
  // W(r) for r < H; the caller has tested the support.
  MNS_HD T W(T r) const {
    const T q = r * invH, a = T(1) - q, a2 = a * a;
    return w0 * a2 * a2 * (T(1) + T(4) * q);
  }
  // |F(r)| = -W'(r)/r >= 0.
  MNS_HD T absF(T r) const {
    const T a = T(1) - r * invH;
    return f0 * a * a * a;
  }
};

MNS_NS_END

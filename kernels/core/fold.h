// How values are folded on a device: over all rows, and over the lanes that share a row (engine/exec/launch.h).
#pragma once

#include "kernels/core/macros.h"

MNS_NS_BEGIN

struct SumOf {
  MNS_HD static double identity() { return 0; }
  MNS_HD static double fold(double a, double b) { return a + b; }
};
// Not-a-number wins, so that it cannot hide. Nothing is below zero.
struct MaxOf {
  MNS_HD static double identity() { return 0; }
  MNS_HD static double fold(double a, double b) { return a != a || b <= a ? a : b; }
};

template <int N>
struct LaneSums {
  float v[N];
};
template <int N>
MNS_HD inline LaneSums<N> operator+(LaneSums<N> a, const LaneSums<N>& b) {
  for (int k = 0; k < N; ++k) a.v[k] += b.v[k];
  return a;
}

MNS_NS_END

// The couplings of a cell with its 2 D neighbours.
#pragma once

#include "engine/grid/mac_grid.h"

// Before a loop whose passes do not touch what others write. g++ would compare all the pointers at run time and gives up on so
// many.
#if defined(__GNUC__) && !defined(__clang__)
#define MNS_INDEPENDENT _Pragma("GCC ivdep")
#else
#define MNS_INDEPENDENT
#endif

namespace meniscus {

// Sum of coupling times value(neighbour). Lower neighbour first, axis by axis; written out, because a loop over axes keeps the
// compiler from vectorising the loop over cells around it.
template <int D, class T, class Value>
T neighbourSum(const T* const (&lower)[D], const Cell<D>& stride, Index i, Value value) {
  T s = lower[0][i] * value(i - 1) + lower[0][i + 1] * value(i + 1);
  const Index y = stride[1];
  s += lower[1][i] * value(i - y) + lower[1][i + y] * value(i + y);
  if constexpr (D == 3) {
    const Index z = stride[2];
    s += lower[2][i] * value(i - z) + lower[2][i + z] * value(i + z);
  }
  return s;
}

}  // namespace meniscus

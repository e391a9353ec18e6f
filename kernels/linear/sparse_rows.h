// A matrix in compressed rows, as libraries of sparse algebra take it, and its product with a vector by a device of its own: eight
// lanes a row, so that they read numbers and values by whole sectors.
#pragma once

#include "kernels/core/fold.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

// Columns of a row ascend, each is there once.
struct SparseRowsView {
  Index rows, entries;
  const Index *begin, *column;  // begin: rows + 1
  const float* value;
};

// y = A x
struct SparseProduct {
  static constexpr int kLanes = 8, kSums = 0;
  static constexpr bool kNearestFirst = true;
  SparseRowsView A;
  const float* x;
  float* y;
  MNS_HD LaneSums<1> lane(Index i, int l) const {
    float sum = 0;
    for (Index e = A.begin[i] + l; e < A.begin[i + 1]; e += kLanes) sum += A.value[e] * x[A.column[e]];
    return {{sum}};
  }
  MNS_HD void finish(Index i, const LaneSums<1>& s, double*) const { y[i] = s.v[0]; }
};

MNS_NS_END

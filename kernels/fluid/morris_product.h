// (A p)_a = diag_a p_a - sum_b k_ab p_b over the assembled rows.
#pragma once

#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct SparseRows {
  const Offset* begin;
  const Index* count;
  const Pair* items;  // {k_ab, b}: minus the off-diagonal entries
  const float* diag;
  Index stride;  // of a row's units

  MNS_HD float times(Index i, const float* x) const {
    const PairRow p{items + begin[i], stride};
    const Index n = count[i];
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    Index k = 0;
    for (; k + 4 <= n; k += 4) {
      s0 += p[k].c * x[p[k].j()];
      s1 += p[k + 1].c * x[p[k + 1].j()];
      s2 += p[k + 2].c * x[p[k + 2].j()];
      s3 += p[k + 3].c * x[p[k + 3].j()];
    }
    for (; k < n; ++k) s0 += p[k].c * x[p[k].j()];
    return diag[i] * x[i] - ((s0 + s1) + (s2 + s3));
  }
};

MNS_NS_END

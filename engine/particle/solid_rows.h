// Rows of the solids in the products and the diagonal preconditioner of Krylov loops that are not fused.
#pragma once

#include <algorithm>

#include "engine/exec/exec.h"
#include "engine/linear/krylov.h"
#include "engine/particle/constraint_rate.h"
#include "engine/particle/row_layout.h"
#include "kernels/solid/edge_row.h"

namespace meniscus {

// y = A x in the solids' rows of a block, from the accelerations of the nodes that x gives; 0 between the fluid's rows and theirs.
struct SolidRowProducts {
  RowLayout layout;
  const EdgeRow* edges;
  float edgeScale;
  ConstraintRates rows;
  const Vec4f* nodeV;
  const float* rowCompliance;
  const float* x;
  float* y;
  void operator()(Index begin, Index end) const {
    for (Index i = std::max(begin, layout.fluid); i < std::min(end, layout.edges); ++i) y[i] = 0;
    layout.forEachSolid(
        begin, end,
        [&](Index k, Index i) {
          const EdgeRow& e = edges[k];
          storeVec4(y + i, e.scaled((nodeV[e.a] - nodeV[e.b]) * edgeScale, e.on) + e.scaled(loadVec4(x + i), e.compliance));
        },
        [&](Index k, Index i) { y[i] = rows.rate(k, nodeV) + rowCompliance[k] * x[i]; });
  }
};

// z = r by the diagonal, and the sum of r . z
struct ByDiagonal {
  RowLayout layout;
  const EdgeRow* edges;
  const float *r, *diag;
  float* z;
  void operator()(Index begin, Index end, double* acc) const {
    const auto scalar = [&](Index i) {
      z[i] = r[i] / diag[i];
      acc[0] += double(r[i]) * z[i];
    };
    for (Index i = begin; i < layout.fluidEnd(end); ++i) scalar(i);
    for (Index i = std::max(begin, layout.fluid); i < std::min(end, layout.edges); ++i) z[i] = 0;
    layout.forEachSolid(
        begin, end,
        [&](Index k, Index i) {
          const Vec4f ri = loadVec4(r + i), zi = edges[k].scaled(ri, edges[k].inverse);
          storeVec4(z + i, zi);
          acc[0] += double((ri * zi).sum());
        },
        [&](Index, Index i) { scalar(i); });
  }
};

// An operator of Krylov loops over fluid and solid rows: product(x, y) is y = A x; the diagonal preconditions.
template <class Product>
struct DiagonalKrylov {
  using Value = float;
  Exec& exec;
  const Product& product;
  RowLayout layout;
  const EdgeRow* edges;
  const float* diag;
  KrylovVectors<float> v;
  KrylovVectors<float>& vectors() { return v; }
  void apply(const Buffer<float>& x, Buffer<float>& y) { product(x, y); }
  double precondition(const Buffer<float>& r, Buffer<float>& z) {
    double sum[1];
    parallelBlockSums<1>(exec, "krylov: precondition", v.size(), ByDiagonal{layout, edges, r.data(), diag, z.data()}, sum);
    return sum[0];
  }
};

}  // namespace meniscus

// The kernel-diagonal pressure equation on a device: its matrix in compressed rows, and conjugate gradients with the product from
// elsewhere. The scalars are those of kernels/fluid/pressure_rows.h.
#pragma once

#include "kernels/fluid/morris_row.h"
#include "kernels/fluid/pressure_rows.h"
#include "kernels/linear/sparse_rows.h"

MNS_NS_BEGIN

// Rows of the neighbours and the diagonal. before: neighbours of the rows before each.
struct MorrisBegins {
  const Offset* before;
  Index* begin;
  MNS_HD void operator()(Index i) const { begin[i] = Index(before[i] + i); }
};

// Neighbours ascend in a row of the lists, so the diagonal comes between those below and those above.
struct CompressedEntries {
  const Index* begin;
  Index* column;
  float *value, *diag;
  MNS_HD void put(Index i, Index k, Index j, float k_ij) const {
    const Index e = begin[i] + k + (j > i);
    column[e] = j;
    value[e] = -k_ij;
  }
  MNS_HD void finish(Index i, Index below, float diagonal) const {
    column[begin[i] + below] = i;
    value[begin[i] + below] = diagonal;
    diag[i] = diagonal;
  }
};

// Does some particle see a free surface? Between walls alone the matrix has the constants as its kernel (but for the floor): what
// of the right-hand side lies there cannot be answered by any pressure, and is taken out.
struct LargestShare {
  const Vec4f* asymmetry;
  MNS_HD void operator()(Index i, double (&acc)[1]) const { acc[0] = MaxOf::fold(acc[0], double(asymmetry[i].w)); }
};
struct SumOfRows {
  const float* a;
  MNS_HD void operator()(Index i, double (&acc)[1]) const { acc[0] += a[i]; }
};
struct TakeMean {
  const double *share, *sum;
  Index n;
  float* a;
  MNS_HD void operator()(Index i) const {
    if (!(*share > 0)) a[i] += float(-*sum / n);
  }
};

// The reaction of surfaces to the pressures packed in e, for near row k; their velocities are yet to come, and the particles' own
// are no part of this operator.
struct SurfaceReaction {
  PairView v;
  const SolveScalars* solve;  // null: not in a solve
  const float *p, *e;
  float *phi, *g, *nu;
  Vec4f* surface;  // per near row behind a zero
  MNS_HD void operator()(Index k) const {
    if (solve && solve->done) return;
    linkSums(v, k, e, phi);
    mirrorForces(v, rangeOfRow(v, k), p, phi, surface);
    for (Index s = v.slotBegin[k]; s < v.slotBegin[k + 1]; ++s) g[s] = nu[s] = 0;
  }
};

// d . A d of the fluid's own matrix. held: what holds films, on the diagonal.
struct MorrisCurvature {
  const SolveScalars* solve;
  const float *d, *product, *held;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    if (!solve->done) acc[0] += double(d[i]) * (product[i] + held[i] * d[i]);
  }
};

// p += alpha d, r -= alpha A d, z and r . z of the diagonal. yielding: some surfaces give way to the pressure.
struct MorrisUpdate {
  DivergenceOf surfaces;
  bool yielding;
  const SolveScalars* solve;
  const float *product, *held, *d, *invDiag;
  float *p, *r, *z;
  MNS_HD float bySurfaces(Index i) const {
    const Index k = surfaces.v.near[i];
    if (!yielding || k < 0) return 0;
    linkSums(surfaces.v, k, surfaces.g, surfaces.linkSum);
    mirrorDivergences(surfaces.v, rangeOfRow(surfaces.v, k), surfaces.linkSum, surfaces.nu, surfaces.surface);
    return surfaces.surface[k];
  }
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    if (solve->done) return;
    const float Ad = (product[i] + bySurfaces(i)) + held[i] * d[i];
    p[i] += solve->alpha * d[i];
    const float ri = r[i] - solve->alpha * Ad;
    r[i] = ri;
    z[i] = ri * invDiag[i];
    acc[0] += double(ri * z[i]);
  }
};

MNS_NS_END

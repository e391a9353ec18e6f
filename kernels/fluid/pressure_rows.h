// The passes of the pressure operator for a device, four lanes a row (the order of pairSum), and conjugate gradients with their
// scalars on the device: Hestenes & Stiefel 1952, preconditioned by the diagonal. A near particle's row also does what the surfaces
// before it add, so that an iteration is three launches and two small ones.
#pragma once

#include "kernels/core/fold.h"
#include "kernels/fluid/mirror_pass.h"

MNS_NS_BEGIN

// What decides how a solve goes on. `done`: the launches that follow do nothing.
struct SolveScalars {
  double bNorm2, rz, dAd, target2;
  float alpha, beta;
  int iterations, mostIterations;
  int done, converged;
};

MNS_HD inline NearRange rangeOfRow(const PairView& v, Index k) { return {k, k + 1, v.slotBegin[k], v.slotBegin[k + 1]}; }

// Lane l of a row's sum over c q.
MNS_HD inline LaneSums<4> pairLane(const PairView& v, Index i, int l, const Vec4f* q) {
  const PairRow row = v.folded(i);
  Vec4f t{};
  for (Index k = l; k < v.count[i]; k += kRowUnit) {
    const Pair p = row[k];  // one load
    t.addScaled(p.of(q), p.c);
  }
  return {{t.x, t.y, t.z, t.w}};
}
MNS_HD inline Vec4f pairTotal(const LaneSums<4>& s) { return Vec4f(s.v[0], s.v[1], s.v[2], s.v[3]); }

// q = p (x, 1), e of the slots. q may be null: the operator has no use for it.
struct PackPressureRow {
  PairView v;
  const float* p;
  Vec4f* q;
  float* e;
  MNS_HD void operator()(Index i) const {
    if (q) q[i] = v.xh[i] * p[i];
    if (v.near[i] >= 0) packMirrorPressures(v, rangeOfRow(v, v.near[i]), p, e);
  }
};
// q = (u, u . x), g of the slots. speed (may be null): normal velocity a slot of surfaces whose motion is given.
struct PackVelocityRow {
  PairView v;
  const Vec4f* u;
  const float* speed;
  Vec4f* q;
  float *g, *nu;
  MNS_HD void operator()(Index i) const {
    q[i] = u[i].withW(dot(u[i].xyz(), v.xh[i].xyz()));
    if (v.near[i] < 0) return;
    const NearRange near = rangeOfRow(v, v.near[i]);
    packMirrorVelocities(v, near, u, g, nu);
    for (Index s = near.slotBegin; speed && s < near.slotEnd; ++s) {
      nu[s] = speed[s];
      g[s] -= nu[s];
    }
  }
};

// Pass 1: b = (1/rho) D^T p packed for pass 2, sum of p . A p.
struct TransposeRow {
  static constexpr int kLanes = kRowUnit, kSums = 1;
  static constexpr bool kNearestFirst = true;
  PairView v;
  const SolveScalars* solve;  // null: not in a solve
  const float* p;
  const Vec4f* q;
  const float *e, *invRho, *dirichlet;
  float gamma;
  Vec4f* b;
  float *phi, *g, *nu;
  Vec4f* surface;  // per near row behind a zero
  MNS_HD bool over() const { return solve && solve->done; }
  MNS_HD LaneSums<4> lane(Index i, int l) const { return over() ? LaneSums<4>{} : pairLane(v, i, l, q); }
  MNS_HD void finish(Index i, const LaneSums<4>& s, double (&acc)[1]) const {
    if (over()) return;
    const Index k = v.near[i];
    if (k >= 0) {
      linkSums(v, k, e, phi);
      mirrorForces(v, rangeOfRow(v, k), p, phi, surface);
    }
    const Vec4f a = transposeRow(v, i, pairTotal(s), p[i], surface);
    const Vec4f bi = a * Vec4f(invRho[i], invRho[i], invRho[i], gamma);  // w: gamma L p
    b[i] = bi.withW((bi * v.xh[i] * Vec4f(1, 1, 1, -1)).sum());
    acc[0] += double((a * bi).sum() + dirichlet[i] * p[i] * p[i]);
    if (k >= 0) packMirrorVelocities(v, rangeOfRow(v, k), b, g, nu);
  }
};

// What the divergence of the velocities in q is at row i, once the lanes have added up its pairs.
struct DivergenceOf {
  PairView v;
  const Vec4f* q;
  const float *g, *nu;
  float *linkSum, *surface;  // surface: per near row behind a zero
  MNS_HD float row(Index i, const LaneSums<4>& s) const {
    const Index k = v.near[i];
    if (k >= 0) {
      linkSums(v, k, g, linkSum);
      mirrorDivergences(v, rangeOfRow(v, k), linkSum, nu, surface);
    }
    return divergenceRow(v, i, pairTotal(s), q[i], surface);
  }
};

// out = scale div u + add
struct DivergenceRow {
  static constexpr int kLanes = kRowUnit, kSums = 0;
  static constexpr bool kNearestFirst = true;
  DivergenceOf d;
  float scale;
  const float* add;  // may be null
  float* out;
  MNS_HD LaneSums<4> lane(Index i, int l) const { return pairLane(d.v, i, l, d.q); }
  MNS_HD void finish(Index i, const LaneSums<4>& s, double*) const { out[i] = scale * d.row(i, s) + (add ? add[i] : 0.f); }
};

// Pass 2 and the updates: p += alpha d, r -= alpha A d, z and r . z of the diagonal.
struct UpdateRow {
  static constexpr int kLanes = kRowUnit, kSums = 1;
  static constexpr bool kNearestFirst = true;
  DivergenceOf A;
  const SolveScalars* solve;
  const float *dirichlet, *d, *invDiag;
  float *p, *r, *z;
  MNS_HD LaneSums<4> lane(Index i, int l) const { return solve->done ? LaneSums<4>{} : pairLane(A.v, i, l, A.q); }
  MNS_HD void finish(Index i, const LaneSums<4>& s, double (&acc)[1]) const {
    if (solve->done) return;
    const float Ad = A.row(i, s) + dirichlet[i] * d[i];
    p[i] += solve->alpha * d[i];
    const float ri = r[i] - solve->alpha * Ad;
    r[i] = ri;
    z[i] = ri * invDiag[i];
    acc[0] += double(ri * z[i]);
  }
};

// d = z + beta d, packed as above.
struct DirectionRow {
  PairView v;
  const SolveScalars* solve;
  const float* z;
  float* d;
  Vec4f* q;
  float* e;
  MNS_HD void operator()(Index i) const {
    if (solve->done) return;
    const float di = z[i] + solve->beta * d[i];
    d[i] = di;
    if (q) q[i] = v.xh[i] * di;
    if (v.near[i] >= 0) packMirrorPressures(v, rangeOfRow(v, v.near[i]), d, e);
  }
};

// ---- the scalars, each by one thread behind its sum ----

// r = b, d = p, p = 0; sums of b . z and of the diagonal's inverse.
struct StartSolveRow {
  const float *rhs, *diag;
  float *p, *r, *d, *invDiag;
  MNS_HD void operator()(Index i, double (&acc)[2]) const {
    const float inverse = 1.f / diag[i];
    invDiag[i] = inverse;
    r[i] = rhs[i];
    d[i] = p[i];
    p[i] = 0;
    acc[0] += double(rhs[i]) * rhs[i] * inverse;
    acc[1] += inverse;
  }
};
struct AfterStart {
  double tolerance, quiet;  // quiet: residual by row below which there is nothing to solve
  int mostIterations;
  SolveScalars* s;
  MNS_HD void operator()(const double (&sum)[2]) const {
    const double byRight = tolerance * std::sqrt(sum[0]), byQuiet = quiet * std::sqrt(sum[1]),
                 target = byRight > byQuiet ? byRight : byQuiet;
    *s = {sum[0], 0, 0, target * target, 1.f, 0.f, 0, mostIterations, !(sum[0] > 0), sum[0] == 0};
  }
};
// Of the first residual b - A p, by one pass with d = p and alpha = 1.
struct AfterFirst {
  SolveScalars* s;
  MNS_HD void operator()(const double (&rz)[1]) const {
    if (s->done) return;
    s->rz = rz[0];
    s->converged = rz[0] <= s->target2;
    s->done = s->converged || s->mostIterations <= 0 || !(rz[0] == rz[0]);
  }
};
struct AfterTranspose {
  SolveScalars* s;
  MNS_HD void operator()(const double (&dAd)[1]) const {
    if (s->done) return;
    s->dAd = dAd[0];
    if (dAd[0] > 0)
      s->alpha = float(s->rz / dAd[0]);
    else
      s->done = 1;
  }
};
struct AfterUpdate {
  SolveScalars* s;
  MNS_HD void operator()(const double (&next)[1]) const {
    if (s->done) return;
    s->beta = float(next[0] / s->rz);
    s->rz = next[0];
    ++s->iterations;
    s->converged = next[0] <= s->target2;
    s->done = s->converged || s->iterations >= s->mostIterations || !(next[0] == next[0]);
  }
};

MNS_NS_END

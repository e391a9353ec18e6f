// Conjugate gradients on the pressure equation.
#include <algorithm>
#include <cmath>

#include "engine/particle/constraint_rate.h"
#include "engine/particle/pressure_system.h"
#include "kernels/fluid/four_rows.h"
#include "kernels/fluid/mirror_pass.h"

namespace meniscus {
namespace {

// r = b, d = p, p = 0; sums of b . z and, over the rows that set the measure of a quiet solve, of the diagonal's inverse.
struct StartSolve {
  RowLayout layout;
  bool fluidQuiet;
  const EdgeRow* edges;
  const float *rhs, *diag, *rowMeasure;
  float *p, *r, *d, *invDiag;
  void operator()(Index begin, Index end, double* acc) const {
    for (Index i = begin; i < layout.fluidEnd(end); ++i) scalar(i, fluidQuiet ? 1.f : 0.f, acc);
    layout.forEachSolid(
        begin, end,
        [&](Index k, Index i) {
          const EdgeRow& e = edges[k];
          const Vec4f b = loadVec4(rhs + i);
          for (int j = 0; j < 4; ++j) take(i + j);
          acc[0] += double((b * e.scaled(b, e.inverse)).sum());
          if (e.on[EdgeRow::along] > 0) acc[1] += 1 / double(e.diag[EdgeRow::along]);
          if (e.on[EdgeRow::across] > 0) acc[1] += 2 / double(e.diag[EdgeRow::across]);
        },
        [&](Index k, Index i) { scalar(i, rowMeasure[k], acc); });
  }
  void take(Index i) const {
    r[i] = rhs[i];
    d[i] = p[i];
    p[i] = 0;
  }
  void scalar(Index i, float measure, double* acc) const {
    const float inverse = 1.f / diag[i];
    invDiag[i] = inverse;
    take(i);
    acc[0] += double(rhs[i]) * rhs[i] * inverse;
    acc[1] += double(measure * inverse);
  }
};

// Pass 2 and the updates of conjugate gradients in one sweep: x += alpha d, r -= alpha A d, and z and r . z of the diagonal.
struct ApplyAndUpdate {
  PairView v;
  PackedLinkRows links;
  const Vec4f* b;
  const float *g, *nu;
  float *linkSum, *surface;
  float alpha;
  RowLayout layout;
  const EdgeRow* edges;
  float edgeScale;
  ConstraintRates rows;
  const Vec4f* nodeV;
  const float *rowCompliance, *dirichlet;
  const float *d, *invDiag;
  const NodePreconditioner::Weigh* weigh;  // null: precondition with the diagonal
  float *p, *r, *z;
  void operator()(Index begin, Index end, double* acc) const {
    const NearRange near = nearRange(v, begin, layout.fluidEnd(end));
    linkSums(links, near.slotBegin, near.slotEnd, g, linkSum);
    mirrorDivergences(v, near, linkSum, nu, surface);
    forEachGroupSum(
        v, begin, layout.fluidEnd(end), b,
        [&](Index i, const Vec4f(&t)[kGroupRows]) __attribute__((always_inline)) {
          updateFour(i, divergenceRows(v, i, t, b, surface) + loadVec4(dirichlet + i) * loadVec4(d + i), acc);
        },
        [&](Index i, const Vec4f& t) { update(i, divergenceRow(v, i, t, b[i], surface) + dirichlet[i] * d[i], acc); });
    if (weigh) weigh->surfaces(near, r);
    layout.forEachSolid(
        begin, end, [&](Index k, Index i) { updateEdge(edges[k], k, i, acc); },
        [&](Index k, Index i) {
          update(i, rows.rate(k, nodeV) + rowCompliance[k] * d[i], acc);
          if (weigh) weigh->row(k, r[i]);
        });
  }
  void updateEdge(const EdgeRow& e, Index k, Index i, double* acc) const {
    const Vec4f di = loadVec4(d + i);
    const Vec4f Ad = e.scaled((nodeV[e.a] - nodeV[e.b]) * edgeScale, e.on) + e.scaled(di, e.compliance);
    storeVec4(p + i, loadVec4(p + i) + di * alpha);
    const Vec4f ri = loadVec4(r + i) - Ad * alpha;
    storeVec4(r + i, ri);
    if (weigh) return weigh->edge(k, ri);
    const Vec4f zi = e.scaled(ri, e.inverse);
    storeVec4(z + i, zi);
    acc[0] += double((ri * zi).sum());
  }
  // update() of four rows
  void updateFour(Index i, const Vec4f& Ad, double* acc) const {
    storeVec4(p + i, loadVec4(p + i) + loadVec4(d + i) * alpha);
    const Vec4f ri = loadVec4(r + i) - Ad * alpha;
    storeVec4(r + i, ri);
    if (weigh) return;
    const Vec4f zi = ri * loadVec4(invDiag + i);
    storeVec4(z + i, zi);
    addInOrder(ri * zi, acc);
  }
  void update(Index i, float Ad, double* acc) const {
    p[i] += alpha * d[i];
    const float ri = r[i] - alpha * Ad;
    r[i] = ri;
    if (weigh) return;
    z[i] = ri * invDiag[i];
    acc[0] += double(ri * z[i]);
  }
};

// d = z + beta d, packed for pass 1, and the share of the rows' compliance in d . A d.
struct Direction {
  PairView v;
  const float *z, *rowCompliance;
  float beta;
  RowLayout layout;
  const EdgeRow* edges;
  float *d, *e;
  Vec4f* q;
  void operator()(Index begin, Index end, double* acc) const {
    for (Index i = begin; i < layout.fluidEnd(end); ++i) {
      const float di = z[i] + beta * d[i];
      d[i] = di;
      q[i] = v.xh[i] * di;
    }
    packMirrorPressures(v, nearRange(v, begin, layout.fluidEnd(end)), d, e);
    layout.forEachSolid(
        begin, end,
        [&](Index k, Index i) {
          const Vec4f di = loadVec4(z + i).addScaled(loadVec4(d + i), beta);
          storeVec4(d + i, di);
          acc[0] += double((di * edges[k].scaled(di, edges[k].compliance)).sum());
        },
        [&](Index k, Index i) {
          const float di = z[i] + beta * d[i];
          d[i] = di;
          acc[0] += double(rowCompliance[k]) * di * di;
        });
  }
};

}  // namespace

bool PressureSystem::constraintsSetMeasure() const { return inNodes_ && constraintsAct_; }

double PressureSystem::startSolve(Exec& exec, double& quiet2) {
  double sum[2];
  parallelBlockSums<2>(exec, "solve: start", rows(),
                       StartSolve{layout_, !constraintsSetMeasure(), edges_.data(), rhs_.data(), diag_.data(), rowMeasure_.data(),
                                  p_.data(), r_.data(), d_.data(), invDiag_.data()},
                       sum);
  quiet2 = sum[1];
  return sum[0];
}

void PressureSystem::preparePreconditioner(Exec& exec) {
  inNodes_ = false;
  for (Index n = 0; n < nodes_ && !inNodes_; ++n) inNodes_ = nodeW_[n] > 0;
  if (!inNodes_) return;
  const NodeCouplings c{layout_,
                        view_,
                        nodes_,
                        slots_.data(),
                        push_,
                        nodeSurfaces_.data(),
                        nodeSlots_.view(),
                        edgesOfNodes(),
                        nodeEntryBegin_.data(),
                        nodeEntryRow_.data(),
                        nodeEntryGrad_.data(),
                        {rowBegin_.data(), rowNode_.data(), rowGrad_.data()},
                        edges_.data(),
                        edgeScale_,
                        nodeW_.data(),
                        V_};
  preconditioner_.assemble(exec, c, fluidDiagRigid_.data(), rigidEntryBody_.empty() ? rowCompliance_.data() : rowD0_.data(),
                           diag_.data() + layout_.rows);
}

// Hestenes & Stiefel 1952, preconditioned in the nodes of deformable bodies, or by the diagonal. Every sum in fixed blocks, in
// double.
SolveReport PressureSystem::solve(Exec& exec, double tolerance, int maxIterations) {
  const Index n = rows();
  SolveReport report;
  double quiet2 = 0;
  preparePreconditioner(exec);
  double bNorm2 = startSolve(exec, quiet2);
  if (inNodes_) bNorm2 = preconditioner_.apply(exec, r_, z_);
  const NodePreconditioner::Weigh weigh = inNodes_ ? preconditioner_.weigh() : NodePreconditioner::Weigh{};
  const double quiet = constraintsSetMeasure() ? kQuietConstraint : kQuiet;
  const double target = std::max(tolerance * std::sqrt(bNorm2), quiet / (dt_ * dt_) * std::sqrt(quiet2));
  if (!(bNorm2 > 0)) {
    report.converged = bNorm2 == 0;
    return report;
  }
  const auto update = [&](float alpha) {
    double sum[1];
    parallelBlockSums<1>(exec, "solve: pass 2", n,
                         ApplyAndUpdate{view_,

                                        packedLinks_.rows(),
                                        b_.data(),
                                        g_.data(),
                                        nu_.data(),
                                        linkSum_.data(),
                                        surfaceDivergence_.data() + 1,
                                        alpha,
                                        layout_,
                                        edges_.data(),
                                        edgeScale_,
                                        rates(rigidLeft_, rigidLeftOmega_),
                                        nodeV_.data(),
                                        rowCompliance_.data(),
                                        dirichlet_.data(),
                                        d_.data(),
                                        invDiag_.data(),
                                        inNodes_ ? &weigh : nullptr,
                                        p_.data(),
                                        r_.data(),
                                        z_.data()},
                         sum);
    return inNodes_ ? preconditioner_.applyWeighed(exec, r_, z_) : sum[0];
  };
  // r = b - A p:  one pass with d = p and alpha = 1, starting from r = b and p = 0
  packPressure(exec, d_);
  transposePass(exec, d_, false);
  double rz = update(1.f);
  double beta = 0;
  for (;;) {
    report.residual = std::sqrt(rz / bNorm2);
    report.converged = std::sqrt(rz) <= target;
    if (report.converged || report.iterations >= maxIterations || !(rz == rz)) break;
    double rowShare[1];
    parallelBlockSums<1>(
        exec, "solve: direction", n,
        Direction{view_, z_.data(), rowCompliance_.data(), float(beta), layout_, edges_.data(), d_.data(), e_.data(), q_.data()},
        rowShare);
    const double dAd = transposePass(exec, d_, false) + rowShare[0];
    if (!(dAd > 0)) break;
    const double next = update(float(rz / dAd));
    beta = next / rz;
    rz = next;
    ++report.iterations;
  }
  return report;
}

void PressureSystem::applyResult(Exec& exec) {
  packPressure(exec, p_);
  transposePass(exec, p_, true);
}

}  // namespace meniscus

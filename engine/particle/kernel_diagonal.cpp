#include "engine/particle/kernel_diagonal.h"

#include "engine/linear/bicgstab.h"
#include "engine/linear/conjugate_gradient.h"
#include "engine/particle/solid_rows.h"
#include "kernels/fluid/mirror_pass.h"
#include "kernels/fluid/morris_gradient.h"
#include "kernels/fluid/morris_product.h"

namespace meniscus {
namespace {

struct SurfaceShare {
  const Vec4f* asymmetry;
  double operator()(Index i) const { return asymmetry[i].w; }
};

// The surfaces' reaction to pressures; their normal velocity is yet to come, and the particles' own is no part of this operator.
struct SurfaceForces {
  PairView v;
  PackedLinkRows links;
  const float *p, *e;
  float *phi, *g, *nu;
  Vec4f* force;
  void operator()(Index begin, Index end) const {
    const NearRange near = nearRange(v, begin, end);
    linkSums(links, near.slotBegin, near.slotEnd, e, phi);
    mirrorForces(v, near, p, phi, force);
    for (Index s = near.slotBegin; s < near.slotEnd; ++s) g[s] = nu[s] = 0;
  }
};

struct SystemRow {
  SparseRows fluid;
  PairView v;
  PackedLinkRows links;
  const float *g, *nu;
  float *linkSum, *surface;
  bool solids;
  SolidRowProducts solidRows;
  const float* x;
  float* y;
  void operator()(Index begin, Index end) const {
    if (solids) {
      const NearRange near = nearRange(v, begin, solidRows.layout.fluidEnd(end));
      linkSums(links, near.slotBegin, near.slotEnd, g, linkSum);
      mirrorDivergences(v, near, linkSum, nu, surface);
    }
    for (Index i = begin; i < solidRows.layout.fluidEnd(end); ++i) y[i] = fluid.times(i, x) + (solids ? surface[v.near[i]] : 0.f);
    solidRows(begin, end);
  }
};

struct Sum {
  const float* a;
  void operator()(Index i, double* acc) const { acc[0] += a[i]; }
};

struct AddConstant {
  float c;
  float* a;
  void operator()(Index i) const { a[i] += c; }
};

}  // namespace

// Rows and diagonal of the fluid; the base adds the solids' share to fluidDiag_.
void KernelDiagonalSystem::fluidDiagonal(Exec& exec, const PairLists& lists) {
  krylov_ = world_->scene.solver.krylov;
  movable_ = false;
  if (coupled_) {
    for (const double w : rigidInvMass_) movable_ |= w > 0;
    for (const double w : nodeW_) movable_ |= w > 0;
  }
  entries_.resizeUninitialized(lists.folded.items.size());
  matrixDiag_.resizeUninitialized(std::size_t(fluidRows_));
  asymmetry_.resizeUninitialized(std::size_t(fluidRows_));
  parallelFor(exec, "kernel-diagonal: rows", fluidRows_,
              MorrisRow<FoldedEntries>{view_,
                                       lists.sumC.data(),
                                       invRho_.data(),
                                       float(S0_),
                                       diagFloor_,
                                       {entries_.data(), view_.foldedBegin, view_.stride, matrixDiag_.data()},
                                       asymmetry_.data()});
  open_ = parallelMax(exec, "kernel-diagonal: surface", fluidRows_, SurfaceShare{asymmetry_.data()}) > 0;
  fluidDiag_ = matrixDiag_;
}

void KernelDiagonalSystem::surfaceForces(Exec& exec, const Buffer<float>& x) {
  packPressure(exec, x);
  parallelBlocks(
      exec, "kernel-diagonal: surface forces", fluidRows_,
      SurfaceForces{view_, packedLinks_.rows(), x.data(), e_.data(), phi_.data(), g_.data(), nu_.data(), surfaceForce_.data() + 1});
}

void KernelDiagonalSystem::solidShare(Exec& exec, const Buffer<float>& x, bool precise) {
  surfaceForces(exec, x);
  solidPass(exec, x.data(), precise);
}

void KernelDiagonalSystem::product(Exec& exec, const Buffer<float>& x, Buffer<float>& y) {
  if (movable_) solidShare(exec, x, false);
  parallelBlocks(exec, "kernel-diagonal: product", rows(),
                 SystemRow{{view_.foldedBegin, view_.count, entries_.data(), matrixDiag_.data(), view_.stride},
                           view_,
                           packedLinks_.rows(),
                           g_.data(),
                           nu_.data(),
                           linkSum_.data(),
                           surfaceDivergence_.data() + 1,
                           movable_,
                           solidRows(x, y),
                           x.data(),
                           y.data()});
}

// Between walls alone the matrix has the constants as its kernel (but for the floor): what of the right-hand side lies there
// cannot be answered by any pressure. The divergences of a disordered packing do not sum to zero by themselves.
void KernelDiagonalSystem::removeMean(Exec& exec) {
  double sum[1];
  parallelSum<1>(exec, "kernel-diagonal: mean", fluidRows_, Sum{rhs_.data()}, sum);
  if (fluidRows_ > 0) parallelFor(exec, "kernel-diagonal: mean", fluidRows_, AddConstant{float(-sum[0] / fluidRows_), rhs_.data()});
}

SolveReport KernelDiagonalSystem::solve(Exec& exec, double tolerance, int maxIterations) {
  if (!open_ && !movable_) removeMean(exec);
  const auto product = [&](const Buffer<float>& x, Buffer<float>& y) { this->product(exec, x, y); };
  DiagonalKrylov<decltype(product)> A{exec, product, layout_, edges_.data(), diag_.data(), KrylovVectors<float>(exec, rows())};
  const KrylovControl control{tolerance, maxIterations};
  const KrylovReport r =
      krylov_ == KrylovMethod::bicgstab ? bicgstab(A, rhs_, p_, work_, control) : conjugateGradient(A, rhs_, p_, work_, control);
  return {r.iterations, r.residual, r.converged};
}

void KernelDiagonalSystem::applyResult(Exec& exec) {
  // what surfaces feel is measured among walls alone as well
  surfaceForces(exec, p_);
  if (coupled_) solidPass(exec, p_.data(), true);
  parallelFor(exec, "kernel-diagonal: gradient", fluidRows_,
              MorrisGradient{view_, p_.data(), invRho_.data(), asymmetry_.data(), b_.data()});
}

void KernelDiagonalSystem::shift(Exec& exec, double dt, View<Vec4f> x) const {
  parallelFor(exec, "kernel-diagonal: shift", x.n, Shift{view_, asymmetry_.data(), float(morrisShift(dx_, dt)), x.data});
}

std::size_t KernelDiagonalSystem::bytes() const {
  return PressureSystem::bytes() + entries_.capacityBytes() + matrixDiag_.capacityBytes() + asymmetry_.capacityBytes();
}

}  // namespace meniscus

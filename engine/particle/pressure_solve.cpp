// Conjugate gradients on the pressure equation.
#include <algorithm>
#include <cmath>

#include "engine/particle/constraint_rate.h"
#include "engine/particle/pressure_system.h"

namespace meniscus {
namespace {

// Pass 2 and the updates of conjugate gradients in one sweep: x += alpha d, r -= alpha A d, and r . z.
template <class RowNode>
struct ApplyAndUpdate {
  PairView v;
  const Vec4f* b;
  const float* h;
  const float* nu;
  const std::uint8_t* featureCount;
  bool coupled;
  float gamma, alpha;
  Index fluidRows;
  const Index* rowBegin;
  const RowNode* rowNodes;
  const Vec3d* nodeB;
  const float *rowCompliance, *dirichlet;
  const float *d, *diag;
  float *p, *r;
  void operator()(Index i, double* acc) const {
    const float Ad = i < fluidRows ? fluidRow(i) : constraintRow(i);
    p[i] += alpha * d[i];
    const float ri = r[i] - alpha * Ad;
    r[i] = ri;
    acc[0] += double(ri) * ri / diag[i];
  }
  float fluidRow(Index i) const {
    float s = divergenceRow(v, i, b, h, gamma) + dirichlet[i] * d[i];
    const Index k = v.near[i];
    if (coupled && k >= 0) s += surfaceDivergence(v, k, featureCount[k], kMaxFeatures, nu);
    return s;
  }
  float constraintRow(Index i) const {
    const Index k = i - fluidRows;
    return constraintRate(rowBegin, rowNodes, k, nodeB) + rowCompliance[k] * d[i];
  }
};

struct Direction {
  const float *r, *diag;
  float beta;
  Index fluidRows;
  const Vec4f* xh;
  float* d;
  Vec4f* q;
  void operator()(Index i) const {
    d[i] = r[i] / diag[i] + beta * d[i];
    if (i < fluidRows) q[i] = xh[i] * d[i];
  }
};

}  // namespace

// Hestenes & Stiefel 1952 with diagonal preconditioner z = r / diag. Four sweeps an iteration; every sum in fixed blocks, in
// double.
SolveReport PressureSystem::solve(Exec& exec, double tolerance, int maxIterations) {
  const Index n = rows();
  SolveReport report;
  double bNorm2 = 0, quiet2 = 0;
  for (Index i = 0; i < n; ++i) {
    bNorm2 += double(rhs_[i]) * rhs_[i] / diag_[i];
    quiet2 += 1 / double(diag_[i]);
  }
  const double target = std::max(tolerance * std::sqrt(bNorm2), kQuiet / (dt_ * dt_) * std::sqrt(quiet2));
  if (!(bNorm2 > 0)) {
    for (Index i = 0; i < n; ++i) p_[i] = 0;
    report.converged = bNorm2 == 0;
    applyResult(exec);
    return report;
  }
  const auto update = [&](float alpha, const Buffer<float>& d) {
    double sum[1];
    parallelSum<1>(exec, "solve: pass 2", n,
                   ApplyAndUpdate<RowNode>{view_, b_.data(), h_.data(), nu_.data(), boundary_->featureCount().data, coupled_,
                                           gamma_, alpha, fluidRows_, rowBegin_.data(), rowNodes_.data(), nodeB_.data(),
                                           rowCompliance_.data(), dirichlet_.data(), d.data(), diag_.data(), p_.data(), r_.data()},
                   sum);
    return sum[0];
  };
  // r = b - A p:  one pass with d = p and alpha = 1, starting from r = b and p = 0
  d_.resizeUninitialized(n);
  for (Index i = 0; i < n; ++i) {
    d_[i] = p_[i];
    p_[i] = 0;
    r_[i] = rhs_[i];
  }
  fillPacked(exec, d_);
  transposePass(exec, d_);
  double rz = update(1.f, d_);
  double beta = 0;
  for (;;) {
    report.residual = std::sqrt(rz / bNorm2);
    report.converged = std::sqrt(rz) <= target;
    if (report.converged || report.iterations >= maxIterations || !(rz == rz)) break;
    parallelFor(exec, "solve: direction", n,
                Direction{r_.data(), diag_.data(), float(beta), fluidRows_, view_.xh, d_.data(), q_.data()});
    const double dAd = transposePass(exec, d_);
    if (!(dAd > 0)) break;
    const double next = update(float(rz / dAd), d_);
    beta = next / rz;
    rz = next;
    ++report.iterations;
  }
  applyResult(exec);
  return report;
}

void PressureSystem::applyResult(Exec& exec) {
  fillPacked(exec, p_);
  transposePass(exec, p_);
}

}  // namespace meniscus

#include "engine/particle/position_based.h"

#include <cstring>
#include <limits>

#include "kernels/fluid/density_multiplier.h"
#include "kernels/fluid/lattice.h"
#include "kernels/fluid/mirror_pass.h"
#include "kernels/fluid/packed_groups.h"
#include "kernels/fluid/predicted_density.h"
#include "kernels/fluid/tensile_correction.h"

namespace meniscus {
namespace {

constexpr float kFullKernel = 0.05f;  // deficiency up to which a kernel counts as full

// The way s = dt (u* + dt b) and D s = dt (D u* + dt D b). b: accelerations, packed for pass 2; null where nothing has pushed yet.
struct Ways {
  PairView v;
  PackedLinkRows links;
  const Vec4f *b, *uStar;
  const float *g, *nu, *rhs;  // rhs = - D u* / dt
  float *linkSum, *surface;
  float dt;
  Vec4f* s;
  float* Ds;
  void operator()(Index begin, Index end) const {
    const float dt2 = dt * dt;
    if (!b) {
      for (Index i = begin; i < end; ++i) {
        s[i] = (uStar[i] * dt).withW(0.f);
        Ds[i] = -dt2 * rhs[i];
      }
      return;
    }
    const NearRange near = nearRange(v, begin, end);
    linkSums(links, near.slotBegin, near.slotEnd, g, linkSum);
    mirrorDivergences(v, near, linkSum, nu, surface);
    forEachRowSum(v, begin, end, b, [&](Index i, const Vec4f& t) {
      Ds[i] = dt2 * (divergenceRow(v, i, t, b[i], surface) - rhs[i]);
      s[i] = ((uStar[i] + b[i] * dt) * dt).withW(0.f);
    });
  }
};

// Share of the solids' columns in the denominators. Jacobi corrections of all particles beside a body add up on it: with the push
// of a particle counted as often as there are others, they cannot go beyond what the body does. For one body A = sum w push_i
// push_j n_i . n_j is at most the diagonal w push_i sum_j push_j.
struct SharedSlotDiagonal {
  PairView v;
  const SlotBinding* slots;
  const float* push;
  const double *nodePush, *nodeW, *rigidPush;  // rigidPush: inverse mass included
  double V;
  float* diag;
  void operator()(Index k) const {
    double sum = 0;
    for (Index s = v.slotBegin[k]; s < v.slotBegin[k + 1]; ++s) {
      const SlotBinding& b = slots[s];
      for (int q = 0; q < 3; ++q)
        if (b.node[q] >= 0) sum += double(push[s]) * b.b[q] * nodeW[b.node[q]] * nodePush[b.node[q]];
      if (b.rigid >= 0) sum += double(push[s]) * rigidPush[b.rigid];
    }
    diag[v.nearParticle[k]] += float(V * sum);
  }
};

}  // namespace

double PositionBasedSystem::latticeDiagonal() const { return latticeC2r2_ / rho0_; }

// What of the fluid gives way to a constraint; the base adds the solids. No high-pass term and no hold on spray.
void PositionBasedSystem::fluidDiagonal(Exec& exec, const PairLists& lists) {
  if (configuredGamma_ < 0) configuredGamma_ = gamma_;
  gamma_ = frozen_ ? configuredGamma_ : 0.f;
  if (frozen_) return PressureSystem::fluidDiagonal(exec, lists);
  const double support = world_->scene.solver.support * dx_;
  const LatticeSums lattice = latticeSums(dx_, support);
  latticeC2r2_ = lattice.c2r2;
  cW_ = lattice.cW;
  kernel_ = SmoothingKernel<float>::make(float(support));
  density_ = lists.density.data();
  dirichlet_.assign(std::size_t(fluidRows_), 0.f);
  parallelFor(exec, "position-based: diagonal", fluidRows_,
              ConstraintDiagonal{lists.T.data(), lists.c2r2.data(), invRho_.data(), float(1 / rho0_), fluidDiag_.data()});
}

void PositionBasedSystem::sumPushes() {
  nodePush_.assign(std::size_t(nodes_), 0.0);
  rigidPush_.assign(rigidInvMass_.size(), 0.0);
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const SlotBinding& b = slots_[s];
    for (int q = 0; q < 3; ++q)
      if (b.node[q] >= 0) nodePush_[b.node[q]] += double(push_[s]) * b.b[q];
    if (b.rigid < 0) continue;
    const Vec3d rn = cross(Vec3d(b.arm), Vec3d(b.n));
    rigidPush_[b.rigid] += double(push_[s]) * (rigidInvMass_[b.rigid] + dot(rn, rigidInvInertia_[b.rigid] * rn));
  }
}

void PositionBasedSystem::solidsDiagonal(Exec& exec) {
  if (frozen_) return PressureSystem::solidsDiagonal(exec);
  sumPushes();
  parallelFor(
      exec, "position-based: solids' diagonal", near_,
      SharedSlotDiagonal{view_, slots_.data(), push_, nodePush_.data(), nodeW_.data(), rigidPush_.data(), V_, fluidDiag_.data()});
  fluidDiagRigid_ = fluidDiag_;  // nothing else is solved with these
}

// The density is constrained at the end of the step, as it will be, not by a share of the error at its start.
void PositionBasedSystem::setRightHandSide(Exec& exec, View<const Vec4f> uStar, const Buffer<Vec3d>& nodeVelocity,
                                           const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular,
                                           View<const float> density, double dt) {
  uStar_ = uStar;
  PressureSystem::setRightHandSide(exec, uStar, nodeVelocity, rigidLinear, rigidAngular, frozen_ ? density : View<const float>{},
                                   dt);
}

// Once a sub-step: the gradients and distances that it is made of are those of the start.
void PositionBasedSystem::addExplicitForces(Exec& exec, View<const Vec4f> u, double dt, View<Vec4f> uStar) {
  const SolverDef& s = world_->scene.solver;
  if (s.tensileCorrection == 0) return;
  const double strength = s.tensileCorrection / (dt * (1 + s.constraintRelaxation) * latticeDiagonal());
  parallelFor(exec, "tensile correction", u.n, TensileCorrection{view_, kernel_.invH, invRho_.data(), float(strength), uStar.data});
}

// C of every particle after the sub-step under the pressures and multipliers so far.
void PositionBasedSystem::constraintErrors(Exec& exec, bool accelerated) {
  if (accelerated) {
    packPressure(exec, p_);
    transposePass(exec, p_, false);
  }
  parallelBlocks(exec, "position-based: ways", fluidRows_,
                 Ways{view_, packedLinks_.rows(), accelerated ? b_.data() : nullptr, uStar_.data, g_.data(), nu_.data(),
                      rhs_.data(), linkSum_.data(), surfaceDivergence_.data() + 1, float(dt_), s_.data(), Ds_.data()});
  parallelFor(exec, "position-based: density", fluidRows_,
              PredictedDensity{view_, kernel_, float(V_), float(cW_), density_, Ds_.data(), s_.data(), error_.data()});
}

SolveReport PositionBasedSystem::solve(Exec& exec, double tolerance, int maxIterations) {
  if (frozen_) return PressureSystem::solve(exec, tolerance, maxIterations);
  const SolverDef& s = world_->scene.solver;
  for (auto* b : {&Ds_, &error_}) b->resizeUninitialized(std::size_t(fluidRows_));
  s_.resizeUninitialized(std::size_t(fluidRows_));
  if (fluidRows_ > 0) std::memset(p_.data(), 0, std::size_t(fluidRows_) * sizeof(float));
  const DensityMultiplier multiplier{error_.data(),
                                     fluidDiag_.data(),
                                     world_->fluid.deficiency.data(),
                                     float(s.constraintRelaxation * latticeDiagonal()),
                                     float(1 / (dt_ * dt_)),
                                     s.clampSeparation ? kFullKernel : std::numeric_limits<float>::infinity(),
                                     p_.data()};
  SolveReport report{0, 0, true};
  for (int k = 0; k < s.densityIterations; ++k) {
    constraintErrors(exec, k > 0 || hasConstraints());
    parallelFor(exec, "position-based: multipliers", fluidRows_, multiplier);
    ++report.iterations;
    if (!hasConstraints()) continue;
    const SolveReport solids = solveConstraints(exec, tolerance, maxIterations);
    report.iterations += solids.iterations;
    report.residual = solids.residual;
    report.converged = solids.converged;
  }
  return report;
}

std::size_t PositionBasedSystem::bytes() const {
  return GivenPressureSystem::bytes() + nodePush_.capacityBytes() + rigidPush_.capacityBytes() + Ds_.capacityBytes() +
         error_.capacityBytes() + s_.capacityBytes();
}

}  // namespace meniscus

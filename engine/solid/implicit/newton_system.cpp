#include "engine/solid/implicit/newton_system.h"

#include "engine/base/stop.h"
#include "engine/linear/fused_conjugate_gradient.h"

namespace meniscus::implicit {
namespace {

// Measured on tetrahedra: from here on a factor costs more than the iterations that it saves.
constexpr Eigen::Index kLargeFactor = 500000;

// Newton's method still gains four digits a step; more iterations than this are dearer than a factor.
constexpr FusedControl kIterations{1e-4, 15};

// What fusedConjugateGradient asks of a system.
template <class Factor>
struct Preconditioned {
  const SparseMatrix& a;
  const Factor& factor;
  Vector b, x, r, z, d, q;

  double rightSideNorm2() const { return b.squaredNorm(); }
  double begin() {
    r = b;
    if (!x.isZero(0)) r -= a * x;
    return r.squaredNorm();
  }
  double precondition() {
    stopIfAsked();
    z = factor.solve(r);
    return r.dot(z);
  }
  double direct(double beta) {
    d = beta == 0 ? z : Vector(z + beta * d);
    q.noalias() = a * d;
    return d.dot(q);
  }
  double advance(double alpha) {
    x += alpha * d;
    r -= alpha * q;
    return r.squaredNorm();
  }
  void clear() { x.setZero(); }
};

}  // namespace

void NewtonSystem::setPattern(const SparseMatrix& pattern) {
  factor_.analyzePattern(pattern);
  if (isLarge()) start_.analyzePattern(pattern);
}

bool NewtonSystem::isLarge() const { return factor_.entries() > kLargeFactor; }

bool NewtonSystem::prepare(const SparseMatrix& a) {
  start_.factorize(a);
  return start_.info() == Eigen::Success && start_.vectorD().minCoeff() > 0;
}

bool NewtonSystem::factorise(const SparseMatrix& a) {
  newest_ = &start_;
  factor_.factorize(a);
  if (factor_.info() != Eigen::Success) return false;
  if (!(factor_.vectorD().minCoeff() > 0)) return false;
  newest_ = &factor_;
  return true;
}

bool NewtonSystem::solve(const SparseMatrix& a, const Vector& g, Vector& d) {
  if (isLarge()) {
    Preconditioned<Factor> system{a, *newest_, -g, Vector::Zero(g.size()), {}, {}, {}, {}};
    const FusedReport report = fusedConjugateGradient(system, kIterations);
    d = system.x;
    if (report.converged) return d.allFinite();
    if (report.iterations < kIterations.maxIterations) return false;  // a direction without curvature
  }
  if (!factorise(a)) return false;
  d = factor_.solve(-g);
  return d.allFinite();
}

bool NewtonSystem::solveByFactor(const SparseMatrix& a, const Vector& g, Vector& d) {
  factorise(a);
  if (factor_.info() != Eigen::Success) return false;
  d = factor_.solve(-g);
  return d.allFinite();
}

}  // namespace meniscus::implicit

// Based on: Paige & Saunders, Solution of sparse indefinite systems of linear equations, 1975; preconditioned as in Elman,
// Silvester & Wathen, Finite elements and fast iterative solvers, 2005, algorithm 6.1. For symmetric A, definite or not, and also
// singular ones with right-hand sides in their range; the preconditioner is symmetric positive definite.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/linear/krylov.h"

namespace meniscus {
namespace linear {

// What the rotations of the tridiagonal matrix carry from one iteration to the next.
struct MinresRotations {
  double gamma = 0, gammaOld = 1;  // norms of the Lanczos vectors in the norm of M^-1
  double eta = 0;                  // norm of the residual, with a sign
  double c = 1, cOld = 1, s = 0, sOld = 0;
};

// One iteration; false where the Krylov space has no further direction. w.r, w.shadow: the Lanczos vectors of this iteration and of
// the one before; w.z = M^-1 w.r; w.d, w.t: the directions of x likewise.
template <class Operator, class T>
bool minresIteration(Operator& A, Buffer<T>& x, KrylovWork<T>& w, MinresRotations& k) {
  KrylovVectors<T>& v = A.vectors();
  // delta = z . A z of the normalised z
  A.apply(w.z, w.q);
  const double delta = v.dot(w.z, w.q) / (k.gamma * k.gamma);
  // next Lanczos vector = A z - delta / gamma v - gamma / gamma_old v_old, and w.q = the z of this iteration
  v.combine(1 / k.gamma, w.q, -delta / k.gamma, w.r, -k.gamma / k.gammaOld, w.shadow);
  std::swap(w.r, w.shadow);
  std::swap(w.q, w.z);
  const double next = std::sqrt(std::max(0.0, A.precondition(w.r, w.z)));  // round-off may leave less than nothing
  // the new column of the triangular factor
  const double a0 = k.c * delta - k.cOld * k.s * k.gamma, a1 = std::hypot(a0, next);
  const double a2 = k.s * delta + k.cOld * k.c * k.gamma, a3 = k.sOld * k.gamma;
  if (!(a1 > 0) || !std::isfinite(a1)) return false;
  k.cOld = std::exchange(k.c, a0 / a1);
  k.sOld = std::exchange(k.s, next / a1);
  // direction = (z - a3 direction_oldest - a2 direction) / a1
  v.combine(1 / (k.gamma * a1), w.q, -a2 / a1, w.d, -a3 / a1, w.t);
  std::swap(w.d, w.t);
  // x += c eta direction
  v.axpy(k.c * k.eta, w.d, x);
  k.eta *= -k.s;
  k.gammaOld = std::exchange(k.gamma, next);
  return next > 0;
}

}  // namespace linear

// Solves A x = b from the x given. The residual of the report is computed anew from x: the loop begins again from x where the one
// that it carries along has lost the way, as long as that halves the residual. Memory traffic of an iteration beside one product
// and one preconditioning: 2 n values (z . A z), 4 n (Lanczos vector), 4 n (direction), 3 n (solution).
template <class Operator, class T = typename Operator::Value>
KrylovReport minres(Operator& A, const Buffer<T>& b, Buffer<T>& x, KrylovWork<T>& w, const KrylovControl& control) {
  KrylovVectors<T>& v = A.vectors();
  for (auto* a : {&w.r, &w.q, &w.z}) v.prepare(*a);
  KrylovReport report;
  const double b2 = A.precondition(b, w.z);
  if (!(b2 > 0)) {
    v.zero(x);
    report.converged = b2 == 0;
    return report;
  }
  for (double before = 0;; before = report.residual) {
    // r = b - A x
    A.apply(x, w.q);
    v.subtract(b, w.q, w.r);
    const double r2 = A.precondition(w.r, w.z);
    report.residual = std::sqrt(r2 / b2);
    report.converged = report.residual <= control.tolerance;
    if (report.converged || report.iterations >= control.maxIterations || !std::isfinite(r2)) return report;
    if (before > 0 && !(report.residual < 0.5 * before)) return report;
    for (auto* a : {&w.shadow, &w.d, &w.t}) v.zero(*a);
    linear::MinresRotations k;
    k.gamma = k.eta = std::sqrt(r2);
    bool more = true;
    while (more && report.iterations < control.maxIterations && std::fabs(k.eta) > control.tolerance * std::sqrt(b2)) {
      more = linear::minresIteration(A, x, w, k);
      ++report.iterations;
    }
  }
}

}  // namespace meniscus

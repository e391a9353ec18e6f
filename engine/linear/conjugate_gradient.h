// Based on: Hestenes & Stiefel, Methods of conjugate gradients for solving linear systems, 1952; with a preconditioner.
// For symmetric positive (semi-)definite A and right-hand sides in its range.
#pragma once

#include <cmath>

#include "engine/linear/krylov.h"

namespace meniscus {

// Solves A x = b from the x given. Memory traffic of an iteration beside one product and one preconditioning: 2 n values (d . q),
// 6 n (two updates), 3 n (direction).
template <class Operator, class T = typename Operator::Value>
KrylovReport conjugateGradient(Operator& A, const Buffer<T>& b, Buffer<T>& x, KrylovWork<T>& w, const KrylovControl& control) {
  KrylovVectors<T>& v = A.vectors();
  Buffer<T>&r = w.r, &d = w.d, &q = w.q, &z = w.z;
  for (auto* a : {&r, &d, &q, &z}) v.prepare(*a);
  KrylovReport report;
  const double b2 = A.precondition(b, z);
  if (!(b2 > 0)) {
    v.zero(x);
    report.converged = b2 == 0;
    return report;
  }
  // r = b - A x
  A.apply(x, q);
  v.subtract(b, q, r);
  double rzOld = 0;
  for (;;) {
    // z = M^-1 r, rz = r . z
    const double rz = A.precondition(r, z);
    report.residual = std::sqrt(rz / b2);
    report.converged = report.residual <= control.tolerance;
    if (report.converged || report.iterations >= control.maxIterations || !std::isfinite(rz)) return report;
    // d = z + (rz / rz_old) d
    if (report.iterations == 0)
      d = z;
    else
      v.xpay(z, rz / rzOld, d);
    // q = A d
    A.apply(d, q);
    // alpha = rz / (d . q); a direction without curvature lies in the kernel of A: nothing is left that A could reach
    const double dq = v.dot(d, q);
    if (!(dq > 0)) return report;
    const double alpha = rz / dq;
    // x += alpha d
    v.axpy(alpha, d, x);
    // r -= alpha q
    v.axpy(-alpha, q, r);
    rzOld = rz;
    ++report.iterations;
  }
}

}  // namespace meniscus

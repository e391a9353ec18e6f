// Based on: van der Vorst, Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG for the solution of nonsymmetric linear
// systems, 1992; preconditioned from the right, restarted where a product it divides by vanishes.
#pragma once

#include <cmath>

#include "engine/linear/krylov.h"

namespace meniscus {

// Solves A x = b from the x given. Memory traffic of an iteration beside two products and three preconditionings (the third for the
// residual's norm): 4 n values (dots with the shadow), 6 n (direction), 6 n (two half residuals), 2 n (t . s, t . t), 4 n
// (solution).
template <class Operator, class T = typename Operator::Value>
KrylovReport bicgstab(Operator& A, const Buffer<T>& b, Buffer<T>& x, KrylovWork<T>& w, const KrylovControl& control) {
  KrylovVectors<T>& v = A.vectors();
  Buffer<T>&r = w.r, &shadow = w.shadow, &p = w.d, &Ap = w.q, &hat = w.z, &t = w.t;
  for (auto* a : {&r, &shadow, &p, &Ap, &hat, &t}) v.prepare(*a);
  KrylovReport report;
  const double b2 = A.precondition(b, hat);
  if (!(b2 > 0)) {
    v.zero(x);
    report.converged = b2 == 0;
    return report;
  }
  const auto done = [&](double r2) {
    report.residual = std::sqrt(r2 / b2);
    report.converged = report.residual <= control.tolerance;
    return report.converged || report.iterations >= control.maxIterations || !std::isfinite(r2);
  };
  // r = b - A x
  A.apply(x, t);
  v.subtract(b, t, r);
  if (done(A.precondition(r, hat))) return report;
  bool fresh = true;
  double rho = 1, alpha = 1, omega = 1;
  for (;;) {
    // rho = shadow . r
    double rhoNew = fresh ? 0 : v.dot(shadow, r);
    // the shadow has become orthogonal to the residual: begin again from here
    if (fresh || std::fabs(rhoNew) < 1e-30 * std::fabs(rho) || !std::isfinite(rhoNew)) {
      shadow = r;
      p = r;
      rhoNew = v.dot(r, r);
    } else {
      // p = r + beta (p - omega A p),  beta = (rho_new / rho) (alpha / omega)
      const double beta = (rhoNew / rho) * (alpha / omega);
      v.axpy(-omega, Ap, p);
      v.xpay(r, beta, p);
    }
    const bool wasFresh = fresh;
    fresh = false;
    rho = rhoNew;
    // p^ = M^-1 p,  Ap = A p^
    A.precondition(p, hat);
    A.apply(hat, Ap);
    // alpha = rho / (shadow . A p)
    const double sAp = v.dot(shadow, Ap);
    if (sAp == 0 || !std::isfinite(sAp)) {
      if (wasFresh) return report;
      fresh = true;
      continue;
    }
    alpha = rho / sAp;
    // x += alpha p^,  s = r - alpha A p
    v.axpy(alpha, hat, x);
    v.axpy(-alpha, Ap, r);
    ++report.iterations;
    // s^ = M^-1 s
    if (done(A.precondition(r, hat))) return report;
    // t = A s^
    A.apply(hat, t);
    // omega = (t . s) / (t . t)
    double ts, tt;
    v.dotPair(t, r, ts, tt);
    omega = tt > 0 ? ts / tt : 0;
    // x += omega s^,  r = s - omega t
    v.axpy(omega, hat, x);
    v.axpy(-omega, t, r);
    if (done(A.precondition(r, hat))) return report;
    fresh = omega == 0;
  }
}

}  // namespace meniscus

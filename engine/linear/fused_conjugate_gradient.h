// Conjugate gradients whose vector updates are done together by the system, where a pass over memory costs more than the sums in
// it. Based on: Hestenes & Stiefel, Methods of conjugate gradients for solving linear systems, 1952; with a preconditioner.
#pragma once

#include <cmath>

namespace meniscus {

struct FusedControl {
  double tolerance = 1e-6;  // of |r| / |b|, Euclidean norms
  int maxIterations = 200;
};

struct FusedReport {
  int iterations = 0;
  double residual = 0;  // |r| / |b| at the end, of the residual that the iteration carries along
  bool converged = false;
};

// A system holds x, b, r, d, q and a preconditioner M, and does
//   double begin()                  r = b - A x; returns r . r
//   double rightSideNorm2()         b . b
//   double precondition()           z = M^-1 r; returns r . z
//   double direct(double beta)      d = z + beta d, q = A d; returns d . q
//   double advance(double alpha)    x += alpha d, r -= alpha q; returns r . r
//   void clear()                    x = 0
template <class System>
FusedReport fusedConjugateGradient(System& s, const FusedControl& control) {
  FusedReport report;
  const double b2 = s.rightSideNorm2();
  if (!(b2 > 0)) {
    s.clear();
    report.converged = b2 == 0;
    return report;
  }
  double r2 = s.begin(), rzOld = 0;
  for (;;) {
    report.residual = std::sqrt(r2 / b2);
    report.converged = report.residual <= control.tolerance;
    if (report.converged || report.iterations >= control.maxIterations || !std::isfinite(r2)) return report;
    // z = M^-1 r, rz = r . z
    const double rz = s.precondition();
    // d = z + (rz / rz_old) d, q = A d
    const double dq = s.direct(report.iterations == 0 ? 0 : rz / rzOld);
    // a direction without curvature lies in the kernel of A: nothing is left that A could reach
    if (!(dq > 0) || !(rz > 0)) return report;
    // x += alpha d, r -= alpha q
    r2 = s.advance(rz / dq);
    rzOld = rz;
    ++report.iterations;
  }
}

}  // namespace meniscus

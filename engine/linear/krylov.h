// What the Krylov loops share: when to stop, how it ended, working vectors, and the vector algebra on CPU threads.
//
// A loop takes an operator `A` with
//   using Value = float or double
//   void apply(const Buffer<Value>& x, Buffer<Value>& y)          y = A x
//   double precondition(const Buffer<Value>& r, Buffer<Value>& z) z = M^-1 r, returns r . z; M symmetric positive definite
//   KrylovVectors<Value>& vectors()                               the algebra below
// and measures residuals in the norm of M^-1, relative to the right-hand side.
#pragma once

#include "engine/exec/exec.h"

namespace meniscus {

struct KrylovControl {
  double tolerance = 1e-6;  // relative
  int maxIterations = 1000;
};

struct KrylovReport {
  int iterations = 0;
  double residual = 0;  // relative, in the norm of the preconditioner's inverse
  bool converged = false;
};

namespace linear {

template <class T>
struct Dot {
  const T *a, *b;
  void operator()(Index i, double* acc) const { acc[0] += double(a[i]) * b[i]; }
};
template <class T>
struct DotPair {  // a . b and a . a
  const T *a, *b;
  void operator()(Index i, double* acc) const {
    acc[0] += double(a[i]) * b[i];
    acc[1] += double(a[i]) * a[i];
  }
};
template <class T>
struct Axpy {
  T alpha;
  const T* x;
  T* y;
  void operator()(Index i) const { y[i] += alpha * x[i]; }
};
template <class T>
struct Xpay {
  const T* x;
  T beta;
  T* y;
  void operator()(Index i) const { y[i] = x[i] + beta * y[i]; }
};
template <class T>
struct Combine {
  double a, b, c;
  const T *x, *y;
  T* z;
  void operator()(Index i) const { z[i] = T(a * x[i] + b * y[i] + c * z[i]); }
};
template <class T>
struct Subtract {
  const T *a, *b;
  T* c;
  void operator()(Index i) const { c[i] = a[i] - b[i]; }
};

}  // namespace linear

// Sums in fixed blocks and in double: the same bits for any number of threads.
template <class T>
class KrylovVectors {
 public:
  using Vector = Buffer<T>;
  KrylovVectors(Exec& exec, Index n) : exec_(exec), n_(n) {}
  Index size() const { return n_; }
  void prepare(Vector& a) const { a.resizeUninitialized(std::size_t(n_)); }
  void zero(Vector& a) const { a.assign(std::size_t(n_), T(0)); }
  // a . b
  double dot(const Vector& a, const Vector& b) {
    double s[1];
    parallelSum<1>(exec_, "krylov: dot", n_, linear::Dot<T>{a.data(), b.data()}, s);
    return s[0];
  }
  // a . b and a . a
  void dotPair(const Vector& a, const Vector& b, double& ab, double& aa) {
    double s[2];
    parallelSum<2>(exec_, "krylov: dots", n_, linear::DotPair<T>{a.data(), b.data()}, s);
    ab = s[0];
    aa = s[1];
  }
  // y += alpha x
  void axpy(double alpha, const Vector& x, Vector& y) {
    parallelFor(exec_, "krylov: axpy", n_, linear::Axpy<T>{T(alpha), x.data(), y.data()});
  }
  // y = x + beta y
  void xpay(const Vector& x, double beta, Vector& y) {
    parallelFor(exec_, "krylov: direction", n_, linear::Xpay<T>{x.data(), T(beta), y.data()});
  }
  // z = a x + b y + c z
  void combine(double a, const Vector& x, double b, const Vector& y, double c, Vector& z) {
    parallelFor(exec_, "krylov: combination", n_, linear::Combine<T>{a, b, c, x.data(), y.data(), z.data()});
  }
  // c = a - b
  void subtract(const Vector& a, const Vector& b, Vector& c) {
    parallelFor(exec_, "krylov: residual", n_, linear::Subtract<T>{a.data(), b.data(), c.data()});
  }

 private:
  Exec& exec_;
  Index n_;
};

// Kept by the caller, so that steady solves allocate nothing.
template <class T>
struct KrylovWork {
  Buffer<T> r, shadow, d, q, z, t;
};

}  // namespace meniscus

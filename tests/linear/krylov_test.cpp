// The Krylov loops against dense elimination in double.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "engine/linear/bicgstab.h"
#include "engine/linear/conjugate_gradient.h"
#include "engine/scene/scene.h"

namespace meniscus {
namespace {

const int kSizes[] = {0, 1, 2, 33, 597};

struct Dense {
  int n;
  std::vector<double> a;
  double& operator()(int i, int j) { return a[std::size_t(i) * n + j]; }
  double operator()(int i, int j) const { return a[std::size_t(i) * n + j]; }
};

// Diagonally dominant with entries in [-1, 1]: well posed at any size. Symmetric ones are then positive definite.
Dense randomMatrix(int n, bool symmetric, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<double> U(-1, 1);
  Dense m{n, std::vector<double>(std::size_t(n) * n)};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m(i, j) = symmetric && j < i ? m(j, i) : U(rng);
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += j == i ? 0 : std::fabs(m(i, j));
    m(i, i) = sum * (1.05 + 0.5 * (U(rng) + 1)) + 1;
  }
  return m;
}

// Gaussian elimination with partial pivoting.
std::vector<double> solveDense(Dense m, std::vector<double> b) {
  const int n = m.n;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::fabs(m(i, k)) > std::fabs(m(pivot, k))) pivot = i;
    for (int j = k; j < n; ++j) std::swap(m(k, j), m(pivot, j));
    std::swap(b[k], b[pivot]);
    for (int i = k + 1; i < n; ++i) {
      const double f = m(i, k) / m(k, k);
      for (int j = k; j < n; ++j) m(i, j) -= f * m(k, j);
      b[i] -= f * b[k];
    }
  }
  for (int i = n; i-- > 0;) {
    for (int j = i + 1; j < n; ++j) b[i] -= m(i, j) * b[j];
    b[i] /= m(i, i);
  }
  return b;
}

template <class T>
class DenseOperator {
 public:
  using Value = T;
  DenseOperator(Exec& exec, const Dense& m) : m_(m), v_(exec, m.n) {}
  KrylovVectors<T>& vectors() { return v_; }
  void apply(const Buffer<T>& x, Buffer<T>& y) {
    ++products;
    for (int i = 0; i < m_.n; ++i) {
      double s = 0;
      for (int j = 0; j < m_.n; ++j) s += m_(i, j) * x[j];
      y[i] = T(s);
    }
  }
  double precondition(const Buffer<T>& r, Buffer<T>& z) {
    for (int i = 0; i < m_.n; ++i) z[i] = T(r[i] / m_(i, i));
    return v_.dot(r, z);
  }
  int products = 0;

 private:
  const Dense& m_;
  KrylovVectors<T> v_;
};

struct Problem {
  Dense m;
  std::vector<double> b, exact;
};

Problem problem(int n, bool symmetric) {
  Problem p{randomMatrix(n, symmetric, unsigned(n) + 11), {}, {}};
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> U(-1, 1);
  for (int i = 0; i < n; ++i) p.b.push_back(U(rng));
  p.exact = solveDense(p.m, p.b);
  return p;
}

template <class T>
KrylovReport solve(Exec& exec, const Problem& p, KrylovMethod method, double tolerance, Buffer<T>& x) {
  DenseOperator<T> A(exec, p.m);
  Buffer<T> b(p.b.size());
  for (std::size_t i = 0; i < p.b.size(); ++i) b[i] = T(p.b[i]);
  KrylovWork<T> work;
  const KrylovControl control{tolerance, 1000};
  const KrylovReport r =
      method == KrylovMethod::bicgstab ? bicgstab(A, b, x, work, control) : conjugateGradient(A, b, x, work, control);
  EXPECT_LE(A.products, (method == KrylovMethod::bicgstab ? 2 : 1) * r.iterations + 1);
  return r;
}

template <class T>
void expectSolution(const Problem& p, KrylovMethod method, double tolerance, double limit) {
  Exec exec(2);
  for (const double start : {0.0, 3.0}) {
    Buffer<T> x(p.b.size());
    for (auto& v : x) v = T(start);
    const KrylovReport r = solve(exec, p, method, tolerance, x);
    EXPECT_TRUE(r.converged) << "n " << p.m.n;
    EXPECT_LE(r.residual, tolerance);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < p.b.size(); ++i) {
      error = std::max(error, std::fabs(double(x[i]) - p.exact[i]));
      size = std::max(size, std::fabs(p.exact[i]));
    }
    EXPECT_LE(error, limit * size) << "n " << p.m.n << ", start " << start << ", iterations " << r.iterations;
  }
}

// A relative residual of 1e-13 with these condition numbers (below 100) gives the solution to 1e-10; in single, 1e-5 gives 1e-3.
TEST(Krylov, ConjugateGradientsAgainstElimination) {
  for (const int n : kSizes) {
    expectSolution<double>(problem(n, true), KrylovMethod::conjugateGradients, 1e-13, 1e-10);
    expectSolution<float>(problem(n, true), KrylovMethod::conjugateGradients, 1e-5, 1e-3);
  }
}

TEST(Krylov, BicgstabAgainstElimination) {
  for (const int n : kSizes)
    for (const bool symmetric : {true, false}) {
      expectSolution<double>(problem(n, symmetric), KrylovMethod::bicgstab, 1e-13, 1e-10);
      expectSolution<float>(problem(n, symmetric), KrylovMethod::bicgstab, 1e-5, 1e-3);
    }
}

// Finite termination: n steps of conjugate gradients, n of BiCGSTAB, solve an n x n system exactly, here with three distinct
// eigenvalues of the preconditioned matrix: three steps.
TEST(Krylov, StopsAfterAsManyStepsAsDistinctEigenvalues) {
  const int n = 33;
  Problem p = problem(n, true);
  for (auto& v : p.m.a) v = 0;
  // 2x2 blocks [1 c; c 1] with c = 0 or 0.5: eigenvalues 1, 0.5, 1.5
  for (int i = 0; i < n; ++i) p.m(i, i) = 1;
  for (int i = 0; i + 1 < n; i += 4) p.m(i, i + 1) = p.m(i + 1, i) = 0.5;
  p.exact = solveDense(p.m, p.b);
  Exec exec(1);
  for (const KrylovMethod method : {KrylovMethod::conjugateGradients, KrylovMethod::bicgstab}) {
    Buffer<double> x(n);
    const KrylovReport r = solve(exec, p, method, 1e-12, x);
    EXPECT_TRUE(r.converged);
    EXPECT_LE(r.iterations, 3);
  }
}

// The right-hand side zero has the solution zero, whatever the start.
TEST(Krylov, ZeroRightHandSide) {
  Problem p = problem(33, true);
  for (auto& b : p.b) b = 0;
  Exec exec(1);
  for (const KrylovMethod method : {KrylovMethod::conjugateGradients, KrylovMethod::bicgstab}) {
    Buffer<float> x(33);
    for (auto& v : x) v = 7.f;
    const KrylovReport r = solve(exec, p, method, 1e-6, x);
    EXPECT_TRUE(r.converged);
    EXPECT_EQ(r.iterations, 0);
    for (const float v : x) EXPECT_EQ(v, 0.f);
  }
}

// A singular system (the Laplacian of a closed ring) with a right-hand side in its range: solved up to a constant.
TEST(Krylov, SingularConsistentSystem) {
  const int n = 33;
  Problem p = problem(n, true);
  for (auto& v : p.m.a) v = 0;
  double mean = 0;
  for (const double b : p.b) mean += b / n;
  for (int i = 0; i < n; ++i) {
    p.m(i, i) = 2;
    p.m(i, (i + 1) % n) = p.m(i, (i + n - 1) % n) = -1;
    p.b[i] -= mean;
  }
  Exec exec(1);
  for (const KrylovMethod method : {KrylovMethod::conjugateGradients, KrylovMethod::bicgstab}) {
    Buffer<double> x(n);
    EXPECT_TRUE(solve(exec, p, method, 1e-10, x).converged);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(2 * x[i] - x[(i + 1) % n] - x[(i + n - 1) % n], p.b[i], 1e-8);
  }
}

// Not-a-number in the matrix ends the loop and is reported as not converged; so does an iteration limit.
TEST(Krylov, FailuresAreReported) {
  Exec exec(1);
  for (const KrylovMethod method : {KrylovMethod::conjugateGradients, KrylovMethod::bicgstab}) {
    Problem p = problem(33, true);
    Buffer<double> x(33);
    DenseOperator<double> A(exec, p.m);
    Buffer<double> b(33);
    for (int i = 0; i < 33; ++i) b[i] = p.b[i];
    KrylovWork<double> work;
    const auto run = [&](const KrylovControl& c) {
      return method == KrylovMethod::bicgstab ? bicgstab(A, b, x, work, c) : conjugateGradient(A, b, x, work, c);
    };
    const KrylovReport limited = run({1e-14, 1});
    EXPECT_FALSE(limited.converged);
    EXPECT_EQ(limited.iterations, 1);
    p.m(3, 4) = std::nan("");
    EXPECT_FALSE(run({1e-10, 100}).converged);
  }
}

// The same bits with 1, 2, 3 and 4 threads, over several blocks of 512.
TEST(Krylov, ThreadsDoNotChangeTheBits) {
  const Problem p = problem(597, false), s = problem(597, true);
  for (const KrylovMethod method : {KrylovMethod::conjugateGradients, KrylovMethod::bicgstab}) {
    Buffer<float> first(597);
    Exec one(1);
    const Problem& q = method == KrylovMethod::bicgstab ? p : s;
    solve(one, q, method, 1e-5, first);
    for (int threads = 2; threads <= 4; ++threads) {
      Exec exec(threads);
      Buffer<float> x(597);
      solve(exec, q, method, 1e-5, x);
      EXPECT_EQ(0, std::memcmp(x.data(), first.data(), 597 * sizeof(float)));
    }
  }
}

}  // namespace
}  // namespace meniscus

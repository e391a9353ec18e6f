// The fused loop on dense systems, with a diagonal preconditioner.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "engine/linear/fused_conjugate_gradient.h"

namespace meniscus {
namespace {

struct DenseSpd {
  std::size_t n;
  std::vector<double> A, x, b, r, z, d, q;

  // diagonally dominant, couplings in [-1, 1]
  explicit DenseSpd(std::size_t size) : n(size), A(n * n), x(n), b(n), r(n), z(n), d(n), q(n) {
    std::mt19937 rng(unsigned(7 + n));
    std::uniform_real_distribution<double> U(-1, 1);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) A[i * n + j] = A[j * n + i] = U(rng);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) A[i * n + i] += j == i ? 0.1 : std::fabs(A[i * n + j]);
      b[i] = U(rng);
    }
  }
  static double dot(const std::vector<double>& u, const std::vector<double>& v) {
    double s = 0;
    for (std::size_t i = 0; i < u.size(); ++i) s += u[i] * v[i];
    return s;
  }
  void multiply(const std::vector<double>& from, std::vector<double>& to) const {
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = 0;
      for (std::size_t j = 0; j < n; ++j) to[i] += A[i * n + j] * from[j];
    }
  }
  double rightSideNorm2() { return dot(b, b); }
  double begin() {
    multiply(x, r);
    for (std::size_t i = 0; i < n; ++i) r[i] = b[i] - r[i];
    return dot(r, r);
  }
  double precondition() {
    for (std::size_t i = 0; i < n; ++i) z[i] = r[i] / A[i * n + i];
    return dot(r, z);
  }
  double direct(double beta) {
    for (std::size_t i = 0; i < n; ++i) d[i] = z[i] + beta * d[i];
    multiply(d, q);
    return dot(d, q);
  }
  double advance(double alpha) {
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += alpha * d[i];
      r[i] -= alpha * q[i];
    }
    return dot(r, r);
  }
  void clear() { x.assign(n, 0); }
};

TEST(FusedConjugateGradient, SolvesDenseSystems) {
  for (const std::size_t n : {0, 1, 2, 33, 120}) {
    SCOPED_TRACE(n);
    DenseSpd s(n);
    const FusedReport report = fusedConjugateGradient(s, {1e-12, 500});
    EXPECT_TRUE(report.converged);
    // in exact arithmetic it ends after n iterations
    EXPECT_LE(report.iterations, int(n) + 5);
    EXPECT_LE(std::sqrt(s.begin()), 2e-12 * std::sqrt(s.rightSideNorm2()));
  }
}

TEST(FusedConjugateGradient, StartsFromWhatItIsGiven) {
  DenseSpd s(50);
  const int cold = fusedConjugateGradient(s, {1e-10, 500}).iterations;
  EXPECT_GT(cold, 5);
  EXPECT_EQ(fusedConjugateGradient(s, {1e-9, 500}).iterations, 0);
  // no right side: the solution is zero
  s.b.assign(50, 0);
  EXPECT_TRUE(fusedConjugateGradient(s, {1e-9, 500}).converged);
  EXPECT_EQ(s.x, std::vector<double>(50, 0));
}

TEST(FusedConjugateGradient, SaysWhereItDidNotConverge) {
  DenseSpd s(60);
  FusedReport report = fusedConjugateGradient(s, {1e-12, 3});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_NEAR(report.residual, std::sqrt(s.begin() / s.rightSideNorm2()), 1e-12);
  // no curvature along the first direction: nothing is done
  DenseSpd flat(4);
  flat.A.assign(16, 0);
  for (std::size_t i = 0; i < 4; ++i) flat.A[i * 4 + i] = 1;
  flat.A[1] = flat.A[4] = -2;
  flat.b = {1, 1, 0, 0};
  report = fusedConjugateGradient(flat, {1e-12, 10});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(flat.x, std::vector<double>(4, 0));
}

}  // namespace
}  // namespace meniscus

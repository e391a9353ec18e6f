// MINRES against dense solves: indefinite, saddle-point and singular systems, and the property that it is named after.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstring>
#include <random>

#include "engine/linear/minres.h"

namespace meniscus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class DenseSystem {
 public:
  using Value = double;
  DenseSystem(Exec& exec, MatrixXd a, MatrixXd inverse)
      : a_(std::move(a)), inverse_(std::move(inverse)), v_(exec, Index(a_.rows())) {}
  KrylovVectors<double>& vectors() { return v_; }
  void apply(const Buffer<double>& x, Buffer<double>& y) { product(a_, x, y); }
  double precondition(const Buffer<double>& r, Buffer<double>& z) {
    product(inverse_, r, z);
    return v_.dot(r, z);
  }
  const MatrixXd& matrix() const { return a_; }
  const MatrixXd& inverse() const { return inverse_; }

 private:
  static void product(const MatrixXd& m, const Buffer<double>& x, Buffer<double>& y) {
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      double s = 0;
      for (Eigen::Index j = 0; j < m.cols(); ++j) s += m(i, j) * x[std::size_t(j)];
      y[std::size_t(i)] = s;
    }
  }
  MatrixXd a_, inverse_;
  KrylovVectors<double> v_;
};

MatrixXd scattered(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  MatrixXd m(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j)
    for (Eigen::Index i = 0; i < rows; ++i) m(i, j) = uniform(random);
  return m;
}

MatrixXd positive(Eigen::Index n, unsigned seed) {
  const MatrixXd m = scattered(n, n, seed);
  return m * m.transpose() + 0.1 * double(n) * MatrixXd::Identity(n, n);
}

Buffer<double> bufferOf(const VectorXd& v) {
  Buffer<double> b(static_cast<std::size_t>(v.size()));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = v[Eigen::Index(i)];
  return b;
}

VectorXd vectorOf(const Buffer<double>& b) {
  VectorXd v(static_cast<Eigen::Index>(b.size()));
  for (std::size_t i = 0; i < b.size(); ++i) v[Eigen::Index(i)] = b[i];
  return v;
}

// [L B; B^T -K] of a coupled fluid and solid, with the inverse of diag(L, K).
DenseSystem saddle(Exec& exec, Eigen::Index fluid, Eigen::Index solid, unsigned seed) {
  MatrixXd a = MatrixXd::Zero(fluid + solid, fluid + solid), m = a;
  m.topLeftCorner(fluid, fluid) = positive(fluid, seed);
  m.bottomRightCorner(solid, solid) = positive(solid, seed + 1);
  a.topLeftCorner(fluid, fluid) = m.topLeftCorner(fluid, fluid);
  a.bottomRightCorner(solid, solid) = -m.bottomRightCorner(solid, solid);
  a.topRightCorner(fluid, solid) = scattered(fluid, solid, seed + 2);
  a.bottomLeftCorner(solid, fluid) = a.topRightCorner(fluid, solid).transpose();
  return {exec, a, m.inverse()};
}

double residualNorm(const DenseSystem& s, const VectorXd& b, const VectorXd& x) {
  const VectorXd r = b - s.matrix() * x;
  return std::sqrt(r.dot(s.inverse() * r) / b.dot(s.inverse() * b));
}

TEST(Minres, SaddlePointsAgainstElimination) {
  Exec exec(2);
  for (const auto& [fluid, solid] : {std::pair(1, 0), std::pair(0, 1), std::pair(1, 1), std::pair(33, 7), std::pair(97, 40)}) {
    DenseSystem s = saddle(exec, fluid, solid, unsigned(fluid));
    const VectorXd b = scattered(fluid + solid, 1, 5), exact = s.matrix().fullPivLu().solve(b);
    for (const double start : {0.0, 3.0}) {
      Buffer<double> x(std::size_t(fluid + solid));
      for (double& v : x) v = start;
      KrylovWork<double> work;
      const KrylovReport r = minres(s, bufferOf(b), x, work, {1e-13, 1000});
      EXPECT_TRUE(r.converged) << fluid << " " << solid << " " << r.residual;
      EXPECT_LT((vectorOf(x) - exact).norm(), 1e-10 * exact.norm());
      EXPECT_NEAR(r.residual, residualNorm(s, b, vectorOf(x)), 1e-15);  // the true one
    }
  }
}

// With B of rank one the preconditioned matrix has four eigenvalues: 1, -1 and +- sqrt(1 + sigma^2).
TEST(Minres, StopsAfterAsManyStepsAsDistinctEigenvalues) {
  Exec exec(1);
  const int fluid = 30, solid = 12, n = fluid + solid;
  MatrixXd a = MatrixXd::Identity(n, n);
  a.bottomRightCorner(solid, solid) *= -1;
  const MatrixXd b = scattered(fluid, 1, 1) * scattered(1, solid, 2);
  a.topRightCorner(fluid, solid) = b;
  a.bottomLeftCorner(solid, fluid) = b.transpose();
  DenseSystem s(exec, a, MatrixXd::Identity(n, n));
  Buffer<double> x(n);
  KrylovWork<double> work;
  const KrylovReport r = minres(s, bufferOf(scattered(n, 1, 3)), x, work, {1e-12, 100});
  EXPECT_TRUE(r.converged);
  EXPECT_LE(r.iterations, 4);
}

// After k steps the residual is the least of all in the Krylov space, in the norm of the preconditioner's inverse.
TEST(Minres, ResidualIsTheLeastOfTheKrylovSpace) {
  Exec exec(1);
  DenseSystem s = saddle(exec, 20, 8, 11);
  const VectorXd b = scattered(28, 1, 4);
  const MatrixXd root = Eigen::LLT<MatrixXd>(s.inverse()).matrixU();
  MatrixXd space(28, 0);
  VectorXd next = s.inverse() * b;
  for (int k = 1; k <= 8; ++k) {
    space.conservativeResize(28, k);
    for (int j = 0; j + 1 < k; ++j) next -= space.col(j).dot(next) * space.col(j);
    space.col(k - 1) = next.normalized();
    const VectorXd best = space * (root * s.matrix() * space).colPivHouseholderQr().solve(root * b);
    Buffer<double> x(28);
    KrylovWork<double> work;
    const KrylovReport r = minres(s, bufferOf(b), x, work, {1e-15, k});
    EXPECT_EQ(r.iterations, k);
    EXPECT_FALSE(r.converged);
    EXPECT_NEAR(r.residual, residualNorm(s, b, best), 1e-10);
    next = s.inverse() * (s.matrix() * space.col(k - 1));
  }
}

// A kernel in the fluid that the solid does not feel, and a right-hand side in the range: solved up to the kernel.
TEST(Minres, SingularConsistentSystem) {
  Exec exec(1);
  for (const unsigned seed : {1U, 2U, 3U}) {
    const DenseSystem whole = saddle(exec, 40, 9, seed);
    VectorXd kernel = VectorXd::Zero(49);
    kernel.head(40).setConstant(1 / std::sqrt(40.0));
    const MatrixXd project = MatrixXd::Identity(49, 49) - kernel * kernel.transpose();
    DenseSystem s(exec, project * whole.matrix() * project, whole.inverse());
    const VectorXd b = project * scattered(49, 1, seed + 9);
    Buffer<double> x(49);
    KrylovWork<double> work;
    const KrylovReport r = minres(s, bufferOf(b), x, work, {1e-12, 400});
    EXPECT_TRUE(r.converged) << r.residual;
    const VectorXd found = project * vectorOf(x), exact = s.matrix().completeOrthogonalDecomposition().solve(b);
    EXPECT_LT((found - exact).norm(), 1e-9 * exact.norm());
    // one outside the range keeps what is outside, and the report says so
    const VectorXd outside = b + kernel;
    KrylovWork<double> other;
    const KrylovReport lost = minres(s, bufferOf(outside), x, other, {1e-10, 400});
    EXPECT_FALSE(lost.converged);
  }
}

TEST(Minres, ZeroRightHandSideAndFailures) {
  Exec exec(1);
  DenseSystem s = saddle(exec, 20, 5, 3);
  Buffer<double> x(25);
  for (double& v : x) v = 7;
  KrylovWork<double> work;
  const KrylovReport zero = minres(s, bufferOf(VectorXd::Zero(25)), x, work, {1e-6, 10});
  EXPECT_TRUE(zero.converged);
  EXPECT_EQ(zero.iterations, 0);
  for (const double v : x) EXPECT_EQ(v, 0);
  const VectorXd b = scattered(25, 1, 8);
  EXPECT_FALSE(minres(s, bufferOf(b), x, work, {1e-14, 2}).converged);
  MatrixXd bad = s.matrix();
  bad(3, 4) = bad(4, 3) = std::nan("");
  DenseSystem broken(exec, bad, s.inverse());
  EXPECT_FALSE(minres(broken, bufferOf(b), x, work, {1e-6, 100}).converged);
}

TEST(Minres, ThreadsDoNotChangeTheBits) {
  Buffer<double> first;
  for (int threads = 1; threads <= 3; ++threads) {
    Exec exec(threads);
    DenseSystem s = saddle(exec, 560, 41, 6);
    Buffer<double> x(601);
    KrylovWork<double> work;
    EXPECT_TRUE(minres(s, bufferOf(scattered(601, 1, 2)), x, work, {1e-10, 300}).converged);
    if (threads == 1)
      first = x;
    else
      EXPECT_EQ(0, std::memcmp(x.data(), first.data(), 601 * sizeof(double)));
  }
}

}  // namespace
}  // namespace meniscus

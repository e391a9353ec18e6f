#include "apps/cli/pressure_baseline.h"

#include "engine/base/error.h"

#ifdef MENISCUS_EIGEN

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <chrono>

namespace meniscus::cli {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
// the order of the grid, for which incomplete Cholesky needs the fewest iterations on such matrices
using Factor = Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::NaturalOrdering<int>>;

double secondsSince(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

// Number of each unknown in the order of the padded array; -1 elsewhere.
Buffer<Index> numberUnknowns(const PressureMatrix<3>& m, Index& n) {
  Buffer<Index> number;
  number.assign(std::size_t(m.layout.size), -1);
  n = 0;
  for (const RowSpan<3>& row : m.rows)
    for (Index i = row.begin; i < row.end; ++i)
      if (m.diagonal[std::size_t(i)] > 0) number[std::size_t(i)] = n++;
  return number;
}

Matrix assemble(const PressureMatrix<3>& m, const Buffer<Index>& number, Index n) {
  Matrix A(n, n);
  A.reserve(Eigen::VectorXi::Constant(n, 7));
  for (Index i = 0; i < m.layout.size; ++i) {
    const Index k = number[std::size_t(i)];
    if (k < 0) continue;
    const auto couple = [&](Index j, double value) {
      if (value > 0) A.insert(number[std::size_t(j)], k) = -value;
    };
    for (std::size_t a = 3; a-- > 0;) couple(i - m.layout.stride[a], m.lower[a][std::size_t(i)]);
    A.insert(k, k) = m.diagonal[std::size_t(i)];
    for (std::size_t a = 0; a < 3; ++a) couple(i + m.layout.stride[a], m.lower[a][std::size_t(i + m.layout.stride[a])]);
  }
  A.makeCompressed();
  return A;
}

}  // namespace

bool haveBaseline() { return true; }

BaselineResult solveWithEigen(const PressureMatrix<3>& m, const Buffer<double>& b, double tolerance, int maxIterations) {
  BaselineResult result;
  auto start = std::chrono::steady_clock::now();
  Index n = 0;
  const Buffer<Index> number = numberUnknowns(m, n);
  const Matrix A = assemble(m, number, n);
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Factor> cg;
  cg.setTolerance(tolerance);
  cg.setMaxIterations(maxIterations);
  cg.compute(A);
  if (cg.info() != Eigen::Success) throw Error(ErrorKind::internal, "bench pressure: Eigen's incomplete Cholesky failed");
  result.setupSeconds = secondsSince(start);
  Eigen::VectorXd right(n);
  for (std::size_t i = 0; i < number.size(); ++i)
    if (number[i] >= 0) right[number[i]] = b[i];
  start = std::chrono::steady_clock::now();
  const Eigen::VectorXd x = cg.solve(right);
  result.solveSeconds = secondsSince(start);
  result.iterations = int(cg.iterations());
  result.residual = (right - A * x).norm() / right.norm();
  const std::size_t entries = std::size_t(A.nonZeros());
  result.bytes = (entries + (entries + std::size_t(n)) / 2) * 12 + std::size_t(n) * 8 * 8;
  return result;
}

}  // namespace meniscus::cli

#else

namespace meniscus::cli {

bool haveBaseline() { return false; }

BaselineResult solveWithEigen(const PressureMatrix<3>&, const Buffer<double>&, double, int) {
  throw Error(ErrorKind::input,
              "bench pressure: this program was built without Eigen; build it where Eigen 3.3 or newer is installed");
}

}  // namespace meniscus::cli

#endif

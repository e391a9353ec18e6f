// What a pressure solve costs with a general library: Eigen's conjugate gradients with incomplete Cholesky.
#pragma once

#include "engine/grid/pressure_matrix.h"

namespace meniscus::cli {

struct BaselineResult {
  int iterations = 0;
  double setupSeconds = 0;  // matrix and factor
  double solveSeconds = 0;
  double residual = 0;    // |b - A x| / |b|
  std::size_t bytes = 0;  // of matrix, factor and vectors
};

// False where the program was built without Eigen.
bool haveBaseline();
// b in the padded layout of the matrix. One thread: Eigen's product could use more, its triangular solves cannot.
BaselineResult solveWithEigen(const PressureMatrix<3>& matrix, const Buffer<double>& b, double tolerance, int maxIterations);

}  // namespace meniscus::cli

#include "engine/coupling/monolithic/region_constants.h"

#include <cmath>

namespace meniscus::coupling {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A force that is this part of `most` is the round-off of sums that cancel.
constexpr double kNoForce = 1e-13;
// Of the correlations of the regions' forces: combinations below it cancel but for round-off.
constexpr double kDependent = 1e-10;

}  // namespace

RegionConstants regionConstants(const MatrixXd& force, const MatrixXd& answer, const VectorXd& most, const VectorXd& cells) {
  const Eigen::Index n = cells.size();
  RegionConstants c{MatrixXd::Zero(n, n), MatrixXd::Zero(n, 0)};
  if (n == 0) return c;
  // scaled to 1 first: one region may be a thousand times as easy to move as another
  VectorXd scale = VectorXd::Zero(n);
  for (Eigen::Index k = 0; k < n; ++k)
    if (force.col(k).norm() > kNoForce * most[k]) scale[k] = 1 / std::sqrt(force.col(k).dot(answer.col(k)));
  const MatrixXd product = scale.asDiagonal() * (force.transpose() * answer) * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (product + product.transpose()));
  for (Eigen::Index k = 0; k < n; ++k) {
    VectorXd v = eigen.eigenvectors().col(k);
    for (Eigen::Index j = 0; j < n; ++j)
      if (scale[j] > 0) v[j] *= scale[j];
    if (eigen.eigenvalues()[k] > kDependent) {
      c.inverse += v * v.transpose() / eigen.eigenvalues()[k];
      continue;
    }
    for (Eigen::Index j = 0; j < c.kernel.cols(); ++j) v -= c.kernel.col(j).dot(cells.cwiseProduct(v)) * c.kernel.col(j);
    c.kernel.conservativeResize(n, c.kernel.cols() + 1);
    c.kernel.rightCols(1) = v / std::sqrt(v.dot(cells.cwiseProduct(v)));
  }
  return c;
}

}  // namespace meniscus::coupling

// The constant pressures of closed regions: how they move solids, and which of them move nothing.
#pragma once

#include <Eigen/Dense>

namespace meniscus::coupling {

struct RegionConstants {
  Eigen::MatrixXd inverse;  // regions x regions: of force^T answer, on its range
  Eigen::MatrixXd kernel;   // regions x k: constants without effect; columns y with sum cells_r y_r^2 = 1, orthogonal likewise
};

// Column r of `force` (q x regions): what pressure 1 in region r gives to the solids' coordinates; of `answer`: the velocities that
// this makes. most: of each region, the force without what cancels; cells: its size.
RegionConstants regionConstants(const Eigen::MatrixXd& force, const Eigen::MatrixXd& answer, const Eigen::VectorXd& most,
                                const Eigen::VectorXd& cells);

}  // namespace meniscus::coupling

// The ways in which solids of few ways answer to loads, part by part: see SolidBox::parts.
#pragma once

#include "engine/coupling/box_calls.h"

namespace meniscus::coupling {

// An orthonormal basis of the ways in which each part answers to small pushes: about where it flies freely, and about where the
// load takes it, as what lies on a floor there does not go up by a small one. Columns are 0 beyond their part. Empty where the
// solids failed, with the reason in the report of the calls, or do not move. length: of a cell [m].
Eigen::MatrixXd solidWays(BoxCalls& calls, const Vector& load, double length);

// Adds `way` less its part along the columns of Q, as a unit vector. False, and nothing is added, where hardly anything is left.
bool addWay(Eigen::MatrixXd& Q, Vector way);

}  // namespace meniscus::coupling

// The normal impulses of one rigid body's contacts, all of them at once: of the displacements that leave every gap open the one
// that takes least from where it is without them, in the sense of its mass,
//
//   min 1/2 |u|^2   a_k . u + gap_k >= 0,   u = sum lambda_k a_k,   lambda_k >= 0, or a gap
//
// in six coordinates in which the mass is one. Sweeps over a flat bottom's many points are far from it after twenty passes. At most
// six contacts carry, of those that lie on each other one.
//
// Based on: Goldfarb and Idnani, A numerically stable dual method for solving strictly convex quadratic programs, 1983.
#pragma once

#include <array>
#include <vector>

namespace meniscus {

using SixVector = std::array<double, 6>;

struct NormalRow {
  SixVector a;    // kg^-1/2: the gap's change by a displacement u
  double gap;     // m, where the body is
  double lambda;  // kg m, that it got there with, and then what it gets
};

// u [kg^1/2 m]: from where the body is. False: it is wedged, there is no such u, and rows and u are of no use.
bool solveNormals(std::vector<NormalRow>& rows, double tolerance, SixVector& u);

}  // namespace meniscus

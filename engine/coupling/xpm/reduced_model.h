// The reduced model interface: two secant models F^ and S^ coupled, and solved in closed form.
//
// Based on: Akbay et al. 2018, equations 6 and 7. With F^ = A_f Q_f^T and S^ = A_s Q_s^T of a few columns each, Woodbury's identity
// turns the system in n unknowns into one in k columns: (I - J1 J2) d = r has the solution
//   d = r + A1 (I - B C)^-1 B Q2^T r,   B = Q1^T A2,   C = Q2^T A1,
// so that GMRES, which the paper takes, is not needed. Cost: 4 n k^2 multiplications for B and C, k^3 for the small system.
#pragma once

#include "engine/coupling/secant_model.h"

namespace meniscus::coupling {

struct ReducedModel {
  SecantModel fluid;  // F^: load over position
  SecantModel solid;  // S^: position over load

  // The number of columns of the smaller model: the rank that the coupled system can have.
  int columns() const;
  int dropped() const { return fluid.dropped + solid.dropped; }

  // Equation 6: the position that both models agree on, from the newest calls pf = F(xf) and xs = S(ps). Where the small system is
  // singular the oldest columns are dropped until it is not.
  Vector position(const Vector& xf, const Vector& pf, const Vector& xs, const Vector& ps);

  // Equation 7: the load that both models agree on.
  Vector load(const Vector& xf, const Vector& pf, const Vector& xs, const Vector& ps);
};

}  // namespace meniscus::coupling

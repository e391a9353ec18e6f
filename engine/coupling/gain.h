// The gain of an interface: how strongly F and S answer one another, and with it which relaxation is stable.
//
// With eigenvalues lambda of the derivative of S(F(x)), relaxed passes x <- x + omega (S(F(x)) - x) multiply an error by
// 1 - omega (1 - lambda). An added mass makes the largest lambda negative, -g, and the passes stable for omega < 2 / (1 + g). A
// piston of mass m on a column of mass m_f has g = m_f / m.
#pragma once

#include <vector>

#include "engine/coupling/coupling.h"

namespace meniscus::coupling {

struct GainOptions {
  double step = 0;          // [m] 2-norm of the change of x that the differences are taken with; above the noise of the solvers
  double tolerance = 1e-2;  // relative change of the eigenvalue between two products
  int maxProducts = 30;
};

struct Gain {
  double eigenvalue = 0;   // of the derivative of S(F(x)), the largest in magnitude
  double g = 0;            // -eigenvalue, or 0 where it is positive
  bool converged = false;  // false too where a solve was not finite, or two eigenvalues of one size take turns
  int products = 0;        // each one fluid and one solid solve, after one of each at the base

  // Fixed relaxation below this is stable.
  double largestStableOmega() const { return 2 / (1 + g); }
};

// Power iteration on (S(F(x + h)) - S(F(x))) / |h| about x^n + dt v^n. Leaves both boxes in their state now, the fluid with
// its boundary set to the solid's. Throws Error(input)
// for a step that is not positive and as Coupling::advance does.
Gain interfaceGain(FluidBox& fluid, SolidBox& solid, double dt, const GainOptions& options);

}  // namespace meniscus::coupling

// How tightly the solves of a coupling are solved.
#include "engine/particle/solve_tolerance.h"

#include <gtest/gtest.h>

namespace meniscus {
namespace {

// A coupling that stalls asks for tighter solves, but for none that single precision does not give.
TEST(SolveTolerance, StallsAtNoLessThanSinglePrecision) {
  SolverDef solver;
  solver.tolerance = 1e-4;
  solver.couplingTolerance = 1e-3;
  SolveTolerance t(solver, true, false);
  const double first = t.next();
  EXPECT_LE(first, 1e-4);
  for (int k = 1; k <= 20; ++k) {
    const double before = t.next();
    t.after(k, false, 0.1);
    EXPECT_LE(t.next(), before);
  }
  EXPECT_LT(t.next(), 0.1 * first);
  EXPECT_GE(t.next(), 1e-6);
}

// Who asks for less than that has it, and it is not made less still.
TEST(SolveTolerance, WhatIsAskedForStays) {
  SolverDef solver;
  solver.tolerance = 1e-8;
  solver.couplingTolerance = 1e-3;
  SolveTolerance t(solver, true, false);
  for (int k = 1; k <= 20; ++k) t.after(k, false, 0.1);
  EXPECT_EQ(t.next(), 1e-8);
}

}  // namespace
}  // namespace meniscus

// How tightly the joint solves of a coupled sub-step are solved, as shares of the coupling's tolerance. The CPU's coupling and that
// of rigid bodies on a device take the same.
#pragma once

#include <algorithm>

#include "engine/scene/scene.h"

namespace meniscus {

class SolveTolerance {
 public:
  // moving: there are solids that move. firstIsLoose: at least two solves will follow the first.
  SolveTolerance(const SolverDef& solver, bool moving, bool firstIsLoose)
      : coupling_(solver.couplingTolerance),
        tolerance_(moving ? std::min(solver.tolerance, kShare * coupling_) : solver.tolerance),
        loose_(firstIsLoose) {}
  SolveTolerance() = default;

  // Of the next solve, relative to its right-hand side.
  double next() const { return loose_ ? std::max(tolerance_, kFirstShare * coupling_) : tolerance_; }

  // After an iteration that others follow. mismatch: of its velocities; changed: rows or films came or went.
  void after(int iteration, bool changed, double mismatch) {
    if (iteration > 2 && !changed && mismatch > kStalled * before_)
      tolerance_ = std::max(kTighter * tolerance_, std::min(tolerance_, kTightest));
    before_ = mismatch;
    loose_ = false;
  }

 private:
  // What a solve leaves over beside solids that move is seen as a mismatch of velocities.
  static constexpr double kShare = 0.3;
  // The same of the first solve where at least two others will follow, by the sub-step before: the projection moves the point of
  // linearisation further than that, so what a tighter solve gains is lost again (inexact Newton: Dembo, Eisenstat & Steihaug
  // 1982). At 2 to 10 a balloon in impact needs a sixth less iterations, at 40 more coupling iterations. Solids alone are solved as
  // tightly as before: their solves cost little, and an inextensible sheet came to rest ten times less well.
  static constexpr double kFirstShare = 6;
  // A mismatch that an iteration leaves at more than this share of what it was, with nothing else changed, is what the solves leave
  // over: light, slack nodes at a dry rim are moved far by little. Those that follow are this many times as tight. (Two cloths with
  // water on each other took all eight iterations without coming below a thousandth, and now three to five.)
  static constexpr double kStalled = 0.5, kTighter = 0.1;
  // They are never made tighter than this: in single precision a residual ends at some rounding errors of its right-hand side.
  static constexpr double kTightest = 1e-6;

  double coupling_ = 0, tolerance_ = 0, before_ = 0;
  bool loose_ = false;
};

}  // namespace meniscus

// A fluid on a grid, smoke or water, and solids in one system: each iteration solves the linear equations of both sides together,
// linearised about where they are expected to end.
//
// It ends where the partitioned methods with impulses do: at the x with S(F(x)) = x for these very boxes. Both boxes show the
// equations of their own solve (GridOperators, SolidOperators), so that with K the solids' own matrix the systems are
//   - Newton's method for the solids: S is not linear where a cloth turns or a body rotates,
//   - a fixed point for the faces that the shell closes at its end, which hang on where it ends (ShellPlace::end). With
//     ShellPlace::start the faces are known, F is linear, and solids that are linear too need one system.
// At the end each box takes the step by itself, the fluid to the x found and the solids under the fluid's impulses, so that no
// momentum is lost and the residual is that of XPM.
//
// The constant pressures of enclosed regions are unknowns of the system; a region keeps its volume then as its faces count it. W
// takes the velocity of a face from nodes beside it, so that for a rigid body in a tank without an open side, turning is a change
// of volume of first order in dx, which it is kept from: such a region, which nothing can make room for, should have none. With
// EnclosedPressure around the solids it finds them again in the last solve, where they are the same.
//
// Based on: Robinson-Mosher et al., Two-way coupling of fluids to rigid and deformable solids and shells, 2008. What is other: the
// step is that of the boxes, backward Euler of both sides and one solve, where the paper solves once for the positions (half a step
// of Newmark, pressures thrown away), projects the fluid, and solves again for the velocities.
#pragma once

#include "engine/coupling/box_calls.h"
#include "engine/coupling/monolithic/coupled_system.h"

namespace meniscus::coupling {

struct MonolithicOptions {
  StopRule stop;                      // its iterations are linear systems
  HasConstant enclosed;               // whether the constant pressure of a closed region is an unknown; null: of all
  KrylovControl linear{1e-10, 2000};  // of each system, relative to its right side in the norm of the preconditioner
};

template <int D>
class Monolithic : public Coupling {
 public:
  // Throws Error(input) for options out of their range. exec must outlive this.
  Monolithic(Exec& exec, const MonolithicOptions& options);

  // Throws Error(input) besides where a box shows no equations, or the fluid's are of another dimension.
  Report advance(FluidBox& fluid, SolidBox& solid, double dt) override;

  // p0 [Pa] of each region without contact to an open side, in the last step. Where moving its border is no volume (closed walls)
  // it is 0.
  const std::vector<double>& enclosedPressure() const { return enclosedPressure_; }

 private:
  struct Step;
  bool solveSystem(Step& s);
  void holdNearest(Step& s, const Pass& pass);
  bool iterate(Step& s);
  bool commit(Step& s, Pass& pass, Vector& xs);

  Exec& exec_;
  MonolithicOptions options_;
  std::vector<double> enclosedPressure_;
};

extern template class Monolithic<2>;
extern template class Monolithic<3>;

}  // namespace meniscus::coupling

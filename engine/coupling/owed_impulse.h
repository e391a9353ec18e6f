// What the fluid gave to the solids' nodes in a step and they did not take in it is owed to them, and the next step gives it.
//
// The fluid gives p^f = F(x), and loses as much; the solids take p^s. A method that ends a step with the solids under the load of a
// model of F (XPM) leaves p^f - p^s between the two: nobody's momentum, small in each step, and a sum over the run that is not. So
// F is taken with what is owed added to it, node by node, O [N s]:
//
//   F'(x) = F(x) + O           O' = F'(x) - p^s    of the last call of each side
//
// and then P_fluid + P_solid + sum O is kept to round-off in every step, where it ends and whether its passes agree or not. O is a
// constant of the step as gravity's impulse is: no derivative of F or S hangs on it, the passes are as stable as without it, and it
// is the solids together with the mass of the fluid before them that bear it in one solve. It never adds up: O' is what this step
// leaves, with all that was owed before in it or given. Where the last load is the fluid's own O' is exactly nothing.
//
// Nothing is owed to a solid of which something is held: what holds it has momentum to give and to take, so that none is kept, and
// the wrinkles of a bag that hangs by its rim only take more passes for it.
#pragma once

#include <vector>

#include "engine/coupling/coupling.h"

namespace meniscus::coupling {

// The fluid with the impulses that are owed. box and owed must outlive this.
struct OwingFluid : FluidBox {
  OwingFluid(FluidBox& b, const std::vector<double>& o) : box(b), owed(o) {}
  void save() override { box.save(); }
  void restore() override { box.restore(); }
  LoadKind loadKind() const override { return box.loadKind(); }
  Operators* operators() override { return box.operators(); }
  void setBoundary(const Motion& now) override { box.setBoundary(now); }
  // Throws Error(input) where the load is not one number for each that is owed.
  Load solve(const Motion& end, double dt) override;
  std::vector<double> stopped(const Motion& end, double dt) override { return box.stopped(end, dt); }
  bool holdFaces() override { return box.holdFaces(); }
  void releaseFaces() override { box.releaseFaces(); }
  long long piece() const override { return box.piece(); }
  void holdPiece(bool hold) override { box.holdPiece(hold); }

  FluidBox& box;
  const std::vector<double>& owed;  // N s
  std::vector<double> given;        // N s, of the last solve: with what is owed
};

// The solids, and what they were given last. box must outlive this.
struct OwedSolid : SolidBox {
  explicit OwedSolid(SolidBox& b) : box(b) {}
  void save() override { box.save(); }
  void restore() override { box.restore(); }
  LoadKind loadKind() const override { return box.loadKind(); }
  Operators* operators() override { return box.operators(); }
  bool addsEnclosedPressure() const override { return box.addsEnclosedPressure(); }
  std::vector<SolidPart> parts() const override { return box.parts(); }
  Motion motion() const override { return box.motion(); }
  Motion solve(const Load& load, double dt) override;

  SolidBox& box;
  std::vector<double> taken;  // N s, of the last solve, without the pressures of enclosed regions
};

// What is owed after the step that the two made, with moves[i] 0 where coordinate i does not move as it is pushed.
void settle(const OwingFluid& fluid, const OwedSolid& solid, const std::vector<char>& moves, std::vector<double>& owed);

}  // namespace meniscus::coupling

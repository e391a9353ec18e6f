// The hydraulic press: two pistons close a vessel of fluid. The pressure of the fluid is what the small one is pressed down with,
// over its area, and what one takes in volume the other gives: nothing but the constant pressure of the enclosed fluid does it.
//
//   |      |        |               |    columns 0.15 and 0.45 wide, walls between them that end 0.2 above the ground; open
//   |======|        |               |    above. In space the same, 0.2 deep.
//   |      |        |===============|
//   |      |________|               |
//   |                               |
//   |_______________________________|
//
// Based on: Akbay et al. 2018, section 6 and figure 10.
#pragma once

#include <memory>

#include "engine/coupling/enclosed_pressure.h"
#include "engine/coupling/implicit_solids_box.h"
#include "engine/coupling/smoke_fluid_box.h"
#include "engine/solid/implicit/rigid_bodies.h"

namespace meniscus::coupling {

struct SmokePressOptions {
  double massPerArea = 0.1;      // of the pistons [kg/m^2]
  double gravity = 1;            // on the pistons, not on the fluid [m/s^2]
  double pressed[2] = {0.3, 0};  // force down on the small and the large piston, a metre of depth [N/m]
  double spring = 15;            // under the large piston, relaxed at the start, a metre of depth [N/m^2]
  double damper = 4;             // beside it [N s/m^2]
  ShellPlace place = ShellPlace::end;
};

template <int D>
class SmokePress {
 public:
  SmokePress(Exec& exec, const SmokePressOptions& options);

  FluidBox& fluid() { return *fluid_; }
  SolidBox& solid() { return *enclosed_; }
  SolidBox& bareSolid() { return *solid_; }  // without the enclosed pressure
  SmokeFluidBox<D>& smoke() { return *fluid_; }
  EnclosedPressure& enclosed() { return *enclosed_; }
  double dx() const { return dx_; }

  // How far a piston is above its start [m]: 0 the small one, 1 the large one.
  double travel(int piston) const { return bodies_->pose(piston).center[D - 1] - kStart; }

  // At rest after all: the pressure that holds the small piston [Pa], and the large one's way.
  double restPressure() const;
  double restTravel() const;

  static constexpr double kWidth[2] = {0.15, 0.45};  // [m]

 private:
  static constexpr double kStart = 0.4075;
  SmokePressOptions options_;
  double dx_;
  std::shared_ptr<implicit::RigidBodies<D>> bodies_;
  std::unique_ptr<SmokeFluidBox<D>> fluid_;
  std::unique_ptr<ImplicitSolidsBox> solid_;
  std::unique_ptr<EnclosedPressure> enclosed_;
};

extern template class SmokePress<2>;
extern template class SmokePress<3>;

}  // namespace meniscus::coupling

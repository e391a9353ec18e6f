// A balloon on the ground in the plane, blown up from below: fluid that is wholly enclosed, so that nothing but its constant
// pressure blows it up. The area must grow by the inflow.
//
// Based on: Akbay et al. 2018, section 6 and figures 8 and 12.
#pragma once

#include <memory>

#include "engine/coupling/enclosed_pressure.h"
#include "engine/coupling/implicit_solids_box.h"
#include "engine/coupling/smoke_fluid_box.h"

namespace meniscus::coupling {

struct SmokeBalloonOptions {
  double massRatio = 0.8;  // mass per length over the density times two coarse cells
  ShellLoad load = ShellLoad::impulse;
  ShellPlace place = ShellPlace::end;
  int refine = 1;  // cells along an edge of each of 40 x 60
};

// Domain 1 x 1.5, open but below; a circle of radius 0.15 pinned to the ground at both ends of an inflow 0.15 wide.
class SmokeBalloon {
 public:
  SmokeBalloon(Exec& exec, const SmokeBalloonOptions& options);

  FluidBox& fluid() { return *fluid_; }
  SolidBox& solid() { return *enclosed_; }
  SolidBox& bareSolid() { return *solid_; }  // without the enclosed pressure: for a method that solves for it
  SmokeFluidBox<2>& smoke() { return *fluid_; }
  EnclosedPressure& enclosed() { return *enclosed_; }
  double dx() const { return dx_; }
  double area() const;  // [m^2] between the balloon and the ground

  static constexpr double kInflow = 0.5 * 0.15;  // [m^2/s]

 private:
  double dx_;
  std::unique_ptr<SmokeFluidBox<2>> fluid_;
  std::unique_ptr<ImplicitSolidsBox> solid_;
  std::unique_ptr<EnclosedPressure> enclosed_;
};

}  // namespace meniscus::coupling

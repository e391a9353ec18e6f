// Rigid balls (discs in the plane) in a tank of water with a free surface: released under water, or afloat.
//
// Released at rest far from walls and surface they start with (1 - r) g / (r + 1/2) upwards in space, (1 - r) g / (r + 1) in the
// plane, r being the ratio of densities: the water that has to get out of their way counts as half and as once its mass. Afloat
// they lie as deep as their weight asks.
#pragma once

#include <memory>
#include <vector>

#include "engine/coupling/implicit_solids_box.h"
#include "engine/coupling/water_fluid_box.h"
#include "engine/solid/implicit/rigid_bodies.h"

namespace meniscus::coupling {

struct WaterBall {
  double radius = 0.1;           // [m]
  double density = 0.5;          // of that of water
  double offset[3] = {0, 0, 0};  // of its centre from the middle of the tank [m]
};

struct WaterBallsOptions {
  Index cells = 64;     // along each edge of the tank, which is 1 m long
  double depth = 0.75;  // of the water [m]
  std::vector<WaterBall> balls;
  ShellLoad load = ShellLoad::impulse;
};

template <int D>
class WaterBalls {
 public:
  WaterBalls(Exec& exec, const WaterBallsOptions& options);

  FluidBox& fluid() { return *fluid_; }
  SolidBox& solid() { return *solid_; }
  WaterFluidBox<D>& water() { return *fluid_; }
  const implicit::RigidBodies<D>& bodies() const { return *bodies_; }
  double dx() const { return domain_.grid.dx; }
  // The faces of the grid that the bodies close now, and the cells in them.
  std::vector<char> insideCells() const;

  static constexpr double kGravity = 9.81;  // [m/s^2], along the last axis, downwards
  static constexpr double kDensity = 1000;  // [kg/m^D]

 private:
  SmokeDomain<D> domain_;
  ShellMesh<D> mesh_;
  std::unique_ptr<WaterFluidBox<D>> fluid_;
  std::shared_ptr<implicit::RigidBodies<D>> bodies_;
  std::unique_ptr<ImplicitSolidsBox> solid_;
};

// The relative density r of a ball that floats with the part s = h / R of its radius under the surface. In space s^2 (3 - s) / 4.
template <int D>
double floatingDensity(double s);

}  // namespace meniscus::coupling

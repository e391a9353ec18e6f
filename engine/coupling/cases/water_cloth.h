// Water on a cloth across a tank: the cloth holds it, and sags until its tension carries it.
#pragma once

#include <memory>

#include "engine/coupling/implicit_solids_box.h"
#include "engine/coupling/water_fluid_box.h"

namespace meniscus::coupling {

struct WaterClothOptions {
  Index cells = 32;         // along each edge of the tank, which is 1 m long
  double height = 0.5;      // of the cloth [m]
  double depth = 0.2;       // of the water on it [m]
  double massPerArea = 20;  // [kg/m^2]
  double stiffness = 2e4;   // tension for a stretch of 1 [N/m]
};

// The cloth's edge is held just outside the walls, so that it ends nowhere inside.
template <int D>
class WaterCloth {
 public:
  WaterCloth(Exec& exec, const WaterClothOptions& options);

  FluidBox& fluid() { return *fluid_; }
  SolidBox& solid() { return *solid_; }
  WaterFluidBox<D>& water() { return *fluid_; }
  const ShellMesh<D>& mesh() const { return mesh_; }
  const SmokeDomain<D>& domain() const { return domain_; }
  double dx() const { return domain_.grid.dx; }
  double sag() const;  // [m], how far the lowest node is below the edge

  static constexpr double kGravity = 9.81;  // [m/s^2]
  static constexpr double kDensity = 1000;  // [kg/m^D]

 private:
  double height_;
  SmokeDomain<D> domain_;
  ShellMesh<D> mesh_;
  std::unique_ptr<WaterFluidBox<D>> fluid_;
  std::unique_ptr<ImplicitSolidsBox> solid_;
};

}  // namespace meniscus::coupling

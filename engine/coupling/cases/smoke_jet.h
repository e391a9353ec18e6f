// A cloth across a jet of smoke in the plane: the case of Table 1 in Akbay et al. 2018.
//
// What the paper does not print, its mass ratio's length and the area of a node, was chosen so that the measured gains of the
// interface lie where the table's own limits of stability put them. With pressure forces doubled and that length 5.8 cells they do
// for forces and for impulses ("paper"); with right forces the two gains are nearly one, and 2.9 cells put both there ("right").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/coupling/implicit_solids_box.h"
#include "engine/coupling/smoke_fluid_box.h"
#include "engine/solid/implicit/shell_model.h"

namespace meniscus::coupling {

struct SmokeJetOptions {
  bool paper = true;     // forces of pressure doubled, and the mass ratio by 5.8 cells; else right ones, and 2.9 cells
  double massRatio = 1;  // M: mass of the cloth per area over density times that length
  ShellLoad load = ShellLoad::impulse;
  WeightRule weights = WeightRule::dualCell;
  ShellPlace place = ShellPlace::end;
  int refine = 1;  // cells along the cloth are 20 times this
};

// Domain 1 x 1.5, walls but above; a jet of 0.5 m/s through a fifth of the ground, on from the start with its potential flow; a
// taut cloth of length 0.5 pinned at both ends 0.6 above it.
class SmokeJet {
 public:
  SmokeJet(Exec& exec, const SmokeJetOptions& options);

  FluidBox& fluid() { return *fluid_; }
  SolidBox& solid() { return *solid_; }
  SmokeFluidBox<2>& smoke() { return *fluid_; }
  double dx() const { return dx_; }
  ShellLoad load() const { return load_; }
  double timeStep() const;          // [s]: 0.9 cells at the largest speed
  double largestNodeSpeed() const;  // [m/s]

  static constexpr double kJetSpeed = 0.5;

 private:
  double dx_;
  ShellLoad load_;
  std::unique_ptr<SmokeFluidBox<2>> fluid_;
  std::unique_ptr<ImplicitSolidsBox> solid_;
};

struct SmokeJetRun {
  int steps = 0;
  int unconverged = 0;        // steps that ended at the largest number of passes
  double meanIterations = 0;  // fluid solves a step
  bool stable = true;  // no node faster than 20 m/s, no solve that is not finite, no step whose last residual is above its first
};

// Steps until `duration` [s] of simulated time or until the run is not stable.
SmokeJetRun runSmokeJet(SmokeJet& jet, Coupling& method, double duration);

}  // namespace meniscus::coupling

// Smoke on a MAC grid as the black box F of a coupling: nodal loads = F(positions of a shell's nodes at the end of the step).
//
//   1  u* by one-sided semi-Lagrangian advection about the shell at the beginning; kept over the step, it does not hang on x
//   2  faces that the shell sweeps over take its velocity of the beginning
//   3  the faces that the shell closes at x, and their velocities u = W V with V = (x - x^n) / dt
//   4  the pressure that makes the velocity free of divergence; enclosed regions without their constant (EnclosedPressure)
//   5  u = u* - grad p / rho
//   6  the load: impulses W^T I of the dual cells, or pressure forces times dt
// Smoke and temperature move in setBoundary, when the shell's motion in the step before is known.
//
// Based on: Akbay et al. 2018, sections 4.5 to 6; Robinson-Mosher et al. 2008.
#pragma once

#include "engine/coupling/coupling.h"
#include "engine/coupling/enclosed_pressure.h"
#include "engine/coupling/grid_operators.h"
#include "engine/coupling/shell_boundary.h"
#include "engine/grid/smoke/narrow_gaps.h"
#include "engine/grid/smoke/shell_weights.h"
#include "engine/grid/smoke/smoke_advection.h"
#include "engine/grid/smoke/smoke_projection.h"
#include "engine/grid/smoke/smoke_regions.h"

namespace meniscus::coupling {

enum class ShellLoad {
  impulse,  // the momentum that the dual cells exchange: conserves momentum (XPM)
  pressure  // dt times the forces of shellPressureLoad (P and RMI in the paper)
};

enum class ShellPlace {
  end,   // where the shell goes: nothing is behind it then. Faces that it sweeps over take its velocity
  start  // where it stood: the load is linear in the shell's velocity. Robinson-Mosher et al. 2008, section 7 ("positions frozen")
};

struct SmokeFluidOptions {
  ShellLoad load = ShellLoad::impulse;
  double pressureScale = 1;  // of pressure forces: 1 is right; 2 shows the paper's stability limits
  WeightRule weights = WeightRule::dualCell;
  ShellPlace place = ShellPlace::end;  // of the shell's faces and W
  std::vector<char> filled;            // of each element: 1 where it is part of a closed surface with a solid inside. Empty: none
  FusedControl pressure{1e-12, 500};
};

template <int D>
class SmokeFluidBox : public FluidBox, private GridOperators<D> {
 public:
  // Throws Error(input) for a domain out of its range, elements of nodes that do not exist and marks that are not one each. exec
  // must outlive this.
  SmokeFluidBox(Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh, const SmokeFluidOptions& options);
  ~SmokeFluidBox() override;

  // Throws Error(input) for positions and velocities that are not D a node or not finite.
  void setBoundary(const Motion& now) override;
  void save() override {
    saved_ = now_;
    held_ = false;
  }
  void restore() override { now_ = saved_; }
  LoadKind loadKind() const override { return LoadKind::impulse; }
  Operators* operators() override { return static_cast<GridOperators<D>*>(this); }

  // Not finite where `end` is not, or the pressure was not found.
  Load solve(const Motion& end, double dt) override;
  bool holdFaces() override { return held_ = true; }
  void releaseFaces() override { held_ = false; }

  const SmokeState<D>& state() const { return now_.smoke; }
  SmokeState<D>& state() { return now_.smoke; }

  // Goes on with smoke of a box like this one, between two steps or in place of one that failed; before setBoundary.
  void setSmoke(SmokeState<D> smoke);

  // Which closed regions have a constant pressure of their own, found by others (EnclosedPressure, the one system); null: all.
  void setConstants(HasConstant has) { hasConstant_ = std::move(has); }

  // Gives the domain's inflows these velocities [m/s along their axes], one each; between two steps.
  void setInflows(const std::vector<double>& velocity);

  // Takes the divergence out of the velocity with the boundary at its place and of its velocity: the flow that starts at once.
  void startFromPotentialFlow();

  // Of the last solve or look at the equations, for EnclosedPressure; one a region without contact to an open side and with a face
  // of the shell.
  std::vector<EnclosedRegion> enclosed() const;

  // With the shell at x and the fluid as it is.
  ShellRegions<D> regionsAt(const std::vector<double>& x) const;

  // Of the last solve.
  const ShellFaces<D>& faces() const { return faces_; }
  const ShellWeights& weights() const { return weights_; }
  const std::vector<double>& faceImpulses() const { return faceImpulse_; }
  const std::vector<double>& gapImpulses() const { return gapImpulse_; }  // D a node, see NarrowGaps::weight [N s]
  const std::vector<double>& faceMasses() const { return faceMass_; }
  const std::vector<char>& filledCells() const { return filled_; }  // empty where there are no filled bodies
  const Buffer<double>* predicted() const { return predicted_; }    // with swept faces
  const PressureReport& pressureReport() const { return report_; }
  double largestSpeed() const;  // [m/s] of a component on any face

 private:
  struct State {
    SmokeState<D> smoke;
    std::vector<double> x, v;  // the boundary at the beginning of the step
    double dt = 0;             // of the step whose smoke has not moved yet
    long long version = 0;     // of everything above but dt
  };
  GridStep<D> linearised(const std::vector<double>& end, double dt) override;
  const Buffer<double>& divergenceOf(const Buffer<double>* velocity) override { return projection_.divergenceOf(velocity); }
  const SmokeDomain<D>& domain() const override { return domain_; }
  void predict(double dt);
  void sweep(const std::vector<double>& x);
  void place(const std::vector<double>& x);
  void placeShell(const std::vector<double>& x);
  void project(const std::vector<double>& v);

  Exec& exec_;
  SmokeDomain<D> domain_;
  ShellMesh<D> mesh_;
  ShellMesh<D> seen_;  // with the obstacles
  SmokeFluidOptions options_;
  HasConstant hasConstant_;
  ShellLattice<D> lattice_;
  GivenFaces<D> given_;
  SmokeProjection<D> projection_;
  State now_, saved_;
  long long versions_ = 0;

  // u* of a state and a time step
  StandingShell<D> standing_;
  Buffer<double> unswept_[D];
  long long predictedVersion_ = -1;
  double predictedDt_ = 0;

  // of the last solve
  Buffer<double> predicted_[D];
  ShellFaces<D> faces_;
  ShellWeights weights_;
  NarrowGaps<D> gaps_;
  std::vector<char> filled_;  // of each cell
  std::vector<double> faceMass_, offset_;
  std::vector<ClosedRegion> regions_;
  std::vector<double> faceVelocity_, faceImpulse_, gapImpulse_;
  PressureReport report_;
  bool lost_ = false;  // the pressure was not found
  bool held_ = false;  // faces and what hangs on them stay those of the last solve
};

}  // namespace meniscus::coupling

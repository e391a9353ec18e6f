// Water with a free surface on a MAC grid as the black box F of a coupling: nodal loads = F(positions of a shell's nodes at the end
// of the step).
//
//   1  u*: particles to faces past the shell as it stands, and gravity; kept over the step, it does not hang on x
//   2  faces that the shell sweeps over take its velocity of the beginning, and gravity; cells whose centres it sweeps over are
//      what is on their new side
//   3  the faces that the shell closes at x, and their velocities u = W V with V = (x - x^n) / dt; where air is between the water
//      and the shell they are closed if the water comes to the shell (air_gaps.h), which 4 is done again for
//   4  the pressure that makes the velocity of the water free of divergence, 0 at the surface; water without a surface without its
//      constant (EnclosedPressure)
//   5  u = u* - grad p / rho
//   6  the load: impulses W^T I of the water in the dual cells, with what still water lifts bodies by beyond them (body_lift.h), or
//      pressure forces times dt
// Particles and level set move in setBoundary, when the shell's motion in the step before is known.
//
// Air has the pressure 0 wherever it is, and no mass: a closed surface that is dry inside is a body that displaces water.
//
// Based on: Akbay et al. 2018, sections 4.5 to 6; Robinson-Mosher et al. 2008.
#pragma once

#include "engine/coupling/air_contacts.h"
#include "engine/coupling/coupling.h"
#include "engine/coupling/enclosed_pressure.h"
#include "engine/coupling/shell_boundary.h"
#include "engine/coupling/shell_pressure.h"
#include "engine/coupling/smoke_fluid_box.h"
#include "engine/grid/smoke/filled_cells.h"
#include "engine/grid/water/body_lift.h"
#include "engine/grid/water/water_projection.h"
#include "engine/grid/water/water_regions.h"
#include "engine/grid/water/water_step.h"

namespace meniscus::coupling {

struct WaterFluidOptions {
  ShellLoad load = ShellLoad::impulse;
  double pressureScale = 1;  // of pressure forces
  WeightRule weights = WeightRule::dualCell;
  std::vector<char> filled;  // of each element: 1 where it is part of a closed surface that is dry inside. Empty: none
  FusedControl pressure{1e-12, 500};
};

template <int D>
class WaterFluidBox : public FluidBox, private GridOperators<D> {
 public:
  // Throws Error(input) for a domain out of its range, an open side (water leaves the grid only through inflows of negative
  // velocity) and elements of nodes that do not exist. exec must outlive this.
  WaterFluidBox(Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh, const WaterFluidOptions& options);

  // Water at rest where levelSet < 0 [m]; after the first setBoundary. Inside of closed surfaces it must be positive where they are
  // dry. What was there before is forgotten.
  void fill(const std::function<double(const Point<D>&)>& levelSet);

  // Throws Error(input) for positions and velocities that are not D a node or not finite.
  void setBoundary(const Motion& now) override;
  void save() override {
    saved_ = now_;
    held_ = looked_ = pieceHeld_ = false;
  }
  void restore() override { now_ = saved_; }
  LoadKind loadKind() const override { return LoadKind::impulse; }
  Operators* operators() override { return static_cast<GridOperators<D>*>(this); }

  // Not finite where `end` is not, or the pressure was not found.
  Load solve(const Motion& end, double dt) override;
  std::vector<double> stopped(const Motion& end, double dt) override;
  bool holdFaces() override { return held_ = true; }
  void releaseFaces() override { held_ = false; }
  long long piece() const override { return piece_; }
  void holdPiece(bool hold) override { pieceHeld_ = hold; }

  const WaterState<D>& state() const { return now_.water; }
  const WaterMatter<D>& matter() const { return *now_.water.matter; }

  // Goes on with water of a box like this one, between two steps; before setBoundary.
  void setWater(WaterState<D> water);

  // Which closed regions have a constant pressure of their own, found by others (EnclosedPressure, the one system); null: all.
  void setConstants(HasConstant has) { hasConstant_ = std::move(has); }

  // Gives the domain's inflows these velocities [m/s along their axes], one each; between two steps.
  void setInflows(const std::vector<double>& velocity);

  // All particles get the velocity and gradient that change(x, v, gradient) leaves, and the faces u(x) by the same.
  void setVelocity(const std::function<Point<D>(const Point<D>&)>& velocity);

  // Of the last solve or look at the equations, for EnclosedPressure; one a region of water without a surface and with a face of
  // the shell.
  std::vector<EnclosedRegion> enclosed() const;

  // With the shell at x and the fluid as it is.
  ShellRegions<D> regionsAt(const std::vector<double>& x) const;

  // Of the last solve.
  const ShellFaces<D>& faces() const { return faces_; }
  const ShellWeights& weights() const { return weights_; }
  const std::vector<double>& faceImpulses() const { return faceImpulse_; }
  const std::vector<double>& gapImpulses() const { return gapImpulse_; }  // D a node, see NarrowGaps::weight and BodyLift [N s]
  const Buffer<double>* predicted() const { return predicted_; }          // with swept faces
  double faceMass(int axis, Offset f) const;                              // of water in the face's dual cell [kg]
  const PressureReport& pressureReport() const { return report_; }

  double largestSpeed() const;  // [m/s] of a component on any face
  // So that nothing moves farther than `cells` in a step; cells must be at most kBand - 2.
  double timeStep(double cells, double most) const;

 private:
  struct State {
    WaterState<D> water;
    std::vector<double> x, v;                 // the boundary at the beginning of the step
    double dt = 0;                            // of the step whose water has not moved yet
    std::vector<std::pair<int, Offset>> met;  // in it, see moveAirGaps
    long long version = 0;                    // of everything above but dt
  };
  GridStep<D> linearised(const std::vector<double>& end, double dt) override;
  bool settle(const std::vector<double>& v, double dt, const std::function<double(Offset)>& pressure) override;
  const Buffer<double>& divergenceOf(const Buffer<double>* velocity) override { return projection_.divergenceOf(velocity); }
  const SmokeDomain<D>& domain() const override { return domain_; }
  void move(const std::vector<double>& x);
  void predict(double dt);
  void sweep(const std::vector<double>& x, double dt);
  void place(const std::vector<double>& x);
  void enterCells(double dt);
  void arrange(const std::vector<double>& x, double dt);
  void close(double dt);
  void weighFaces();
  void project(const std::vector<double>& v);
  bool settleGaps(const std::vector<double>& v, double dt, const std::function<double(Offset)>& pressure);

  Exec& exec_;
  SmokeDomain<D> domain_;
  ShellMesh<D> mesh_;
  WaterFluidOptions options_;
  HasConstant hasConstant_;
  ShellLattice<D> lattice_;
  GivenFaces<D> given_;
  WaterProjection<D> projection_;
  std::vector<Offset> cells_;  // of the grid, in order
  State now_, saved_;
  long long versions_ = 0;
  std::shared_ptr<WaterMatter<D>> spare_;
  WaterScratch<D> scratch_;

  // u* of a state and a time step
  ShellRays<D> rays_;
  ShellFaces<D> standing_;  // the faces that the shell closes at the beginning
  Buffer<double> unswept_[D];
  long long predictedVersion_ = -1;
  double predictedDt_ = 0;

  // of the last solve
  Buffer<double> predicted_[D];
  std::vector<Index> sweptCell_;  // of each cell: the element that passes over its centre, or -1
  Buffer<double> levelSet_;       // of the beginning, but for those cells
  std::vector<double> end_;       // where the shell's faces are
  AirContacts<D> air_;
  ShellFaces<D> faces_;
  ShellWeights weights_;
  std::vector<double> offset_;  // of each face, what its velocity has beside W v [m/s]
  NarrowGaps<D> gaps_;
  FilledBodies<D> bodies_;
  BodyLift<D> lift_;
  std::vector<double> faceMass_;
  std::vector<ClosedRegion> regions_;
  std::vector<double> faceVelocity_, faceImpulse_, gapImpulse_;
  PressureReport report_;
  bool lost_ = false;              // the pressure was not found
  bool looked_ = false;            // the last set of air_ is one of this step's equations, and the next one goes on from it
  bool held_ = false;              // faces and what hangs on them stay those of the last solve
  bool pieceHeld_ = false;         // and so does the set of air_
  long long piece_ = 0;            // of F, in the last solve
  std::vector<char> pieceClosed_;  // of each gap in it
};

}  // namespace meniscus::coupling

// The fluid of a scene as the box of a coupling, with what a run measures, shows and keeps of it: smoke or water.
#pragma once

#include <functional>
#include <memory>

#include "engine/coupling/shell_boundary.h"
#include "engine/grid/pressure_solver.h"
#include "engine/grid/smoke/shell_weights.h"
#include "engine/grid/smoke/smoke_regions.h"
#include "engine/offline/run.h"
#include "engine/offline/scene_solids.h"

namespace meniscus::offline {

template <int D>
class SceneFluid {
 public:
  virtual ~SceneFluid() = default;

  virtual FluidBox& box() = 0;
  virtual const char* stage() const = 0;    // the name of what moves it after a step
  virtual double largestSpeed() const = 0;  // [m/s] of a component on any face

  virtual void startFromPotentialFlow() {}  // of smoke

  // Of the last solve.
  virtual const ShellFaces<D>& faces() const = 0;
  virtual const ShellWeights& weights() const = 0;
  virtual const std::vector<double>& faceImpulses() const = 0;
  virtual const std::vector<double>& gapImpulses() const = 0;  // on the nodes [N s]
  virtual std::vector<EnclosedRegion> enclosed() const = 0;
  virtual const PressureReport& pressureReport() const = 0;

  // The regions without contact to an open side or a surface with the solids' nodes at x.
  virtual ShellRegions<D> regionsAt(const std::vector<double>& x) const = 0;

  // visit(axis, speed [m/s], mass [kg]) for each face of the grid: of the fluid in its dual cell.
  virtual void eachFace(const std::function<void(int, double, double)>& visit) const = 0;
  // Relative to what it should be; below 0: it fills the grid.
  virtual double volumeError() const { return -1; }
  virtual WaterReport water() const { return {}; }

  // All but cells, dx, origin and velocity. dt: of the last step [s], 0 before it.
  virtual void addFields(double dt, GridFields& fields) const = 0;
  virtual const Buffer<double>* velocity() const = 0;  // of each face, D arrays

  // Named lists of numbers, see OfflineRun::state. checkState throws Error(input) for lists that do not fit one another.
  virtual void putState(OfflineRun::State& state) const = 0;
  virtual bool isLong(const std::string& name) const { return name.empty(); }  // the list's length changes from step to step
  virtual void checkState(const OfflineRun::State&) const {}
  virtual void takeState(const OfflineRun::State& state) = 0;
  virtual void setConstants(HasConstant has) = 0;                    // see the boxes
  virtual void setInflows(const std::vector<double>& velocity) = 0;  // of the domain's inflows [m/s along their axes]
};

// The fluid of the scene at its start, about the solids where they are. All but the scene must outlive it.
template <int D>
std::unique_ptr<SceneFluid<D>> sceneFluid(const SceneDef& scene, Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh,
                                          const std::vector<SceneSolid<D>>& solids, const Motion& start);

// Throws Error(input) where there is none of this name.
const std::vector<double>& numbersOf(const OfflineRun::State& state, const std::string& name);
inline std::vector<double> listOf(const Buffer<double>& b) { return {b.data(), b.data() + b.size()}; }

}  // namespace meniscus::offline

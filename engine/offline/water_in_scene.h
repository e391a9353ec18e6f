// Water as the fluid of a scene.
#pragma once

#include "engine/coupling/water_fluid_box.h"
#include "engine/offline/scene_fluid.h"

namespace meniscus::offline {

template <int D>
class WaterInScene : public SceneFluid<D> {
 public:
  // In the fluid's shapes, but for what is inside of solids in its place. Throws Error(input) with its place where there is none.
  WaterInScene(const SceneDef& scene, Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh,
               const std::vector<SceneSolid<D>>& solids, const Motion& start);

  FluidBox& box() override { return box_; }
  const char* stage() const override { return "water"; }
  double largestSpeed() const override;
  const ShellFaces<D>& faces() const override { return box_.faces(); }
  const ShellWeights& weights() const override { return box_.weights(); }
  const std::vector<double>& faceImpulses() const override { return box_.faceImpulses(); }
  const std::vector<double>& gapImpulses() const override { return box_.gapImpulses(); }
  std::vector<EnclosedRegion> enclosed() const override { return box_.enclosed(); }
  const PressureReport& pressureReport() const override { return box_.pressureReport(); }
  ShellRegions<D> regionsAt(const std::vector<double>& x) const override { return box_.regionsAt(x); }
  // The share of water in a face's dual cell is the mean of its cells', by their distance to the surface.
  void eachFace(const std::function<void(int, double, double)>& visit) const override;
  double volumeError() const override;
  WaterReport water() const override;
  void addFields(double dt, GridFields& fields) const override;
  const Buffer<double>* velocity() const override { return box_.state().velocity; }
  void putState(OfflineRun::State& state) const override;
  bool isLong(const std::string& name) const override;
  void checkState(const OfflineRun::State& state) const override;
  void takeState(const OfflineRun::State& state) override;
  void setConstants(HasConstant has) override { box_.setConstants(std::move(has)); }
  void setInflows(const std::vector<double>& velocity) override { box_.setInflows(velocity); }

 private:
  void fill(const SceneDef& scene, const ShellMesh<D>& mesh, const std::vector<SceneSolid<D>>& solids, const Motion& start);

  const SmokeDomain<D>& domain_;
  WaterFluidBox<D> box_;
};

}  // namespace meniscus::offline

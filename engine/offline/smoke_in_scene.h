// Smoke as the fluid of a scene.
#pragma once

#include "engine/coupling/smoke_fluid_box.h"
#include "engine/offline/scene_fluid.h"

namespace meniscus::offline {

template <int D>
class SmokeInScene : public SceneFluid<D> {
 public:
  SmokeInScene(const SceneDef& scene, Exec& exec, const SmokeDomain<D>& domain, const ShellMesh<D>& mesh,
               const std::vector<SceneSolid<D>>& solids, const Motion& start);

  FluidBox& box() override { return box_; }
  const char* stage() const override { return "smoke"; }
  double largestSpeed() const override { return box_.largestSpeed(); }
  void startFromPotentialFlow() override { box_.startFromPotentialFlow(); }
  const ShellFaces<D>& faces() const override { return box_.faces(); }
  const ShellWeights& weights() const override { return box_.weights(); }
  const std::vector<double>& faceImpulses() const override { return box_.faceImpulses(); }
  const std::vector<double>& gapImpulses() const override { return box_.gapImpulses(); }
  std::vector<EnclosedRegion> enclosed() const override { return box_.enclosed(); }
  const PressureReport& pressureReport() const override { return box_.pressureReport(); }
  ShellRegions<D> regionsAt(const std::vector<double>& x) const override { return box_.regionsAt(x); }
  void eachFace(const std::function<void(int, double, double)>& visit) const override;
  void addFields(double dt, GridFields& fields) const override;
  const Buffer<double>* velocity() const override { return box_.state().velocity; }
  void putState(OfflineRun::State& state) const override;
  void takeState(const OfflineRun::State& state) override;
  void setConstants(HasConstant has) override { box_.setConstants(std::move(has)); }
  void setInflows(const std::vector<double>& velocity) override { box_.setInflows(velocity); }

 private:
  const SmokeDomain<D>& domain_;
  SmokeFluidOptions options_;
  SmokeFluidBox<D> box_;
};

}  // namespace meniscus::offline

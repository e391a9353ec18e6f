// OfflineRun in two or three dimensions.
#pragma once

#include "engine/coupling/implicit_solids_box.h"
#include "engine/offline/enclosures.h"
#include "engine/offline/run.h"
#include "engine/offline/scene_fluid.h"

namespace meniscus::offline {

// What to do about steps that do not converge.
std::string moreAgreement(const SceneDef& scene);

template <int D>
class RunOf : public OfflineRun {
 public:
  RunOf(const SceneDef& scene, Exec& exec, std::vector<std::string>* notes);

  const SceneDef& scene() const override { return scene_; }
  double time() const override { return time_; }
  std::uint64_t steps() const override { return steps_; }
  double timeStep() const override;
  StepReport step(double dt) override;
  std::vector<std::pair<std::string, double>> stageSeconds() const override {
    return {{"fluid", fluidSeconds_},
            {"solids", solidSeconds_},
            {"coupling", stepSeconds_ - fluidSeconds_ - solidSeconds_},
            {fluid_->stage(), moveSeconds_}};
  }

  Vec3d fluidMomentum() const override;
  Vec3d solidMomentum() const override;
  Vec3d owedMomentum() const override { return sumAtMoving(owed_); }
  double kineticEnergy() const override;
  double largestSpeed() const override { return fluid_->largestSpeed(); }
  double momentumError() const override;
  double volumeError() const override;
  std::vector<SolidReport> solids() const override;
  WaterReport water() const override { return fluid_->water(); }
  std::size_t nodes() const override { return std::size_t(mesh_.nodes); }
  Vec3<Index> cells() const override { return {domain_.grid.n[0], D == 2 ? 1 : domain_.grid.n[1], domain_.grid.n[D - 1]}; }
  GridFields gridFields() const override;
  SolidFields solidFields() const override;

  State state() const override;
  void setState(const State& state) override;
  void takeInflows() override { tellInflows(scene_.solver.dt); }
  std::uint64_t modelHash() const override;

 private:
  void buildFluid(Exec& exec);
  bool tellInflows(double dt);
  void tellPins(double t);
  bool anyHeld() const;
  std::string sourcesAmiss() const;
  std::string squeezeAmiss(double dt) const;
  // Numbers of closed regions, and of the first solid that parts them.
  struct PartedRegions {
    std::vector<std::size_t> regions;
    std::size_t solid = 0;
  };
  std::vector<PartedRegions> partedRegions(const ShellRegions<D>& beside) const;
  std::string squeezeOfParted(const ShellRegions<D>& beside, double dt) const;
  std::size_t solidOfNode(Index node) const;
  void checkSources() const;
  void checkPlugs() const;
  std::string pressing(std::size_t solid) const;
  void checkCrushed(const StepReport& report) const;
  void checkInside(const StepReport& report) const;
  void checkSpeed(const StepReport& report) const;
  Report advance(double dt);
  std::string whyNot(const Report& report) const;
  std::vector<EnclosedRegion> regions() const;
  void countInflow(double dt);
  Vec3d sumAtMoving(const std::vector<double>& nodal) const;
  std::vector<char> owedCoordinates() const;
  void balance(const Vec3d& before, double dt);
  double volumeOf(std::size_t solid) const;
  std::vector<char> fullOfFluid() const;

  SceneDef scene_;
  std::vector<SceneSolid<D>> solids_;
  std::unique_ptr<ImplicitSolidsBox> box_;
  std::vector<double> start_;  // m, of the nodes: where contacts know their surfaces from
  ShellMesh<D> mesh_;
  SmokeDomain<D> domain_;
  std::vector<double> inflow_;  // m/s, of the domain's inflows while they flow
  std::unique_ptr<SceneFluid<D>> fluid_;
  std::unique_ptr<EnclosedPressure> enclosed_;  // null where p0 is left out
  std::unique_ptr<Coupling> method_;
  std::vector<double> owed_;  // N s, of the nodes: what the steps so far left (owed_impulse.h)
  double time_ = 0, lastDt_ = 0;
  StepReport unconverged_;  // the last step that was; number 0: none of this run
  std::uint64_t steps_ = 0;

  double stepSeconds_ = 0, fluidSeconds_ = 0, solidSeconds_ = 0, moveSeconds_ = 0;

  // added up over the run
  Vec3d unbalanced_{};    // kg m/s that the solids took up beyond what is known
  double exchanged_ = 0;  // kg m/s: |impulses| of the faces
  std::vector<double>
      expectedVolume_;  // of each solid: its volume at the start and what flowed in; 0: it is no inflatable full of fluid
  std::vector<double> openedError_;  // of each solid: of its volume, relative, when its mouth was let go
  std::vector<char> fills_;          // of each solid: it was an inflatable full of fluid at the start
};

}  // namespace meniscus::offline

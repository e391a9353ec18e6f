// Steps of a particle scene in which a method of coupling solves water and rigid bodies as two black boxes, instead of the one
// system of both that the particle engine solves by itself.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/coupling/rigid_solid_box.h"
#include "engine/coupling/sph_fluid_box.h"

namespace meniscus::coupling {

class CoupledParticles {
 public:
  // solver: of solverOfGivenBodies for this world. All must outlive this. Throws Error(input) for a method that is none.
  CoupledParticles(Exec& exec, World& world, ParticleSolver& solver);

  // As ParticleSolver::step, in passes of both sides. The report is that of the last fluid solve, with the pressure solves of all,
  // couplingIterations: fluid solves, couplingResidual: what is left of the difference between the velocities that the water was
  // given and those that the bodies answer, relative as in the particle engine's own coupling. A step that does not converge is
  // taken as it is, and says so. Throws Error(simulation) where a solve is not finite, and where a body's middle is beyond a wall,
  // as passes that lost one another have thrown it; the world is then between two states.
  bool step(double dt, bool (*stop)() = nullptr);

  // "fluid solves" is not among them: those are the solver's stages. Seconds since the last reset.
  std::vector<std::pair<std::string, double>> stageSeconds() const;
  void resetStages();
  std::size_t bytes() const { return fluid_.bytes(); }

 private:
  void balance();
  void checkInside(const Report& coupling) const;
  std::vector<double> takeOwnLoad(SolidBox& solid, const Load& own, double dt);
  void report(const Report& coupling, double jump, double dt, int iterations, int solves);

  World& world_;
  SphFluidBox fluid_;
  RigidSolidBox solids_;
  std::unique_ptr<Coupling> method_;
  double stepSeconds_ = 0, fluidSeconds_ = 0, solidSeconds_ = 0;
};

}  // namespace meniscus::coupling

// The solvers of a scene that has been started.
#include "engine/api/objects.h"
#include "engine/coupling/given_bodies.h"
#include "engine/scene/methods.h"

namespace meniscus::api {

ParticleSolver& Running::solverReady() {
  if (solver) return *solver;
  if (!isCoupledParticleScene(world.scene)) {
    solver = std::make_unique<ParticleSolver>(*exec, world);
    return *solver;
  }
  auto made = coupling::solverOfGivenBodies(*exec, world);
  coupled = std::make_unique<coupling::CoupledParticles>(*exec, world, *made);
  solver = std::move(made);
  return *solver;
}

bool Running::stepOnCpu(double dt, bool (*stop)(), const StateCopy* now) {
  ParticleSolver& ready = solverReady();
  return coupled ? coupled->step(dt, stop) : ready.step(world, dt, stop, now);
}

}  // namespace meniscus::api

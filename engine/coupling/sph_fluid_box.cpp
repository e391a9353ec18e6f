#include "engine/coupling/sph_fluid_box.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/coupling/body_coordinates.h"
#include "engine/coupling/given_bodies.h"

namespace meniscus::coupling {
namespace {

void checkCount(const Motion& m, std::size_t bodies) {
  if (m.position.size() == kBodyNumbers * bodies && m.velocity.size() == m.position.size()) return;
  throw Error(ErrorKind::input, fmt::format("coupling: {} positions and {} velocities for {} rigid bodies; give {} of each",
                                            m.position.size(), m.velocity.size(), bodies, kBodyNumbers * bodies));
}

// What a solve leaves over of the pressure is noise in the load, which the models of a coupling take for an answer: as tight as
// where the particle engine couples bodies itself.
constexpr double kSolveShare = 0.3;  // of coupling_tolerance

}  // namespace

SphFluidBox::SphFluidBox(World& world, ParticleSolver& solver)
    : world_(world), solver_(solver), bodies_(coupledBodies(world.solid)) {}

void SphFluidBox::setBoundary(const Motion& now) { checkCount(now, bodies_.size()); }

void SphFluidBox::restore() { saved_.restore(world_); }

Load SphFluidBox::solve(const Motion& end, double dt) {
  checkCount(end, bodies_.size());
  SolverDef& settings = world_.scene.solver;
  const double tolerance = settings.tolerance;
  Vec3d onBodies{};
  Load load;
  {
    GivenBodies given(world_.solid);
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      given.move(bodies_[k], poseOf(end.position, k, world_.solid.rigid[bodies_[k]]), world_.time, dt);
    settings.tolerance = std::min(tolerance, kSolveShare * settings.couplingTolerance);
    try {
      solver_.step(world_, dt);
    } catch (...) {
      settings.tolerance = tolerance;
      throw;
    }
    settings.tolerance = tolerance;
    for (const std::size_t i : bodies_) {
      const GivenImpulse& j = solver_.impulsesOnGiven()[i];
      addLoad({j.linear, j.angular}, world_.solid.rigid[i].reach, load.value);
      onBodies += j.linear;
    }
  }
  // the world's balance counts what bodies give that nothing moves: these do move
  world_.impulseOnFluidFromStatic += onBodies;
  report_ = world_.report;
  return load;
}

}  // namespace meniscus::coupling

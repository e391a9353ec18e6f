// Rigid bodies of particles while a fluid is solved whose boundary moves as given: they count as kinematic, so that the fluid
// takes their motion and says what it did to them (ParticleSolver::impulsesOnGiven).
#pragma once

#include <memory>
#include <vector>

#include "engine/particle/step.h"
#include "engine/solid/motion.h"

namespace meniscus::coupling {

// Bodies that a coupling moves: the free rigid ones, as numbers in SolidState::rigid, ascending.
std::vector<std::size_t> coupledBodies(const SolidState& s);

// Makes the coupled bodies kinematic as long as it lives, and puts all of the solids back to where they were then.
class GivenBodies {
 public:
  explicit GivenBodies(SolidState& s);
  ~GivenBodies();
  GivenBodies(const GivenBodies&) = delete;
  GivenBodies& operator=(const GivenBodies&) = delete;

  // Evenly from where the body is `now` [s] to the pose, which it reaches dt [s] later.
  void move(std::size_t rigid, const Pose& to, double now, double dt);

 private:
  SolidState& s_;
  std::vector<RigidBody> rigid_;
  std::vector<SolidKind> kind_;  // of SolidState::bodies
  Buffer<Vec3d> x_, v_, xPrev_;  // of nodes
};

// A solver that sees the world's coupled bodies as given, for SphFluidBox.
std::unique_ptr<ParticleSolver> solverOfGivenBodies(Exec& exec, World& world);

}  // namespace meniscus::coupling

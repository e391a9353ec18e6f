// The bodies of a world in a step on a device: the program's side of DeviceBodies (engine/exec/device_fluid.h).
#pragma once

#include <exception>
#include <vector>

#include "engine/exec/device_fluid.h"
#include "engine/exec/exec.h"
#include "engine/particle/boundary.h"
#include "engine/particle/coupled_nodes.h"
#include "engine/particle/held_bodies.h"
#include "engine/particle/solve_tolerance.h"
#include "engine/solid/obstacles.h"
#include "engine/solid/solid.h"

namespace meniscus {

class BodiesOfWorld {
 public:
  // boundary: knows the surfaces; nodes: of solids that deform, or null; dt: of the whole step [s].
  BodiesOfWorld(World& world, const Boundary* boundary, CoupledNodes* nodes, double dt);
  BodiesOfWorld(const BodiesOfWorld&) = delete;
  BodiesOfWorld& operator=(const BodiesOfWorld&) = delete;

  // Good as long as this object; the world's time goes on with the sub-steps.
  DeviceBodies calls();
  // Throws the error of the call that had one.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }
  // What the coupling adds to the report of the step.
  void complete(StepReport& report) const;

 private:
  struct Rates {  // a rigid body
    std::vector<Vec3d> linear, angular;
  };
  double fastest(double remaining) const;
  void move(double h, DeviceRigid* out, const DeviceNodes* nodes);
  void findContacts();
  void place(DeviceRigid* out) const;
  void viscous(double h, const double* rigidChange, const double* nodeChange, double* gained);
  void finish(double h, const double* force, double volumeChange, double surface);
  // device_coupling.cpp: engine/particle/coupling.cpp for rigid bodies alone
  void beginCoupling(double h, double* velocity, const DeviceNodes* nodes);
  void beforeSolve(double* velocity, double* hold, const double** islands, int* islandNumbers, double* tolerance);
  bool afterSolve(double h, const double* acceleration, bool converged, bool filmsChanged);
  void endCoupling(double h, DeviceRigid* rigids, double* velocity, const DeviceNodes* nodes);
  void endNodes(double h, DeviceRigid* rigids, double* velocity, const DeviceNodes& nodes);
  void placeBodies(double h);
  void project(double h);
  void noteImpacts();
  void bounce(double h);
  double mismatch(const Rates& a, const Rates& b) const;
  double slowSpeed() const;
  void addContactImpulse(const Vec3d& j);
  void contacts(DeviceContactRow* rows, int count, const DeviceContact* contacts, int contactCount);
  void requireSolution(double residual, double h) const;
  template <class Call>
  int guarded(const Call& call);

  World& world_;
  const Boundary* boundary_;
  CoupledNodes* const nodes_;
  const double dt_;
  Exec exec_;
  SceneObstacles obstacles_;
  std::exception_ptr error_;
  bool coupled_ = false;  // in this sub-step
  Rates predicted_, start_, linear_, projected_;
  Rates acceleration_;  // of the last solve, by the pressure alone
  HeldBodies held_;
  double h_ = 0;  // of the sub-step [s]
  std::vector<RigidContact> impacts_;
  Buffer<double> invMassNormal_;
  Buffer<Vec3d> wetNormal_;
  int iteration_ = 0, mostIterations_ = 0;
  double residual_ = 0;
  bool firstIsLoose_ = false;
  SolveTolerance solveTolerance_;
  bool solved_ = true, changed_ = false;
  std::string reason_;  // why not converged
};

}  // namespace meniscus

// The pressure system of solids that deform beside a fluid on a device: rows of contacts and closed volumes are made here, those of
// constraints there, where the joint system is solved (DeviceJoint of engine/exec/device_fluid.h).
#pragma once

#include <vector>

#include "engine/exec/device_fluid.h"
#include "engine/particle/fluid_elsewhere.h"
#include "engine/particle/pressure_system.h"
#include "engine/particle/remote_constraints.h"
#include "engine/solid/constraint_sweeps.h"
#include "kernels/contact/node_contact.h"
#include "kernels/fluid/morris_row.h"

namespace meniscus {

// Projections on the device that the joint system is on.
class RemoteSweeps final : public ConstraintSweeps {
 public:
  // Of a sub-step. solved: joint solves on the device leave multipliers there for the projections behind them.
  void start(const DeviceJoint& device, bool solved) {
    device_ = &device;
    fresh_ = true;
    solved_ = solved;
    begun_ = false;
  }
  bool begin(const SolidState& s, double dt, const double* invMassNormal, const Vec3d* normal, const std::uint8_t* leftOut,
             const Obstacles* obstacles, double margin) override;
  bool sweep(Buffer<Vec3d>& x, int times, double most) override;
  void end(Buffer<double>& lambda, Buffer<NodeContact>& contacts) override;
  // Where joint solves come between: multipliers, and which nodes touch obstacles, as the last projection left them.
  void readOutcome(SolidState& s);

 private:
  const DeviceJoint* device_ = nullptr;
  bool fresh_ = true, solved_ = false;
  bool begun_ = false;     // and not ended
  bool contacts_ = false;  // are those of nodes there, in the last projection?
  std::vector<double> depth_;
  Buffer<Vec3d> answer_;
  std::vector<NodeObstacle> obstacles_;
  std::vector<double> friction_;  // of nodes
};

class RemotePressure final : public PressureSystem, public FluidElsewhere {
 public:
  // kernelDiagonal: the device solves in that mode.
  explicit RemotePressure(bool kernelDiagonal) : kernelDiagonal_(kernelDiagonal) {}
  // For the solves of one sub-step, in which the device has so many particles.
  void begin(const World& world, const DeviceJoint& device, Index particles);

  void setRightHandSide(Exec& exec, View<const Vec4f> uStar, const Buffer<Vec3d>& nodeVelocity,
                        const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular, View<const float> density,
                        double dt) override;
  SolveReport solve(Exec& exec, double tolerance, int maxIterations) override;
  void applyResult(Exec&) override {}  // a solve has done that
  FluidElsewhere* fluidElsewhere() override { return this; }
  bool takesRigidRows() const override { return false; }
  double densityShare() const override { return kernelDiagonal_ ? kMorrisDensityShare : 1; }

  Index constraintRows() const override { return rowsThere_; }
  void edgeForces(double& push2, double& all2) const override {
    push2 = edgePush2_;
    all2 = edgeAll2_;
  }

  Index particles() const override { return particles_; }
  bool filmsChanged() const override { return filmsChanged_; }
  void wetNodes(double* mass, Vec3d* normal) override;
  void waterInertia(const Vec3d* pivot, double* inertia, double* internal) override;
  void takeMotion(const double* motion) override;
  RemoteSweeps& sweeps() override { return sweeps_; }

 private:
  RemoteConstraints constraints_;
  bool firstSolve_ = true;  // of the sub-step
  Index rowsThere_ = 0;     // of the constraints
  double edgePush2_ = 0, edgeAll2_ = 0;
  const bool kernelDiagonal_;
  const DeviceJoint* device_ = nullptr;
  RemoteSweeps sweeps_;
  Index particles_ = 0;
  bool filmsChanged_ = false;
  const Vec3d* nodeVelocity_ = nullptr;
  std::vector<double> bodyVelocity_, bodyAcceleration_;  // six a rigid body
  std::vector<Index> bodyNodes_;                         // begin and end of each
};

}  // namespace meniscus

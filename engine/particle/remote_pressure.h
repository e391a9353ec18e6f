// The pressure system of solids that deform beside a fluid on a device: the rows of the solids are made here, the joint system is
// solved there (DeviceJoint of engine/exec/device_fluid.h).
#pragma once

#include <vector>

#include "engine/exec/device_fluid.h"
#include "engine/particle/fluid_elsewhere.h"
#include "engine/particle/pressure_system.h"
#include "engine/solid/constraint_sweeps.h"
#include "kernels/contact/node_contact.h"
#include "kernels/fluid/morris_row.h"
#include "kernels/solid/linearise_edge.h"

namespace meniscus {

// Projections on the device that the joint system is on.
class RemoteSweeps final : public ConstraintSweeps {
 public:
  void start(const DeviceJoint& device) {  // of a sub-step
    device_ = &device;
    fresh_ = true;
  }
  bool begin(const SolidState& s, double dt, const double* invMassNormal, const Vec3d* normal, const std::uint8_t* leftOut,
             const Obstacles* obstacles, double margin) override;
  bool sweep(Buffer<Vec3d>& x, int times, double most) override;
  void end(Buffer<double>& lambda, Buffer<NodeContact>& contacts) override;

 private:
  const DeviceJoint* device_ = nullptr;
  bool fresh_ = true;
  Buffer<Vec3d> answer_;
  std::vector<NodeObstacle> obstacles_;
  std::vector<double> friction_;  // of nodes
};

class RemotePressure final : public PressureSystem, public FluidElsewhere {
 public:
  // kernelDiagonal: the device solves in that mode.
  explicit RemotePressure(bool kernelDiagonal) : kernelDiagonal_(kernelDiagonal) {}
  // For the solves of one sub-step of dt, in which the device has so many particles.
  void begin(const World& world, const DeviceJoint& device, Index particles, double dt, double solvable);

  void setRightHandSide(Exec& exec, View<const Vec4f> uStar, const Buffer<Vec3d>& nodeVelocity,
                        const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular, View<const float> density,
                        double dt) override;
  SolveReport solve(Exec& exec, double tolerance, int maxIterations) override;
  void applyResult(Exec&) override {}  // a solve has done that
  FluidElsewhere* fluidElsewhere() override { return this; }
  double densityShare() const override { return kernelDiagonal_ ? kMorrisDensityShare : 1; }

  bool hasEdges() const override { return !edgeTable_.stored.empty() && !edgeTable_.weak; }
  double edgeMultiplier(Index edge) const override { return edgeLambda_[std::size_t(edge)]; }
  Index edgeRows() const override { return edgeRows_; }
  void edgeForces(double& push2, double& all2) const override {
    push2 = edgePush2_;
    all2 = edgeAll2_;
  }

  Index particles() const override { return particles_; }
  bool filmsChanged() const override { return filmsChanged_; }
  void wetNodes(double* mass, Vec3d* normal) override;
  void waterInertia(const Vec3d* pivot, double* inertia) override;
  void takeMotion(const double* motion) override;
  ConstraintSweeps& sweeps() override { return sweeps_; }

 protected:
  bool edgesElsewhere() const override { return hasEdges(); }

 private:
  void tabulateEdges(const SolidState& solid, double dt, double solvable);

  // What the device knows of the edges, and what that was made of.
  struct EdgeTable {
    std::vector<StoredEdge> stored;
    Buffer<Constraint> items;
    Buffer<double> rest, w;
    double dt = 0, solvable = 0;
    bool weak = false;   // some are taken explicitly: the program makes the rows
    bool there = false;  // the device has it
  } edgeTable_;
  bool firstSolve_ = true;  // of the sub-step
  std::vector<double> edgeLambda_;
  Index edgeRows_ = 0;
  double edgePush2_ = 0, edgeAll2_ = 0;
  const bool kernelDiagonal_;
  const DeviceJoint* device_ = nullptr;
  RemoteSweeps sweeps_;
  Index particles_ = 0;
  bool filmsChanged_ = false;
  const Vec3d* nodeVelocity_ = nullptr;
  std::vector<double> bodyVelocity_, bodyAcceleration_;  // six a rigid body
};

}  // namespace meniscus

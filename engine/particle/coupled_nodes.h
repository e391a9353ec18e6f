// The solids of a world that deform, in a step on a device: engine/particle/coupling.cpp as it is, with the fluid elsewhere.
#pragma once

#include <memory>

#include "engine/exec/device_fluid.h"
#include "engine/exec/exec.h"
#include "engine/particle/remote_pressure.h"
#include "engine/particle/solver_impl.h"

namespace meniscus {

class CoupledNodes {
 public:
  // Keeps a reference to the world.
  explicit CoupledNodes(World& world);

  void begin();  // of a step
  // The greatest speed of a node now, and of a pin in the next `remaining` seconds [m/s]. Throws above `most`.
  double fastest(double remaining, double most) const;
  const World& world() const { return world_; }
  void fill(const DeviceNodes& nodes) const;                 // positions of the sub-step, inverse masses
  void fillStart(const DeviceNodes& nodes, double h) const;  // velocities without the gravity of the sub-step
  void regions(double h, int count, const DeviceRegion* regions, float* more);
  void couple(double h, const DeviceJoint& device);
  // The velocities the coupling ended with; positions are already there.
  void end(double h, const DeviceNodes& nodes);
  const SolidVelocities& velocities() const { return impl_->linear; }
  View<const std::uint8_t> resting();  // see Boundary::resolveContacts
  void measure(double h, double volumeChange, double surface);

 private:
  World& world_;
  Exec exec_;
  RemotePressure* system_;  // impl_'s
  std::unique_ptr<ParticleSolver::Impl> impl_;
  Index particles_ = 0;
};

}  // namespace meniscus

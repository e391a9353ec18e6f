// The implicit viscous step on a device: engine/particle/viscosity.h for fluid among surfaces.
#pragma once

#include <vector>

#include "engine/particle/device/device_lists.h"
#include "kernels/fluid/pressure_rows.h"
#include "kernels/fluid/viscous_bodies.h"
#include "kernels/fluid/viscous_kernel.h"
#include "kernels/fluid/viscous_pass.h"

MNS_NS_BEGIN

// Bodies that give way, with their velocities before the step.
struct BodiesInViscosity {
  ViscousBodies view;
  const Vec3d* nodeVelocity = nullptr;
  const RigidRate* bodyVelocity = nullptr;
};

class DeviceViscosity {
 public:
  DeviceViscosity(Device& device, const DeviceFluidDef& def);
  bool wanted() const { return wanted_; }
  void reserve(Index n);
  // out = velocities after h; gained: momentum that came in, per volume of a particle, three doubles on the device. bodies: null
  // where none give way. False: at the limit of iterations.
  bool step(const DeviceLists& lists, const DeviceParticleState& particles, const float* rho, double h,
            const BodiesInViscosity* bodies, Vec4f* out, double* gained);
  // After it: changes of velocity, three a node and six a rigid body.
  void readChanges(std::vector<double>& node, std::vector<double>& rigid);

 private:
  void findWalls(const DeviceLists& lists, const DeviceParticleState& particles, bool moving, const float* x);
  void pass(const DeviceLists& lists, const DeviceParticleState& particles, const float* rho, const float* x, float* y);

  Device& device_;
  bool wanted_ = false, noSlip_;
  ViscousKernel kernel_;
  int kinds_;
  ViscousBodies bodies_;  // of the step in progress
  DeviceBuffer<double> muBase_;
  DeviceBuffer<float> mu_, b_, x_, r_, z_, d_, q_;
  DeviceBuffer<Vec4f> wall_, shear_;
  DeviceBuffer<SolveScalars> scalars_;
  std::vector<float> changes_;
  Repeated iterations_;
};

MNS_NS_END

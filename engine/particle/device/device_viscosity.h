// The implicit viscous step on a device: engine/particle/viscosity.h for fluid among surfaces whose motion is given.
#pragma once

#include "engine/particle/device/device_lists.h"
#include "kernels/fluid/pressure_rows.h"
#include "kernels/fluid/viscous_kernel.h"
#include "kernels/fluid/viscous_pass.h"

MNS_NS_BEGIN

class DeviceViscosity {
 public:
  DeviceViscosity(Device& device, const DeviceFluidDef& def);
  bool wanted() const { return wanted_; }
  void reserve(Index n);
  // out = velocities after h; gained: momentum that came in from the walls, per volume of a particle, three doubles on the device.
  // False: at the limit of iterations.
  bool step(const DeviceLists& lists, const DeviceParticleState& particles, const float* rho, double h, Vec4f* out, double* gained);

 private:
  void findWalls(const DeviceLists& lists, const DeviceParticleState& particles, bool moving);
  ViscousPass passOf(const DeviceLists& lists, const DeviceParticleState& particles, const float* rho, const float* x,
                     float* y) const;

  Device& device_;
  bool wanted_ = false, noSlip_;
  ViscousKernel kernel_;
  int kinds_;
  DeviceBuffer<double> muBase_;
  DeviceBuffer<float> mu_, b_, x_, r_, z_, d_, q_;
  DeviceBuffer<Vec4f> wall_, shear_;
  DeviceBuffer<SolveScalars> scalars_;
};

MNS_NS_END

// The fluid's matrix of pressure mode "kernel-diagonal" on a device: engine/particle/kernel_diagonal.h without the solids' columns.
#pragma once

#include "engine/particle/device/device_lists.h"
#include "kernels/fluid/morris_system.h"

MNS_NS_BEGIN

class DeviceMorris {
 public:
  DeviceMorris(Device& device, const DeviceFluidDef& def);
  bool wanted() const { return wanted_; }
  void reserve(Index n);

  // For the lists of this sub-step. diag: gets the diagonal. multiply() is product() = A d from then on.
  void assemble(const DeviceLists& lists, Index n, const float* invRho, const float* d, float* diag);
  void multiply();
  SparseRowsView matrix() const { return {n_, entries_, begin_.data(), column_.data(), value_.data()}; }
  const float* product() const { return product_.data(); }
  // From the right-hand side, where no pressure can answer it.
  void removeMean(float* rhs);
  // Accelerations by p.
  void gradient(const float* p, const float* invRho, Vec4f* acceleration);
  // Evens out the packing after a move by dt.
  void shift(double dt, Vec4f* x);

 private:
  Device& device_;
  bool wanted_;
  float S0_, floor_;
  double dx_;
  std::size_t entriesOfRow_;  // of a lattice
  PairView view_{};
  Index n_ = 0, entries_ = 0;
  DeviceBuffer<Index> begin_, column_;
  DeviceBuffer<float> value_, product_;
  DeviceBuffer<Vec4f> asymmetry_;
  DeviceBuffer<double> sums_;  // largest share of the surface, sum of the right-hand side
  Device::Product A_;
};

MNS_NS_END

// Connected regions of the fluid on a device, and what the program adds to the density terms of those that fill a closed space.
#pragma once

#include <vector>

#include "engine/particle/device/device_lists.h"
#include "kernels/fluid/regions.h"

MNS_NS_BEGIN

class DeviceRegions {
 public:
  explicit DeviceRegions(Device& device);
  // Particles at a surface of the fluid; waits for the device.
  double surface(const float* deficiency, Index n);
  // The regions of the fluid with the sums over each, in the order of their first particles.
  const std::vector<DeviceRegion>& find(const PairView& view, const DeviceParticleState& particles, const float* densityTerm,
                                        const float* e, const float* deficiency);
  // One value a region.
  void add(const std::vector<float>& more, float* densityTerm);

 private:
  void label(const PairView& view);

  Device& device_;
  Index n_ = 0;
  DeviceBuffer<Index> label_, next_, value_, sorted_, order_, head_, begin_;
  DeviceBuffer<Offset> before_;
  DeviceBuffer<RegionSums> sums_;
  DeviceBuffer<float> more_;
  DeviceBuffer<double> count_;
  std::vector<DeviceRegion> read_;
};

MNS_NS_END

// Whether there is a CUDA device that computes what the CPU does.
#pragma once

#include <string>
#include <vector>

#include "engine/exec/device_fluid.h"

namespace meniscus {

// What the CUDA plug-in says: one line a device, or none and the reason.
struct CudaProbe {
  std::vector<std::string> devices;
  std::string reason;                       // why none is usable
  const DeviceFluidCalls* fluid = nullptr;  // where one is
  std::string name;                         // of the first one
  double bandwidth = 0;                     // of its memory [B/s]; 0: not told
};
// plugin: file; empty: where the build or the installation has it
CudaProbe probeCuda(const std::string& plugin = {});

}  // namespace meniscus

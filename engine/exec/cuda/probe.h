// Whether there is a CUDA device that computes what the CPU does.
#pragma once

#include <string>
#include <vector>

namespace meniscus {

// What the CUDA plug-in says: one line a device, or none and the reason.
struct CudaProbe {
  std::vector<std::string> devices;
  std::string reason;  // why none is usable
};
CudaProbe probeCuda();

}  // namespace meniscus

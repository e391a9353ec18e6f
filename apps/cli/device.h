// Which device a run uses, and why.
#pragma once

#include <string>
#include <vector>

namespace meniscus::cli {

// What the CUDA plug-in says: one line a device, or none and the reason.
struct CudaProbe {
  std::vector<std::string> devices;
  std::string reason;  // why none is usable
};
CudaProbe probeCuda();

// The device for `asked` (auto, cpu, cuda): "cpu". Throws Error(deviceNotAvailable) with the reason where cuda is asked for.
std::string chooseDevice(const std::string& asked);

}  // namespace meniscus::cli

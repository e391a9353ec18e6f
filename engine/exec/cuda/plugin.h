// The border between the program and the CUDA plug-in: plain C types only, so that the two may be built by different compilers.
#pragma once

#include <cstdint>

#include "engine/exec/device_fluid.h"

namespace meniscus {

// Of the calls, and the sizes of what crosses the border: a plug-in of another build is refused.
constexpr std::uint32_t kCudaPluginVersion = std::uint32_t(11u << 24 | sizeof(DeviceFluidDef) << 12 | sizeof(DeviceStepReport));

struct CudaDeviceInfo {
  char name[256];
  int computeMajor, computeMinor;
  int driverVersion, runtimeVersion;  // 1000 * major + 10 * minor, as CUDA counts
  std::uint64_t memoryBytes;
  double bandwidth;  // of the memory by its clock and width [B/s]; 0: not told
};

struct CudaPlugin {
  std::uint32_t version;  // kCudaPluginVersion
  // Number of usable devices. 0: reason (a text of at most n bytes) says why.
  int (*deviceCount)(char* reason, int n);
  // false: reason says why
  bool (*deviceInfo)(int device, CudaDeviceInfo* info, char* reason, int n);
  // Number densities [1/m^3] of the particles at x (4 floats each, w unused) by the functor DensityAllPairs, for kernel support H
  // [m].
  bool (*numberDensity)(const float* x, int particles, float H, float* out, char* reason, int n);
  const DeviceFluidCalls* fluid;
};

// The only symbol of the plug-in.
using CudaPluginFactory = const CudaPlugin* (*)();
constexpr const char* kCudaPluginFactoryName = "meniscusCudaPlugin";

}  // namespace meniscus

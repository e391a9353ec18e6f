// The device that a test runs on: the serial one, or, in what nvcc builds, the first graphics card; where there is none the test is
// skipped with the reason.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "engine/exec/device.h"

namespace meniscus::testing {

inline std::unique_ptr<Device> openDevice(std::string& reason, const DeviceOptions& options = {}) {
#if defined(__CUDACC__)
  int count = 0;  // left alone by the call where there is no driver
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    reason = status != cudaSuccess ? cudaGetErrorString(status) : "the driver lists no device";
    return nullptr;
  }
#endif
  (void)reason;
  return std::make_unique<Device>(options);
}

}  // namespace meniscus::testing

#define MNS_OPEN_DEVICE(pointer, options)                                \
  std::string noDevice;                                                  \
  const auto pointer = meniscus::testing::openDevice(noDevice, options); \
  if (!pointer) GTEST_SKIP() << "no CUDA device: " << noDevice

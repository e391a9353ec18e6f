#include "engine/exec/cuda/plugin.h"

#include <cstdio>
#include <cstring>
#include <exception>

#include "engine/exec/device.h"
#include "kernels/core/density_all_pairs.h"

namespace meniscus {
namespace {

bool failed(cudaError_t status, const char* what, char* reason, int n) {
  if (status == cudaSuccess) return false;
  std::snprintf(reason, std::size_t(n), "%s: %s (CUDA error %d)", what, cudaGetErrorString(status), int(status));
  return true;
}

int deviceCount(char* reason, int n) {
  int count = 0;  // left alone by the call where there is no driver
  if (failed(cudaGetDeviceCount(&count), "no device", reason, n)) return 0;
  if (count == 0) std::snprintf(reason, std::size_t(n), "the driver lists no device");
  return count;
}

bool deviceInfo(int device, CudaDeviceInfo* info, char* reason, int n) {
  cudaDeviceProp prop;
  if (failed(cudaGetDeviceProperties(&prop, device), "device properties", reason, n)) return false;
  std::memset(info, 0, sizeof *info);
  std::memcpy(info->name, prop.name, sizeof info->name - 1);
  info->computeMajor = prop.major;
  info->computeMinor = prop.minor;
  info->memoryBytes = prop.totalGlobalMem;
  int clock = 0, width = 0;  // kHz, bits; two transfers a clock
  if (cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, device) == cudaSuccess &&
      cudaDeviceGetAttribute(&width, cudaDevAttrGlobalMemoryBusWidth, device) == cudaSuccess)
    info->bandwidth = 2 * 1e3 * clock * (width / 8.0);
  cudaGetLastError();
  return !failed(cudaDriverGetVersion(&info->driverVersion), "driver version", reason, n) &&
         !failed(cudaRuntimeGetVersion(&info->runtimeVersion), "runtime version", reason, n);
}

bool numberDensity(const float* x, int particles, float H, float* out, char* reason, int n) {
  if (particles <= 0) return true;
  try {
    Device device;
    DeviceBuffer<Vec4f> positions(device, "positions");
    DeviceBuffer<float> density(device, "densities");
    positions.upload(reinterpret_cast<const Vec4f*>(x), std::size_t(particles));
    density.resize(std::size_t(particles));
    launch(device, "density sum", particles,
           DensityAllPairs{{positions.data(), particles}, SmoothingKernel<float>::make(H), {density.data(), particles}});
    density.download(out);
    return true;
  } catch (const std::exception& e) {
    std::snprintf(reason, std::size_t(n), "%s", e.what());
    return false;
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const CudaPlugin* meniscusCudaPlugin() {
  static const CudaPlugin plugin = {kCudaPluginVersion, deviceCount, deviceInfo, numberDensity, &deviceFluidCalls()};
  return &plugin;
}

}  // namespace meniscus

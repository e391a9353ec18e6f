#include "engine/exec/cuda/plugin.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include "kernels/core/density_all_pairs.h"

namespace meniscus {
namespace {

constexpr int kThreads = 256;

template <class Body>
__global__ void launch(Index n, Body body) {
  const Index i = Index(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) body(i);
}

bool failed(cudaError_t status, const char* what, char* reason, int n) {
  if (status == cudaSuccess) return false;
  std::snprintf(reason, std::size_t(n), "%s: %s (CUDA error %d)", what, cudaGetErrorString(status), int(status));
  return true;
}

// Device memory that is freed when its scope ends.
struct DeviceArray {
  void* data = nullptr;
  ~DeviceArray() { cudaFree(data); }
};

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
  return !failed(cudaDriverGetVersion(&info->driverVersion), "driver version", reason, n) &&
         !failed(cudaRuntimeGetVersion(&info->runtimeVersion), "runtime version", reason, n);
}

bool numberDensity(const float* x, int particles, float H, float* out, char* reason, int n) {
  if (particles <= 0) return true;
  DeviceArray dx, dout;
  const std::size_t count = std::size_t(particles);
  if (failed(cudaMalloc(&dx.data, count * sizeof(Vec4f)), "device memory", reason, n) ||
      failed(cudaMalloc(&dout.data, count * sizeof(float)), "device memory", reason, n) ||
      failed(cudaMemcpy(dx.data, x, count * sizeof(Vec4f), cudaMemcpyHostToDevice), "copy to the device", reason, n))
    return false;
  const DensityAllPairs body{
      {static_cast<const Vec4f*>(dx.data), particles}, SmoothingKernel<float>::make(H), {static_cast<float*>(dout.data), particles}};
  launch<<<(particles + kThreads - 1) / kThreads, kThreads>>>(Index(particles), body);
  return !failed(cudaGetLastError(), "launch of the density sum", reason, n) &&
         !failed(cudaMemcpy(out, dout.data, count * sizeof(float), cudaMemcpyDeviceToHost), "density sum", reason, n);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const CudaPlugin* meniscusCudaPlugin() {
  static const CudaPlugin plugin = {kCudaPluginVersion, deviceCount, deviceInfo, numberDensity};
  return &plugin;
}

}  // namespace meniscus

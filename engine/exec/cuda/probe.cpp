#include "engine/exec/cuda/probe.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "engine/base/beside.h"
#include "engine/base/heap.h"
#include "engine/exec/cuda/plugin.h"
#include "kernels/core/density_all_pairs.h"

namespace meniscus {
namespace {

namespace fs = std::filesystem;

constexpr int kReasonBytes = 512;
constexpr float kDensityTolerance = 1e-5f;  // relative, GPU against CPU: single precision sums of some ten terms

// The same functor on both sides, on a small lattice of particles: does the device compute what the CPU does?
bool trial(const CudaPlugin& plugin, std::string& reason) {
  std::vector<Vec4f> x;
  for (int k = 0; k < 7 * 7 * 7; ++k) x.emplace_back(0.1f * float(k % 7), 0.1f * float(k / 7 % 7), 0.1f * float(k / 49), 0.f);
  const Index n = Index(x.size());
  std::vector<float> onCpu(x.size()), onDevice(x.size());
  const DensityAllPairs body{{x.data(), n}, SmoothingKernel<float>::make(0.2f), {onCpu.data(), n}};
  for (Index i = 0; i < n; ++i) body(i);
  char text[kReasonBytes] = {};
  if (!plugin.numberDensity(&x[0].x, n, 0.2f, onDevice.data(), text, kReasonBytes)) {
    reason = text;
    return false;
  }
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(std::fabs(onDevice[i] - onCpu[i]) <= kDensityTolerance * onCpu[i])) {
      reason = fmt::format("its density sum of particle {} is {} instead of {}", i, onDevice[i], onCpu[i]);
      return false;
    }
  return true;
}

std::string describe(const CudaDeviceInfo& info) {
  return fmt::format("{}, compute capability {}.{}, {:.1f} GiB, driver for CUDA {}.{}, runtime {}.{}", info.name, info.computeMajor,
                     info.computeMinor, double(info.memoryBytes) / (1u << 30), info.driverVersion / 1000,
                     info.driverVersion % 1000 / 10, info.runtimeVersion / 1000, info.runtimeVersion % 1000 / 10);
}

}  // namespace

CudaProbe probeCuda(const std::string& file) {
  const HeapOfProcess own;  // the plug-in and what it allocates stay until the process ends
  CudaProbe probe;
  const std::string path = file.empty() ? besideThisCode("meniscus_cuda.so") : file;
  if (!fs::exists(path)) {
    probe.reason = "this build has no CUDA plug-in (nvcc was not found when it was configured)";
    return probe;
  }
  // never closed: the CUDA runtime in it has threads and exit handlers of its own
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto factory = handle ? reinterpret_cast<CudaPluginFactory>(dlsym(handle, kCudaPluginFactoryName)) : nullptr;
  if (!factory) {
    const char* why = dlerror();
    probe.reason = fmt::format("the CUDA plug-in cannot be opened: {}", why ? why : path);
    return probe;
  }
  const CudaPlugin& plugin = *factory();
  if (plugin.version != kCudaPluginVersion) {
    probe.reason = fmt::format("the CUDA plug-in has version {}, this program needs {}", plugin.version, kCudaPluginVersion);
    return probe;
  }
  char text[kReasonBytes] = {};
  const int count = plugin.deviceCount(text, kReasonBytes);
  probe.reason = text;
  for (int d = 0; d < count; ++d) {
    CudaDeviceInfo info;
    if (!plugin.deviceInfo(d, &info, text, kReasonBytes)) {
      probe.reason = text;
      continue;
    }
    if (probe.devices.empty()) {
      probe.name = info.name;
      probe.bandwidth = info.bandwidth;
    }
    probe.devices.push_back(describe(info));
  }
  if (!probe.devices.empty() && !trial(plugin, probe.reason)) probe.devices.clear();
  if (!probe.devices.empty()) probe.fluid = plugin.fluid;
  return probe;
}

}  // namespace meniscus

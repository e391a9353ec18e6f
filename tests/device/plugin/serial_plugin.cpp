// A plug-in with the serial device in the place of a card, for tests of the border, and built without fused products as nvcc builds
// the real one.
#include <cstdio>
#include <cstring>
#include <exception>

#include "engine/exec/cuda/plugin.h"
#include "engine/exec/device.h"
#include "kernels/core/density_all_pairs.h"

namespace meniscus {
namespace {

int deviceCount(char*, int) { return 1; }

bool deviceInfo(int, CudaDeviceInfo* info, char*, int) {
  std::memset(info, 0, sizeof *info);
  std::strcpy(info->name, "serial device");
  return true;
}

bool numberDensity(const float* x, int particles, float H, float* out, char*, int) {
  Device device;
  DeviceBuffer<Vec4f> positions(device, "positions");
  DeviceBuffer<float> density(device, "densities");
  positions.upload(reinterpret_cast<const Vec4f*>(x), std::size_t(particles));
  density.resize(std::size_t(particles));
  launch(device, "density sum", particles,
         DensityAllPairs{{positions.data(), particles}, SmoothingKernel<float>::make(H), {density.data(), particles}});
  density.download(out);
  return true;
}

}  // namespace

#ifdef MENISCUS_SHARES_OPENGL
const DeviceFluidCalls& callsWithDoor();
#else
const DeviceFluidCalls& callsWithDoor() { return deviceFluidCalls(); }
#endif

extern "C" __attribute__((visibility("default"))) const CudaPlugin* meniscusCudaPlugin() {
#ifdef MENISCUS_OTHER_VERSION
  constexpr std::uint32_t version = kCudaPluginVersion + 1;
#else
  constexpr std::uint32_t version = kCudaPluginVersion;
#endif
  static const CudaPlugin plugin = {version, deviceCount, deviceInfo, numberDensity, &callsWithDoor()};
  return &plugin;
}

}  // namespace meniscus

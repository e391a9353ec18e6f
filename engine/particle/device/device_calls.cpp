// The calls of engine/exec/device_fluid.h: nothing is thrown across them.
#include <cstdio>
#include <exception>
#include <memory>

#include "engine/particle/device/device_step.h"

MNS_NS_BEGIN

namespace {

struct FluidOnDevice {
  FluidOnDevice(const DeviceFluidDef& def, const DeviceOptions& options) : device(options), fluid(device, def) {}
  Device device;
  DeviceFluid fluid;
};

FluidOnDevice& of(void* fluid) { return *static_cast<FluidOnDevice*>(fluid); }

template <class Call>
int guarded(char* reason, int n, const Call& call) {
  ErrorKind kind = ErrorKind::internal;
  try {
    call();
    return 0;
  } catch (const Error& e) {
    kind = e.kind;
    std::snprintf(reason, std::size_t(n), "%s", e.what());
  } catch (const std::exception& e) { std::snprintf(reason, std::size_t(n), "%s", e.what()); }
  return int(kind);
}

int create(const DeviceFluidDef* def, const DeviceOptions* options, void** fluid, char* reason, int n) {
  *fluid = nullptr;
  return guarded(reason, n, [&] { *fluid = std::make_unique<FluidOnDevice>(*def, *options).release(); });
}
void destroy(void* fluid) { delete static_cast<FluidOnDevice*>(fluid); }
int upload(void* fluid, const DeviceParticles* p, char* reason, int n) {
  return guarded(reason, n, [&] { of(fluid).fluid.upload(*p); });
}
int step(void* fluid, double dt, const DeviceBodies* bodies, DeviceStepReport* report, char* reason, int n) {
  return guarded(reason, n, [&] { of(fluid).fluid.step(dt, bodies, *report); });
}
std::int32_t count(void* fluid) { return of(fluid).fluid.count(); }
int download(void* fluid, const DeviceParticles* p, char* reason, int n) {
  return guarded(reason, n, [&] { of(fluid).fluid.download(*p); });
}
void counters(void* fluid, DeviceCounters* out) { *out = of(fluid).device.counters(); }

int stages(void* fluid, DeviceStage* out, int capacity) {
  const std::vector<DeviceStage>& all = of(fluid).device.stages();
  for (int k = 0; k < capacity && k < int(all.size()); ++k) out[k] = all[std::size_t(k)];
  return int(all.size());
}

}  // namespace

const DeviceFluidCalls& deviceFluidCalls() {
  static const DeviceFluidCalls calls = {create, destroy, upload, step, count, download, counters, stages};
  return calls;
}

MNS_NS_END

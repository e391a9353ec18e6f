// The calls of engine/exec/device_fluid.h: nothing is thrown across them.
#include <memory>
#include <string>

#include "engine/particle/device/fluid_on_device.h"

MNS_NS_BEGIN

namespace {

int create(const DeviceFluidDef* def, const DeviceOptions* options, void** fluid, char* reason, int n) {
  *fluid = nullptr;
  return guarded(reason, n, [&] { *fluid = std::make_unique<FluidOnDevice>(*def, *options).release(); });
}
void destroy(void* fluid) { delete static_cast<FluidOnDevice*>(fluid); }
int upload(void* fluid, const DeviceParticles* p, char* reason, int n) {
  of(fluid).arrays.stale();
  return guarded(reason, n, [&] { of(fluid).fluid.upload(*p); });
}
int step(void* fluid, double dt, const DeviceBodies* bodies, const DeviceOpenings* openings, DeviceStepReport* report, char* reason,
         int n) {
  of(fluid).arrays.stale();
  return guarded(reason, n, [&] { of(fluid).fluid.step(dt, bodies, openings, *report); });
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

void note(void* fluid, char* text, int n) {
  const std::string why = of(fluid).fluid.whyOwnProducts();
  const char* const plain = "pressure mode \"kernel-diagonal\": products by the device's own kernel, because ";
  std::snprintf(text, std::size_t(n), "%s%s", why.empty() ? "" : plain, why.c_str());
}

}  // namespace

const DeviceFluidCalls& deviceFluidCalls() {
  static const DeviceFluidCalls calls = {create,   destroy,  upload, step, count,
                                         download, counters, stages, note, &deviceArrayCalls()};
  return calls;
}

MNS_NS_END

// The calls of engine/exec/device_arrays.h: nothing is thrown across them.
#include <memory>

#include "engine/particle/device/fluid_on_device.h"

MNS_NS_BEGIN

namespace {

int gatherField(void* fluid, const DeviceFieldDef* def, DeviceArray* array, char* reason, int n) {
  return guarded(reason, n, [&] { *array = of(fluid).arrays.gather(*def); });
}
int putArray(void* fluid, std::int32_t slot, const void* from, std::int64_t bytes, DeviceArray* array, char* reason, int n) {
  return guarded(reason, n, [&] { *array = of(fluid).arrays.put(slot, from, std::size_t(bytes)); });
}
void where(void* fluid, DeviceArray* array) { *array = of(fluid).arrays.where(); }
int waitFor(void* fluid, void* event, char* reason, int n) {
  return guarded(reason, n, [&] { of(fluid).device.waitFor(event); });
}
int read(void* fluid, void* to, const void* from, std::int64_t bytes, char* reason, int n) {
  return guarded(reason, n, [&] { of(fluid).device.toHost(to, from, std::size_t(bytes), "array for callers"); });
}

int registerBuffer(const DeviceOptions* options, std::uint32_t buffer, void** resource, char* reason, int n) {
  *resource = nullptr;
  return guarded(reason, n, [&] { *resource = std::make_unique<GraphicsBuffer>(*options, buffer).release(); });
}
void unregisterBuffer(void* resource) { delete static_cast<GraphicsBuffer*>(resource); }
int writeBuffer(void* fluid, void* resource, std::int64_t offset, std::int64_t bytes, const DeviceFieldDef* def,
                std::int64_t* count, char* reason, int n) {
  return guarded(reason, n, [&] {
    *count = of(fluid).arrays.write(*static_cast<GraphicsBuffer*>(resource), std::size_t(offset), std::size_t(bytes), *def);
  });
}

}  // namespace

const DeviceArrayCalls& deviceArrayCalls() {
  static const DeviceArrayCalls calls = {gatherField,    putArray,         where,      waitFor, read,
                                         registerBuffer, unregisterBuffer, writeBuffer};
  return calls;
}

MNS_NS_END

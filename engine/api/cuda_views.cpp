// Arrays where they are on the graphics card that steps the scene.
#include "engine/api/defs.h"
#include "engine/api/objects.h"
#include "engine/base/error.h"
#include "engine/particle/device_views.h"
#include "meniscus/meniscus_cuda.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

// body(scene, device) of a started scene with its particles on the device.
template <class F>
mnsResult onItsDevice(mnsScene* scene, const F& body) noexcept {
  return read(scene, [&](mnsScene& s) {
    started(s);
    const std::lock_guard<std::mutex> lock(s.deviceMutex);
    const char* why = "";
    DeviceSolver* const device = deviceNow(s, why);
    if (!device) fail(MNS_ERROR_DEVICE_NOT_AVAILABLE, "the scene runs on the CPU, because {}", why);
    body(s, *device);
    return MNS_OK;
  });
}

void give(mnsCudaView* to, const DeviceArray& a, mnsFormat format, std::int64_t count) {
  mnsCudaView v{};
  v.device = a.device;
  v.view = mnsHostView(a.data, format, count);
  v.view.memory = MNS_MEMORY_CUDA;
  v.view.stride = sizeOf(format);
  v.stream = a.stream;
  v.ready = a.ready;
  giveOut(to, v, "mnsCudaView");
}

// An array of the host's, sent. slot: tells it from all others of the scene.
void send(const DeviceSolver& device, std::int32_t slot, const mnsView& from, mnsCudaView* to) {
  give(to, putOnDevice(device, slot, from.data, from.count * from.stride), from.format, from.count);
}

}  // namespace

extern "C" {

mnsResult mnsScene_GetCudaParticles(mnsScene* scene, mnsParticleField field, mnsCudaView* view) {
  return onItsDevice(scene, [&](mnsScene& s, const DeviceSolver& device) {
    needPointer(view, "view");
    needField(field);
    const World& w = s.running->world;
    const std::optional<DeviceField> there = onDevice(field);
    if (!there) return send(device, -1 - std::int32_t(field), s.published.particles(w, field), view);
    const DeviceArray a = deviceArray(device, w, *there);
    give(view, a, formatOf(field), a.count);
  });
}

mnsResult mnsBody_GetCudaArray(mnsScene* scene, mnsBodyId body, mnsBodyField field, mnsCudaView* view) {
  return onItsDevice(scene, [&](mnsScene& s, const DeviceSolver& device) {
    needPointer(view, "view");
    needField(field);
    const std::int32_t order = s.bodies.at(body, s.serial, "body").order;
    send(device, order * kBodyFields + std::int32_t(field), s.published.body(s.running->world, order, field), view);
  });
}

mnsResult mnsScene_GetCudaStream(mnsScene* scene, int32_t* number, void** stream) {
  return onItsDevice(scene, [&](mnsScene&, const DeviceSolver& device) {
    const DeviceArray place = placeOnDevice(device);
    if (number) *number = place.device;
    if (stream) *stream = place.stream;
  });
}

mnsResult mnsScene_WaitForCuda(mnsScene* scene, void* event) {
  return onItsDevice(scene, [&](mnsScene&, const DeviceSolver& device) {
    needPointer(event, "event");
    waitForEvent(device, event);
  });
}

}  // extern "C"

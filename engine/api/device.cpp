// Which device steps a scene, and how it gets off one that fails.
#include <chrono>

#include "engine/api/inside.h"
#include "engine/api/objects.h"
#include "engine/base/error.h"
#include "engine/particle/device_views.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

void goOnOnCpu(mnsScene& s, const std::string& why) {
  s.running->device.reset();
  s.running->deviceLeft = true;
  s.running->deviceLeftWhy = why;
  MNS_LOG(*s.context, MNS_LOG_INFO, "device", "CPU, because " + why);
}

// Null: the CPU steps this scene.
DeviceSolver* deviceOf(mnsScene& s) {
  Running& r = *s.running;
  const Settings& settings = s.context->settings;
  if (!settings.fluid || r.deviceLeft) return nullptr;
  checkDevice(s, r.world);
  const std::string missing = notOnDevice(r.world);
  if (!missing.empty()) {
    goOnOnCpu(s, "a device does not step " + missing + " yet");
    return nullptr;
  }
  if (!r.device) {
    r.device = std::make_unique<DeviceSolver>(*settings.fluid, settings.deviceOptions, r.world);
    const std::string note = r.device->note();
    if (!note.empty()) MNS_LOG(*s.context, MNS_LOG_INFO, "device", note);
  }
  return r.device.get();
}

}  // namespace

namespace meniscus::api {

void checkDevice(const mnsScene& s, const World& w) {
  if (!s.context->settings.needDevice) return;
  const std::string missing = notOnDevice(w);
  if (!missing.empty()) fail(MNS_ERROR_DEVICE_NOT_AVAILABLE, "CUDA cannot be used: it does not step {} yet; use the CPU", missing);
}

bool advance(mnsScene& s, double dt, bool (*stop)()) {
  Running& r = *s.running;
  const auto begin = std::chrono::steady_clock::now();
  r.deviceStepped = false;
  try {
    if (DeviceSolver* device = deviceOf(s)) {
      device->step(r.world, dt);
      r.deviceSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      return r.deviceStepped = true;
    }
  } catch (const Error& e) {
    r.device.reset();
    if (e.kind != ErrorKind::deviceNotAvailable || s.context->settings.needDevice) throw;
    // nothing is lost: the state before the step is here, and the CPU goes on from it
    r.before.restore(r.world);
    applyForces(s, dt);
    goOnOnCpu(s, e.what());
  }
  // forces of the host have changed the velocities since
  return r.stepOnCpu(dt, stop, s.forces.empty() ? &r.before : nullptr);
}

DeviceSolver* deviceNow(mnsScene& s, const char*& why) {
  Running& r = *s.running;
  why = s.context->settings.whyCpu.c_str();
  try {
    DeviceSolver* const device = deviceOf(s);
    if (!device) {
      if (r.deviceLeft) why = r.deviceLeftWhy.c_str();
      return nullptr;
    }
    r.deviceNotNowWhy = notOnDeviceAsArray(r.world);
    if (r.deviceNotNowWhy.empty()) {
      if (r.stateOnDevice == s.published.state()) return device;
      r.stateOnDevice = 0;
      device->bring(r.world);
      r.stateOnDevice = s.published.state();
      return device;
    }
  } catch (const Error& e) {
    if (e.kind != ErrorKind::deviceNotAvailable) throw;
    r.device.reset();  // the next step tries again
    r.deviceNotNowWhy = e.what();
  }
  why = r.deviceNotNowWhy.c_str();
  return nullptr;
}

void useDevice(mnsContext* context, const DeviceFluidCalls* calls, bool needed, const DeviceOptions& options) {
  context->settings.fluid = calls;
  context->settings.needDevice = needed;
  context->settings.deviceOptions = options;
}

void readDeviceOf(const mnsScene* scene, void* to, const void* from, std::int64_t bytes) {
  readDevice(*scene->running->device, to, from, bytes);
}

bool onDevice(const mnsScene* scene) { return scene->running && scene->running->device; }

}  // namespace meniscus::api

// What the pointer of the calls of engine/exec/device_fluid.h points to, and how errors come across them.
#pragma once

#include <cstdio>
#include <exception>

#include "engine/particle/device/device_arrays.h"
#include "engine/particle/device/device_step.h"

MNS_NS_BEGIN

struct FluidOnDevice {
  FluidOnDevice(const DeviceFluidDef& def, const DeviceOptions& options)
      : device(options), fluid(device, def), arrays(device, fluid) {}
  Device device;
  DeviceFluid fluid;
  DeviceArrays arrays;
};

inline FluidOnDevice& of(void* fluid) { return *static_cast<FluidOnDevice*>(fluid); }

// 0, or the kind of what was thrown, with its text in `reason`.
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

MNS_NS_END

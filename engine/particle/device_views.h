// Arrays of a world's particles where they are on the device that steps it, and in buffers of a graphics context.
#pragma once

#include <cstdint>
#include <string>

#include "engine/particle/device_solver.h"

namespace meniscus {

// The solver has to have the world's particles. These throw Error.
DeviceArray deviceArray(const DeviceSolver& solver, const World& world, DeviceField field);
DeviceArray putOnDevice(const DeviceSolver& solver, std::int32_t slot, const void* from, std::int64_t bytes);
DeviceArray placeOnDevice(const DeviceSolver& solver);  // its number and stream alone
void waitForEvent(const DeviceSolver& solver, void* event);
void readDevice(const DeviceSolver& solver, void* to, const void* from, std::int64_t bytes);

// Why the world's arrays cannot be made on a device; "" where they can.
std::string notOnDeviceAsArray(const World& world);

// A buffer object of the graphics context that is current, written by the device.
class SharedBuffer {
 public:
  // Throws deviceNotAvailable where the device cannot share it.
  SharedBuffer(const DeviceSolver& solver, std::uint32_t buffer);
  ~SharedBuffer();
  SharedBuffer(const SharedBuffer&) = delete;
  SharedBuffer& operator=(const SharedBuffer&) = delete;

  // From `offset` on, at most `bytes`; returns the number of items.
  std::int64_t write(const DeviceSolver& solver, const World& world, DeviceField field, std::int64_t offset, std::int64_t bytes);

 private:
  const DeviceArrayCalls& calls_;
  void* resource_ = nullptr;
};

}  // namespace meniscus

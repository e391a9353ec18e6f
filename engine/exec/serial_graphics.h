// Graphics buffers of the serial device: memory that DeviceOptions::graphics hands out by name, as a driver does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/exec/device.h"

MNS_NS_BEGIN

class GraphicsBuffer {
 public:
  // Throws deviceNotAvailable where the device cannot share the buffer.
  GraphicsBuffer(const DeviceOptions& options, std::uint32_t buffer);
  ~GraphicsBuffer();
  GraphicsBuffer(const GraphicsBuffer&) = delete;
  GraphicsBuffer& operator=(const GraphicsBuffer&) = delete;

  // Where the device can write, until unmap; bytes: of the whole buffer. Both throw deviceNotAvailable.
  void* map(Device& device, std::size_t* bytes);
  void unmap(Device& device);

 private:
  const SerialGraphics* graphics_;
  std::uint32_t buffer_;
};

MNS_NS_END

// Buffer objects of OpenGL that kernels write to.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "engine/exec/device.h"

MNS_NS_BEGIN

class GraphicsBuffer {
 public:
  // Of the OpenGL context that is current on this thread. Throws deviceNotAvailable, also where that context is on another device.
  GraphicsBuffer(const DeviceOptions& options, std::uint32_t buffer);
  ~GraphicsBuffer();
  GraphicsBuffer(const GraphicsBuffer&) = delete;
  GraphicsBuffer& operator=(const GraphicsBuffer&) = delete;

  // Where the device's stream can write, until unmap; bytes: of the whole buffer. OpenGL's commands given before come before, those
  // given after unmap come behind.
  void* map(Device& device, std::size_t* bytes);
  void unmap(Device& device);

 private:
  cudaGraphicsResource* resource_ = nullptr;
};

MNS_NS_END

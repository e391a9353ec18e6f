// OpenGL's buffers and the events of callers' streams: what of sharing only a card can run.
#include "engine/exec/cuda/cuda_graphics.h"

#if __has_include(<GL/gl.h>)
#include <cuda_gl_interop.h>
#define MNS_CUDA_HAS_GL
#endif

#include <string>

#include "engine/base/error.h"

MNS_NS_BEGIN

namespace {

void need(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // not a lasting one: the device goes on without sharing
  throw Error(ErrorKind::deviceNotAvailable,
              std::string(what) + ": " + cudaGetErrorString(status) + " (CUDA error " + std::to_string(int(status)) + ")");
}

}  // namespace

void* Device::mark() {
  if (!ready_) check(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming), "event");
  check(cudaEventRecord(ready_, stream_), "event");
  return ready_;
}

void Device::waitFor(void* event) { need(cudaStreamWaitEvent(stream_, static_cast<cudaEvent_t>(event), 0), "wait for an event"); }

#if defined(MNS_CUDA_HAS_GL)

GraphicsBuffer::GraphicsBuffer(const DeviceOptions& options, std::uint32_t buffer) {
  constexpr unsigned kMost = 16;
  unsigned count = 0;
  int devices[kMost];
  need(cudaGLGetDevices(&count, devices, kMost, cudaGLDeviceListAll), "CUDA devices of the current OpenGL context");
  bool same = false;
  for (unsigned k = 0; k < count; ++k) same = same || devices[k] == options.device;
  if (!same) throw Error(ErrorKind::deviceNotAvailable, "the current OpenGL context is not on the CUDA device of the scene");
  need(cudaSetDevice(options.device), "choose the device");
  need(cudaGraphicsGLRegisterBuffer(&resource_, buffer, cudaGraphicsRegisterFlagsNone), "register the buffer object");
}

GraphicsBuffer::~GraphicsBuffer() {
  cudaGraphicsUnregisterResource(resource_);
  cudaGetLastError();  // of a context that is gone, with which the buffer went
}

void* GraphicsBuffer::map(Device& device, std::size_t* bytes) {
  const auto stream = static_cast<cudaStream_t>(device.stream());
  need(cudaGraphicsMapResources(1, &resource_, stream), "map the buffer object");
  void* memory = nullptr;
  const cudaError_t status = cudaGraphicsResourceGetMappedPointer(&memory, bytes, resource_);
  if (status != cudaSuccess) cudaGraphicsUnmapResources(1, &resource_, stream);
  need(status, "address of the buffer object");
  return memory;
}

void GraphicsBuffer::unmap(Device& device) {
  need(cudaGraphicsUnmapResources(1, &resource_, static_cast<cudaStream_t>(device.stream())), "unmap the buffer object");
}

#else

GraphicsBuffer::GraphicsBuffer(const DeviceOptions&, std::uint32_t) {
  throw Error(ErrorKind::deviceNotAvailable, "the CUDA plug-in was built where OpenGL's headers were missing");
}
GraphicsBuffer::~GraphicsBuffer() = default;
void* GraphicsBuffer::map(Device&, std::size_t*) { return nullptr; }
void GraphicsBuffer::unmap(Device&) {}

#endif

MNS_NS_END

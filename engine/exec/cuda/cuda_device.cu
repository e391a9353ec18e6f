#include "engine/exec/cuda/cuda_device.h"

#include <cstring>

#include "engine/base/error.h"

MNS_NS_BEGIN

namespace {

// What is copied back in small pieces goes by pinned memory: the flags and scalars of a step.
constexpr std::size_t kPinnedBytes = 4096;

}  // namespace

void Device::check(cudaError_t status, const char* name) {
  if (status == cudaSuccess) return;
  throw Error(ErrorKind::deviceNotAvailable, description_ + ": \"" + name + "\", or a launch before it: " +
                                                 cudaGetErrorString(status) + " (CUDA error " + std::to_string(int(status)) + ")");
}

Device::Device(const DeviceOptions& options) : options_(options), description_("CUDA device " + std::to_string(options.device)) {
  check(cudaSetDevice(options_.device), "choose the device");
  cudaDeviceProp prop;
  check(cudaGetDeviceProperties(&prop, options_.device), "device properties");
  description_ = prop.name;
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
  check(cudaDeviceGetDefaultMemPool(&pool_, options_.device), "memory pool");
  // what is given back stays in the pool: buffers grow seldom, and by a quarter
  std::uint64_t all = ~std::uint64_t(0);
  check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &all), "memory pool");
  check(cudaMallocHost(&pinned_, kPinnedBytes), "pinned memory");
}

Device::~Device() {
  release(partials_);
  release(scratch_);
  if (stream_) cudaStreamSynchronize(stream_);
  for (const Mark& m : marks_) cudaEventDestroy(m.event);
  if (pool_) cudaMemPoolTrimTo(pool_, 0);
  if (ready_) cudaEventDestroy(ready_);
  if (stream_) cudaStreamDestroy(stream_);
  if (pinned_) cudaFreeHost(pinned_);
}

void* Device::allocate(std::size_t bytes, const char* name) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  const cudaError_t status = cudaMallocAsync(&memory, bytes, stream_);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // not a lasting one: what there is stays as it is
    throw Error(ErrorKind::deviceNotAvailable,
                description_ + ": " + std::to_string(bytes) + " bytes for \"" + name + "\": out of memory");
  }
  check(status, name);
  ++counters_.allocations;
  counters_.allocationsInSteps += inStep_;
  std::uint64_t used = 0;
  check(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used), name);
  counters_.bytes = used;
  if (used > counters_.peakBytes) counters_.peakBytes = used;
  return memory;
}

void Device::release(void* memory) noexcept {
  if (!memory) return;
  cudaFreeAsync(memory, stream_);
  std::uint64_t used = 0;
  if (cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess) counters_.bytes = used;
}

// Events are kept from step to step.
void Device::stage(const char* name) {
  if (!options_.timed || !inStep_) return;
  if (marked_ == marks_.size()) {
    Mark m{name, nullptr};
    check(cudaEventCreate(&m.event), name ? name : "end of a step");
    marks_.push_back(m);
  }
  marks_[marked_].name = name;
  check(cudaEventRecord(marks_[marked_].event, stream_), name ? name : "end of a step");
  ++marked_;
}

void Device::endStep() {
  stage(nullptr);
  inStep_ = false;
  if (marked_ == 0) return;
  check(cudaEventSynchronize(marks_[marked_ - 1].event), "end of a step");
  for (std::size_t k = 0; k + 1 < marked_; ++k) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, marks_[k].event, marks_[k + 1].event), "time of a stage");
    if (marks_[k].name) addStage(stages_, marks_[k].name, 1e-3 * double(milliseconds));
  }
  marked_ = 0;
}

void Device::wait(const char* name) {
  ++counters_.waits;
  check(cudaStreamSynchronize(stream_), name);
}

void Device::toDevice(void* to, const void* from, std::size_t bytes, const char* name) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), name);
  counters_.toDevice += bytes;
  wait(name);  // `from` may go
}

void Device::toHost(void* to, const void* from, std::size_t bytes, const char* name) {
  const bool small = bytes <= kPinnedBytes;
  check(cudaMemcpyAsync(small ? pinned_ : to, from, bytes, cudaMemcpyDeviceToHost, stream_), name);
  counters_.toHost += bytes;
  wait(name);
  if (small) std::memcpy(to, pinned_, bytes);
}

void Device::zero(void* to, std::size_t bytes, const char* name) { check(cudaMemsetAsync(to, 0, bytes, stream_), name); }

double* Device::partials(std::size_t n) {
  if (n > partialsRoom_) {
    release(partials_);
    partials_ = nullptr;
    partialsRoom_ = 0;
    partials_ = allocate(roomFor(n) * sizeof(double), "partial sums");
    partialsRoom_ = roomFor(n);
  }
  return static_cast<double*>(partials_);
}

void* Device::scratch(std::size_t bytes) {
  if (bytes > scratchRoom_) {
    release(scratch_);
    scratch_ = nullptr;
    scratchRoom_ = 0;
    scratch_ = allocate(roomFor(bytes), "scratch of sorts and scans");
    scratchRoom_ = roomFor(bytes);
  }
  return scratch_;
}

MNS_NS_END

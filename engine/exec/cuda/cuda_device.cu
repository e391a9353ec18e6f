#include "engine/exec/cuda/cuda_device.h"

#include <cstring>

#include "engine/base/error.h"

MNS_NS_BEGIN

namespace {

// What is copied back in small pieces goes by pinned memory: the flags and scalars of a step.
constexpr std::size_t kPinnedBytes = 4096;
// What is copied there goes by one of the halves of this: the host does not wait for it. More than a half goes as it is.
constexpr std::size_t kStagedBytes = std::size_t(4) << 20;

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
  check(cudaMallocHost(&staged_, kStagedBytes), "pinned memory");
  for (cudaEvent_t& e : stageFree_) check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "pinned memory");
}

Device::~Device() {
  closeSparse();
  for (void* memory : {partials_, ticket_, scratch_}) release(memory);
  if (stream_) cudaStreamSynchronize(stream_);
  for (const Mark& m : marks_) cudaEventDestroy(m.event);
  if (pool_) cudaMemPoolTrimTo(pool_, 0);
  if (ready_) cudaEventDestroy(ready_);
  if (stream_) cudaStreamDestroy(stream_);
  for (const cudaEvent_t e : stageFree_)
    if (e) cudaEventDestroy(e);
  for (void* memory : {pinned_, staged_})
    if (memory) cudaFreeHost(memory);
}

void Device::checkNotRecording(const char* name) const {
  if (recording_) throw Error(ErrorKind::internal, std::string("\"") + name + "\" while launches are recorded");
}

void Device::beginRecording(const char* name) {
  checkNotRecording(name);
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), name);
  recording_ = true;
  recordedNow_ = 0;
}

void Device::dropRecording() noexcept {
  cudaGraph_t graph = nullptr;
  if (recording_ && cudaStreamEndCapture(stream_, &graph) == cudaSuccess && graph) cudaGraphDestroy(graph);
  cudaGetLastError();
  recording_ = false;
}

void Device::endRecording(Recording& into, const char* name) {
  recording_ = false;
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream_, &graph), name);
  cudaError_t status = cudaSuccess;
  if (into.graph_) {
    cudaGraphExecUpdateResultInfo info;
    if (cudaGraphExecUpdate(into.graph_, graph, &info) != cudaSuccess) {
      cudaGetLastError();  // it has other launches than before
      cudaGraphExecDestroy(into.graph_);
      into.graph_ = nullptr;
    }
  }
  if (!into.graph_) status = cudaGraphInstantiate(&into.graph_, graph, 0);
  cudaGraphDestroy(graph);
  check(status, name);
  into.launches_ = recordedNow_;
}

void Device::replay(const Recording& recording, const char* name) {
  checkNotRecording(name);
  ++counters_.replays;
  counters_.replayed += recording.launches_;
  check(cudaGraphLaunch(recording.graph_, stream_), name);
}

void* Device::allocate(std::size_t bytes, const char* name) {
  if (bytes == 0) return nullptr;
  checkNotRecording(name);
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

// A half of the staging memory that has room for so many bytes, once what it held before is through.
char* Device::stagingRoom(std::size_t bytes, const char* name) {
  constexpr std::size_t half = kStagedBytes / 2;
  if (stagedNow_ + bytes > half) {
    check(cudaEventRecord(stageFree_[stageHalf_], stream_), name);
    stageHalf_ = 1 - stageHalf_;
    stagedNow_ = 0;
    check(cudaEventSynchronize(stageFree_[stageHalf_]), name);  // at once where it was never recorded
  }
  char* const room = static_cast<char*>(staged_) + std::size_t(stageHalf_) * half + stagedNow_;
  stagedNow_ += (bytes + 15) / 16 * 16;
  return room;
}

void Device::toDevice(void* to, const void* from, std::size_t bytes, const char* name) {
  checkNotRecording(name);
  ++counters_.copiesToDevice;
  counters_.toDevice += bytes;
  if (bytes <= kStagedBytes / 2) {
    char* const staged = stagingRoom(bytes, name);
    std::memcpy(staged, from, bytes);
    return check(cudaMemcpyAsync(to, staged, bytes, cudaMemcpyHostToDevice, stream_), name);
  }
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), name);
  wait(name);  // `from` may go
}

void Device::toHost(void* to, const void* from, std::size_t bytes, const char* name) {
  checkNotRecording(name);
  const bool small = bytes <= kPinnedBytes;
  check(cudaMemcpyAsync(small ? pinned_ : to, from, bytes, cudaMemcpyDeviceToHost, stream_), name);
  ++counters_.copiesToHost;
  counters_.toHost += bytes;
  wait(name);
  if (small) std::memcpy(to, pinned_, bytes);
}

void Device::zero(void* to, std::size_t bytes, const char* name) {
  checkNotRecording(name);
  check(cudaMemsetAsync(to, 0, bytes, stream_), name);
}

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

unsigned* Device::ticket() {
  if (!ticket_) {
    ticket_ = allocate(sizeof(unsigned), "ticket of the last block");
    zero(ticket_, sizeof(unsigned), "ticket of the last block");
  }
  return static_cast<unsigned*>(ticket_);
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

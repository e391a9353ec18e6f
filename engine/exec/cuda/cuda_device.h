// The graphics card behind exec/device.h. What only nvcc can build and only a card can run is here, in cuda_device.cu and in
// cuda_sort.cu: the kernels' entry points, the exchange between lanes, waiting within a block, launches, memory, CUB.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/exec/device_options.h"
#include "engine/exec/launch.h"

MNS_NS_BEGIN

template <class Body>
struct GridLaunch {
  Index n, blocks;
  Body body;
  __device__ void block() const { runThread(n, blocks, Index(blockIdx.x), int(threadIdx.x), body); }
};

// Folds the threads' values; afterwards thread 0 has the block's.
template <int K, class Op>
__device__ void foldBlock(const double (&acc)[K], double (&value)[K]) {
  __shared__ double shared[BlockFold<K, Op>::kShared];
  const int t = int(threadIdx.x);
  BlockFold<K, Op>::put(shared, t, acc);
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    BlockFold<K, Op>::fold(shared, t, half);
  }
  if (t == 0)
    for (int k = 0; k < K; ++k) value[k] = shared[k * kThreads];
}

template <int K, class Op, class Collect, class Store>
struct FoldLaunch {
  Collect collect;
  Store store;
  __device__ void block() const {
    double acc[K], value[K];
    BlockFold<K, Op>::begin(acc);
    collect(Index(blockIdx.x), int(threadIdx.x), acc);
    foldBlock<K, Op>(acc, value);
    if (threadIdx.x == 0) store(Index(blockIdx.x), value);
  }
};

template <int N>
__device__ LaneSums<N> ofLane(const LaneSums<N>& a, int distance) {
  LaneSums<N> r;
  for (int k = 0; k < N; ++k) r.v[k] = __shfl_xor_sync(0xffffffffu, a.v[k], distance);
  return r;
}

template <class Body>
struct RowLaunch {
  Index n;
  Body body;
  double* partial;
  __device__ void block() const {
    constexpr int K = Body::kSums > 0 ? Body::kSums : 1;
    const int lane = int(threadIdx.x) % Body::kLanes;
    const Index row = Index(blockIdx.x) * rowsOfBlock<Body>() + Index(threadIdx.x) / Body::kLanes;
    // the lanes beyond the last row have to take part in the exchange
    decltype(body.lane(row, 0)) sums = {};
    if (row < n) sums = body.lane(row, lane);
#pragma unroll
    for (int s = 0; s < foldSteps<Body>(); ++s) sums = sums + ofLane(sums, laneDistance<Body>(s));
    double acc[K] = {};
    if (lane == 0 && row < n) body.finish(row, sums, acc);
    if constexpr (Body::kSums > 0) {
      double value[K];
      foldBlock<K, SumOf>(acc, value);
      if (threadIdx.x == 0) StorePartials<K>{partial}(Index(blockIdx.x), value);
    }
  }
};

template <class Launch>
__global__ void __launch_bounds__(kThreads) deviceKernel(const Launch launch) {
  launch.block();
}

class Device {
 public:
  explicit Device(const DeviceOptions& options = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  void* allocate(std::size_t bytes, const char* name);
  void release(void* memory) noexcept;
  void toDevice(void* to, const void* from, std::size_t bytes, const char* name);
  void toHost(void* to, const void* from, std::size_t bytes, const char* name);
  void zero(void* to, std::size_t bytes, const char* name);
  std::size_t roomFor(std::size_t n) const { return n + n / 4; }
  double* partials(std::size_t n);

  void exclusiveScan(const char* name, const Index* count, Index n, Offset* begin);
  void sortByKey(const char* name, const Index* keyIn, Index* keyOut, const Index* valueIn, Index* valueOut, Index n, int bits);

  template <class Launch>
  void run(const char* name, Index blocks, const Launch& body) {
    deviceKernel<Launch><<<unsigned(blocks), kThreads, 0, stream_>>>(body);
    ++counters_.launches;
    check(cudaGetLastError(), name);
  }

  void beginStep() {
    inStep_ = true;
    marked_ = 0;  // of a step that failed
  }
  void endStep();
  void stage(const char* name);
  const std::vector<DeviceStage>& stages() const { return stages_; }
  const DeviceCounters& counters() const { return counters_; }
  const std::string& description() const { return description_; }
  int number() const { return options_.device; }
  void* stream() const { return stream_; }
  void* mark();               // an event behind all that was given so far
  void waitFor(void* event);  // what is given from now on comes behind it

 private:
  // Throws deviceNotAvailable, naming the kernel or buffer. An error of a kernel may show only at a later call, which says so.
  void check(cudaError_t status, const char* name);
  void* scratch(std::size_t bytes);  // of scans and sorts
  void wait(const char* name);

  DeviceOptions options_;
  DeviceCounters counters_;
  std::string description_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr;
  cudaMemPool_t pool_ = nullptr;
  void* pinned_ = nullptr;
  void* partials_ = nullptr;
  void* scratch_ = nullptr;
  std::size_t partialsRoom_ = 0, scratchRoom_ = 0;
  bool inStep_ = false;
  // of the step in progress: where each stage begins on the stream
  struct Mark {
    const char* name;
    cudaEvent_t event;
  };
  std::vector<Mark> marks_;
  std::size_t marked_ = 0;
  std::vector<DeviceStage> stages_;
};

MNS_NS_END

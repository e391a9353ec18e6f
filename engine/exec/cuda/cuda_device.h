// The graphics card behind exec/device.h. What only nvcc can build and only a card can run is here, in cuda_device.cu,
// cuda_sort.cu and cuda_sparse.cu: the kernels' entry points, the exchange between lanes, waiting within a block, launches, memory,
// CUB, cuSPARSE.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/exec/device_options.h"
#include "engine/exec/launch.h"
#include "kernels/linear/sparse_rows.h"

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

// Rows of several lanes: finish() of a row by one thread, with its lanes' sums folded.
template <class Body>
struct RowLaunch {
  Index n;
  Body body;
  static constexpr int kSums = Body::kSums > 0 ? Body::kSums : 1;
  __device__ void block() const {
    double acc[kSums] = {};
    collect(acc);
  }
  __device__ void collect(double (&acc)[kSums]) const {
    const int lane = int(threadIdx.x) % Body::kLanes;
    const Index row = Index(blockIdx.x) * rowsOfBlock<Body>() + Index(threadIdx.x) / Body::kLanes;
    // the lanes beyond the last row have to take part in the exchange
    decltype(body.lane(row, 0)) sums = {};
    if (row < n) sums = body.lane(row, lane);
#pragma unroll
    for (int s = 0; s < foldSteps<Body>(); ++s) sums = sums + ofLane(sums, laneDistance<Body>(s));
    if (lane == 0 && row < n) body.finish(row, sums, acc);
  }
};

// What a block has collected, and what the last block makes of all of it (as threadFenceReduction of the CUDA samples).
template <int K, class Op, class After>
__device__ void foldWhole(const LastBlock& last, const double (&mine)[K], const After& after) {
  __shared__ bool isLast;
  double value[K];
  foldBlock<K, Op>(mine, value);
  if (threadIdx.x == 0) {
    StorePartials<K>{last.partial}(Index(blockIdx.x), value);
    __threadfence();
    isLast = atomicAdd(last.ticket, 1u) == unsigned(last.blocks) - 1;
  }
  __syncthreads();
  if (!isLast) return;
  __threadfence();
  double acc[K];
  BlockFold<K, Op>::begin(acc);
  CollectPartials<K, Op>{last.blocks, last.partial}(int(threadIdx.x), acc);
  foldBlock<K, Op>(acc, value);
  if (threadIdx.x != 0) return;
  after(value);
  *last.ticket = 0;
}

template <int K, class Op, class Collect, class After>
struct WholeFoldLaunch {
  Collect collect;
  LastBlock last;
  After after;
  __device__ void block() const {
    double acc[K];
    BlockFold<K, Op>::begin(acc);
    collect(Index(blockIdx.x), int(threadIdx.x), acc);
    foldWhole<K, Op>(last, acc, after);
  }
};

template <class Body, class After>
struct WholeRowLaunch {
  RowLaunch<Body> rows;
  LastBlock last;
  After after;
  __device__ void block() const {
    double acc[Body::kSums] = {};
    rows.collect(acc);
    foldWhole<Body::kSums, SumOf>(last, acc, after);
  }
};

// Parameters that are only read: a body that hands on references to its views needs no copy of them in local memory.
template <class Launch>
__global__ void __launch_bounds__(kThreads) deviceKernel(const __grid_constant__ Launch launch) {
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
  unsigned* ticket();

  void exclusiveScan(const char* name, const Index* count, Index n, Offset* begin);
  void sortByKey(const char* name, const Index* keyIn, Index* keyOut, const Index* valueIn, Index* valueOut, Index n, int bits);

  // By cuSPARSE where that is found and works, else by the kernel of kernels/linear/sparse_rows.h.
  class Product {
   public:
    explicit Product(Device& device) : device_(device) {}
    ~Product();
    Product(const Product&) = delete;
    Product& operator=(const Product&) = delete;

   private:
    friend class Device;
    Device& device_;
    SparseRowsView matrix_{};
    const float* x_ = nullptr;
    float* y_ = nullptr;
    // descriptors of the matrix and the vectors, made anew for another size; room for what preprocessing makes of the pattern
    void *A_ = nullptr, *in_ = nullptr, *out_ = nullptr, *room_ = nullptr;
    std::size_t roomBytes_ = 0;
  };
  void prepare(const char* name, Product& product, const SparseRowsView& matrix, const float* x, float* y);
  void multiply(const char* name, const Product& product);
  std::string whyOwnProducts();

  template <class Launch>
  void run(const char* name, Index blocks, const Launch& body) {
    deviceKernel<Launch><<<unsigned(blocks), kThreads, 0, stream_>>>(body);
    recording_ ? ++recordedNow_ : ++counters_.launches;
    check(cudaGetLastError(), name);
  }

  // Launches that are kept with their arguments, to be run again in their order: a CUDA graph, whose executable form is kept and
  // given new arguments.
  class Recording {
   public:
    explicit Recording(Device&) {}
    ~Recording() {
      if (graph_) cudaGraphExecDestroy(graph_);
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

   private:
    friend class Device;
    cudaGraphExec_t graph_ = nullptr;
    std::size_t launches_ = 0;
  };
  bool recordsLaunches() const { return options_.recorded; }
  // Launches between these two are not run. Whatever else is asked for meanwhile throws internal.
  void beginRecording(const char* name);
  void endRecording(Recording& into, const char* name);
  void dropRecording() noexcept;
  void replay(const Recording& recording, const char* name);

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
  void checkNotRecording(const char* name) const;
  void* scratch(std::size_t bytes);  // of scans and sorts
  char* stagingRoom(std::size_t bytes, const char* name);
  void wait(const char* name);
  bool openSparse();  // cuSPARSE, at most once; false: own products

  DeviceOptions options_;
  DeviceCounters counters_;
  std::string description_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr;
  cudaMemPool_t pool_ = nullptr;
  void* pinned_ = nullptr;
  void* staged_ = nullptr;
  cudaEvent_t stageFree_[2] = {nullptr, nullptr};  // behind the copies from each half
  int stageHalf_ = 0;
  std::size_t stagedNow_ = 0;  // bytes in use of it
  bool recording_ = false;
  std::size_t recordedNow_ = 0;
  void* partials_ = nullptr;
  void* ticket_ = nullptr;
  void* scratch_ = nullptr;
  std::size_t partialsRoom_ = 0, scratchRoom_ = 0;
  void* sparse_ = nullptr;  // cuSPARSE's handle
  bool sparseAsked_ = false;
  std::string whyOwnProducts_;
  void dropDescriptors(Product& product) noexcept;
  void closeSparse() noexcept;
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

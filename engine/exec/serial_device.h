// The device on which tests run what is written for a graphics card: launches of the same geometry, block by block and thread by
// thread on the calling thread. Kernels must not depend on the order of blocks and threads, so that order can be chosen; memory is
// closed to the host except within a launch or a copy, and new memory is filled with not-a-number.
#pragma once

#include <sys/mman.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "engine/exec/device_options.h"
#include "engine/exec/launch.h"

MNS_NS_BEGIN

// Phases of a launch that the serial device takes one after the other for all threads of a block.
template <class Body>
struct GridLaunch {
  Index n, blocks;
  Body body;
  template <class Threads>
  void block(Index b, const Threads& threads) const {
    for (const int t : threads) runThread(n, blocks, b, t, body);
  }
};

template <int K, class Op>
struct SerialFold {
  double shared[BlockFold<K, Op>::kShared];
  template <class Threads>
  void fold(const Threads& threads, double (&value)[K]) {
    for (int half = kThreads / 2; half > 0; half /= 2)
      for (const int t : threads) BlockFold<K, Op>::fold(shared, t, half);
    for (int k = 0; k < K; ++k) value[k] = shared[k * kThreads];
  }
};

template <int K, class Op, class Collect, class Store>
struct FoldLaunch {
  Collect collect;
  Store store;
  template <class Threads>
  void block(Index b, const Threads& threads) const {
    SerialFold<K, Op> work;
    for (const int t : threads) {
      double acc[K];
      BlockFold<K, Op>::begin(acc);
      collect(b, t, acc);
      BlockFold<K, Op>::put(work.shared, t, acc);
    }
    double value[K];
    work.fold(threads, value);
    store(b, value);
  }
};

template <class Body>
struct RowLaunch {
  Index n;
  Body body;
  double* partial;
  template <class Threads>
  void block(Index b, const Threads& threads) const {
    constexpr int K = Body::kSums > 0 ? Body::kSums : 1;
    SerialFold<K, SumOf> work;
    for (const int t : threads) {
      double acc[K] = {};
      const Index row = b * rowsOfBlock<Body>() + t / Body::kLanes;
      if (t % Body::kLanes == 0 && row < n) body.finish(row, sums(row), acc);
      BlockFold<K, SumOf>::put(work.shared, t, acc);
    }
    if (Body::kSums == 0) return;
    double value[K];
    work.fold(threads, value);
    StorePartials<K>{partial}(b, value);
  }
  auto sums(Index row) const {
    decltype(body.lane(row, 0)) lanes[Body::kLanes], other[Body::kLanes];
    for (int l = 0; l < Body::kLanes; ++l) lanes[l] = body.lane(row, l);
    for (int s = 0; s < foldSteps<Body>(); ++s) {
      for (int l = 0; l < Body::kLanes; ++l) other[l] = lanes[l ^ laneDistance<Body>(s)];
      for (int l = 0; l < Body::kLanes; ++l) lanes[l] = lanes[l] + other[l];
    }
    return lanes[0];
  }
};

class Device {
 public:
  explicit Device(const DeviceOptions& options = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Throws deviceNotAvailable where there is no room left, naming what it is for.
  void* allocate(std::size_t bytes, const char* name);
  void release(void* memory) noexcept;
  void toDevice(void* to, const void* from, std::size_t bytes, const char* name);
  void toHost(void* to, const void* from, std::size_t bytes, const char* name);
  void zero(void* to, std::size_t bytes, const char* name);
  // Values that a buffer which has to grow to n gets.
  std::size_t roomFor(std::size_t n) const { return options_.guarded ? n : n + n / 4; }
  double* partials(std::size_t n);  // room for the blocks' values of a fold; until the next one

  // begin[0] = 0, begin[i + 1] = begin[i] + count[i]; count has n + 1 values, the last of which does not matter.
  void exclusiveScan(const char* name, const Index* count, Index n, Offset* begin);
  // Stable, by key in [0, 2^bits).
  void sortByKey(const char* name, const Index* keyIn, Index* keyOut, const Index* valueIn, Index* valueOut, Index n, int bits);

  template <class Launch>
  void run(const char* name, Index blocks, const Launch& launch) {
    (void)name;  // a card's errors need it
    ++counters_.launches;
    open();
    for (Index k = 0; k < blocks; ++k) launch.block(blockAt(k, blocks), threads_);
    close();
  }

  // Between these two nothing should be allocated once the buffers have grown.
  void beginStep() {
    inStep_ = true;
    stageNow_ = nullptr;  // of a step that failed
  }
  void endStep() {
    stage(nullptr);
    inStep_ = false;
  }
  // What follows belongs to this stage (a literal; null: to none).
  void stage(const char* name);
  const std::vector<DeviceStage>& stages() const { return stages_; }  // in the order of first use
  const DeviceCounters& counters() const { return counters_; }
  std::string description() const { return "serial device"; }
  int number() const { return options_.device; }
  void* stream() const { return nullptr; }  // launches are done when they return
  void* mark() { return nullptr; }
  void waitFor(void*) {}

 private:
  void open() { protect(PROT_READ | PROT_WRITE); }  // the memory, to this process
  void close() { protect(PROT_NONE); }
  void protect(int access);
  Index blockAt(Index k, Index blocks) const;

  DeviceOptions options_;
  DeviceCounters counters_;
  char* base_ = nullptr;
  std::size_t used_ = 0;  // from the base on, that was ever handed out
  struct Block {
    std::size_t bytes;  // that may be touched, from the offset on
    std::size_t end;    // offset of the next block at the earliest
    void* memory;
  };
  std::map<std::size_t, Block> blocks_;  // in use, by offset
  std::vector<int> threads_;             // of a block, in the order in which they run
  void* partials_ = nullptr;
  std::size_t partialsRoom_ = 0;
  bool inStep_ = false;
  std::vector<DeviceStage> stages_;
  const char* stageNow_ = nullptr;
  std::chrono::steady_clock::time_point stageBegin_;
};

MNS_NS_END

// The device on which tests run what is written for a graphics card: launches of the same geometry, block by block and thread by
// thread on the calling thread. Kernels must not depend on the order of blocks and threads, so that order can be chosen; memory is
// closed to the host except within a launch or a copy, and new memory is filled with not-a-number.
#pragma once

#include <sys/mman.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/exec/device_options.h"
#include "engine/exec/launch.h"
#include "kernels/linear/sparse_rows.h"

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

// Rows of several lanes: finish() of a row by one thread, with its lanes' sums folded.
template <class Body>
struct RowLaunch {
  Index n;
  Body body;
  static constexpr int kSums = Body::kSums > 0 ? Body::kSums : 1;
  template <class Threads>
  void block(Index b, const Threads& threads) const {
    double acc[kSums];
    for (const int t : threads) collect(b, t, acc);
  }
  void collect(Index b, int t, double (&acc)[kSums]) const {
    const Index row = b * rowsOfBlock<Body>() + t / Body::kLanes;
    if (t % Body::kLanes == 0 && row < n) body.finish(row, sums(row), acc);
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

// What a block has collected, and what the last block makes of all of it.
template <int K, class Op, class Collect, class After, class Threads>
void foldWhole(Index b, const Threads& threads, const LastBlock& last, const Collect& collect, const After& after) {
  SerialFold<K, Op> work{};
  double value[K];
  const auto fold = [&](const auto& each) {
    for (const int t : threads) {
      double acc[K];
      BlockFold<K, Op>::begin(acc);
      each(t, acc);
      BlockFold<K, Op>::put(work.shared, t, acc);
    }
    work.fold(threads, value);
  };
  fold([&](int t, double(&acc)[K]) { collect(b, t, acc); });
  StorePartials<K>{last.partial}(b, value);
  if ((*last.ticket)++ != unsigned(last.blocks) - 1) return;
  fold(CollectPartials<K, Op>{last.blocks, last.partial});
  after(value);
  *last.ticket = 0;
}

template <int K, class Op, class Collect, class After>
struct WholeFoldLaunch {
  Collect collect;
  LastBlock last;
  After after;
  template <class Threads>
  void block(Index b, const Threads& threads) const {
    foldWhole<K, Op>(b, threads, last, collect, after);
  }
};

template <class Body, class After>
struct WholeRowLaunch {
  RowLaunch<Body> rows;
  LastBlock last;
  After after;
  template <class Threads>
  void block(Index b, const Threads& threads) const {
    foldWhole<Body::kSums, SumOf>(
        b, threads, last, [&](Index block, int t, double(&acc)[Body::kSums]) { rows.collect(block, t, acc); }, after);
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
  unsigned* ticket();               // of the blocks of a fold; zero between launches

  // begin[0] = 0, begin[i + 1] = begin[i] + count[i]; count has n + 1 values, the last of which does not matter.
  void exclusiveScan(const char* name, const Index* count, Index n, Offset* begin);
  // Stable, by key in [0, 2^bits).
  void sortByKey(const char* name, const Index* keyIn, Index* keyOut, const Index* valueIn, Index* valueOut, Index n, int bits);

  // y = A x, many times: what only the matrix' pattern says, and the room that takes, is found out once.
  class Product {
   public:
    explicit Product(Device&) {}
    Product(const Product&) = delete;
    Product& operator=(const Product&) = delete;

   private:
    friend class Device;
    SparseRowsView matrix_{};
    const float* x_ = nullptr;
    float* y_ = nullptr;
  };
  // Before the first product, and whenever matrix or vectors are elsewhere or have another size or pattern.
  void prepare(const char* name, Product& product, const SparseRowsView& matrix, const float* x, float* y);
  void multiply(const char* name, const Product& product);
  // Why products are made by the device's own kernel where a library was wanted; "" where that is as asked for.
  std::string whyOwnProducts() const { return {}; }

  template <class Launch>
  void run(const char* name, Index blocks, const Launch& launch) {
    (void)name;  // a card's errors need it
    const auto work = [this, blocks, launch] {
      for (Index k = 0; k < blocks; ++k) launch.block(blockAt(k, blocks), threads_);
    };
    if (open_) return open_->push_back(work);  // recorded with its arguments as they are now
    ++counters_.launches;
    open();
    work();
    close();
  }

  // Launches that are kept with their arguments, to be run again in their order.
  class Recording {
   public:
    explicit Recording(Device&) {}
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

   private:
    friend class Device;
    std::vector<std::function<void()>> launches_;
  };
  bool recordsLaunches() const { return options_.recorded; }
  // Launches between these two are not run. Whatever else is asked for meanwhile throws internal.
  void beginRecording(const char* name);
  void endRecording(Recording& into, const char* name);
  void dropRecording() noexcept { open_.reset(); }
  void replay(const Recording& recording, const char* name);

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
  void checkNotRecording(const char* name) const;
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
  std::map<std::size_t, Block> blocks_;                     // in use, by offset
  std::vector<int> threads_;                                // of a block, in the order in which they run
  std::optional<std::vector<std::function<void()>>> open_;  // launches of the recording in progress
  void* partials_ = nullptr;
  void* ticket_ = nullptr;
  std::size_t partialsRoom_ = 0;
  bool inStep_ = false;
  std::vector<DeviceStage> stages_;
  const char* stageNow_ = nullptr;
  std::chrono::steady_clock::time_point stageBegin_;
};

MNS_NS_END

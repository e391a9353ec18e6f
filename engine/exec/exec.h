// Execution on CPU threads: one named launch template, reductions and scans whose result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/buffer.h"
#include "kernels/core/macros.h"

namespace meniscus {

struct LaunchStats {
  const char* name;  // the literal given to parallelFor
  std::uint64_t calls;
  double seconds;
};

// Rows are cut into blocks of this size; a reduction sums inside a block in order, then over the blocks in order. Fixed, because
// the result's bits depend on it.
constexpr Index kBlock = 512;

// Somebody else's threads: run calls task(context, k) once for every k in [0, count), on any threads, and returns when all have
// returned.
struct HostTasks {
  void* user = nullptr;
  void (*run)(void* user, std::int32_t count, void (*task)(void* context, std::int32_t k), void* context) = nullptr;
};

// A T for each thread of an executor. None shares a line of the cache with another: threads that write to one line at a time wait
// for each other at every write.
template <class T>
class PerThread {
 public:
  struct alignas(64) Own {
    T value{};
  };
  explicit PerThread(Own* all) : all_(all) {}
  T& operator[](int thread) const { return all_[thread].value; }

 private:
  Own* all_;
};

class Exec {
 public:
  explicit Exec(int threads = 0);          // 0: all the processors this process may use
  Exec(int tasks, const HostTasks& host);  // a launch is cut into so many tasks of the host's
  ~Exec();
  Exec(const Exec&) = delete;
  Exec& operator=(const Exec&) = delete;

  static int processors();  // that this process may use
  int threads() const;
  // Runs job(chunk) for chunk in [0, chunks) on all threads; returns when all are done. A thread that is done with its share of the
  // chunks takes over others', so a job may write only what belongs to its chunk.
  void run(const char* name, Index chunks, void (*job)(void* context, Index chunk), void* context);

  // Time and number of launches by name since the last reset, in the order of first use.
  std::vector<LaunchStats> stats() const;
  void resetStats();

  Buffer<double>& scratch(std::size_t n);  // for reductions; one user at a time

  // Working memory for the jobs of the coming launch, threads() of them: a job's own is at [thread()]. Kept from launch to launch;
  // asked for before it, so that which thread comes by first, or late, does not decide when memory is allocated.
  template <class T>
  PerThread<T> perThread() {
    using All = std::vector<typename PerThread<T>::Own>;
    const auto make = [](int n) { return std::shared_ptr<void>(std::make_shared<All>(std::size_t(n))); };
    return PerThread<T>(static_cast<All*>(keptFor(&kKey<T>, make))->data());
  }
  // And where it grows by what it meets: all get the room of the largest.
  template <class T>
  PerThread<T> perThreadLevelled() {
    const PerThread<T> all = perThread<T>();
    for (int k = 1; k < threads(); ++k) all[0].makeRoomOf(all[k]);
    for (int k = 1; k < threads(); ++k) all[k].makeRoomOf(all[0]);
    return all;
  }
  static int thread();  // inside a job: which of the launch's threads runs it

 private:
  template <class T>
  static constexpr char kKey = 0;
  void* keptFor(const void* key, std::shared_ptr<void> (*make)(int n));  // what make(threads()) made the first time

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// body(i) for every i in [0, n). The body is a named functor holding views and values; it is inlined into the chunk loop. grain:
// items a thread takes at a time; smaller than a block where a launch has few, costly items. The result must not depend on it.
template <class Body>
void parallelFor(Exec& exec, const char* name, Index n, const Body& body, Index grain = kBlock) {
  struct Context {
    const Body* body;
    Index n, grain;
  } context{&body, n, grain};
  const Index chunks = (n + grain - 1) / grain;
  exec.run(
      name, chunks,
      [](void* c, Index chunk) {
        const Context& ctx = *static_cast<const Context*>(c);
        const Body b = *ctx.body;  // a local copy: the compiler then knows that stores do not change the views
        const Index begin = chunk * ctx.grain, end = begin + ctx.grain < ctx.n ? begin + ctx.grain : ctx.n;
        for (Index i = begin; i < end; ++i) b(i);
      },
      &context);
}

// body(begin, end) for every block of kBlock rows: for loops that keep state across rows. Block b starts at b * kBlock.
template <class Body>
void parallelBlocks(Exec& exec, const char* name, Index n, const Body& body) {
  struct Context {
    const Body* body;
    Index n;
  } context{&body, n};
  exec.run(
      name, (n + kBlock - 1) / kBlock,
      [](void* c, Index chunk) {
        const Context& ctx = *static_cast<const Context*>(c);
        const Body b = *ctx.body;
        const Index begin = chunk * kBlock;
        b(begin, begin + kBlock < ctx.n ? begin + kBlock : ctx.n);
      },
      &context);
}

// Several sums in one pass over the blocks: body(begin, end, acc) adds the rows of a block to acc[0..K). The sums land in
// result[0..K). Accumulated in double.
template <int K, class Body>
void parallelBlockSums(Exec& exec, const char* name, Index n, const Body& body, double (&result)[K]) {
  const Index blocks = (n + kBlock - 1) / kBlock;
  Buffer<double>& partial = exec.scratch(std::size_t(blocks) * K + K);
  double* out = partial.data();
  struct Sum {
    Body body;
    double* out;
    void operator()(Index begin, Index end) const {
      double acc[K] = {};
      body(begin, end, acc);
      for (int k = 0; k < K; ++k) out[(begin / kBlock) * K + k] = acc[k];
    }
  };
  parallelBlocks(exec, name, n, Sum{body, out});
  for (int k = 0; k < K; ++k) result[k] = 0;
  for (Index b = 0; b < blocks; ++b)
    for (int k = 0; k < K; ++k) result[k] += out[std::size_t(b) * K + k];
}

// The same row by row: body(i, acc).
template <int K, class Body>
void parallelSum(Exec& exec, const char* name, Index n, const Body& body, double (&result)[K]) {
  struct Rows {
    Body body;
    void operator()(Index begin, Index end, double* acc) const {
      for (Index i = begin; i < end; ++i) body(i, acc);
    }
  };
  parallelBlockSums(exec, name, n, Rows{body}, result);
}

// max over i of body(i), and 0 for n = 0. Not-a-number wins, so that it cannot hide.
template <class Body>
double parallelMax(Exec& exec, const char* name, Index n, const Body& body) {
  const Index blocks = (n + kBlock - 1) / kBlock;
  double* out = exec.scratch(std::size_t(blocks) + 1).data();
  struct Max {
    Body body;
    double* out;
    void operator()(Index begin, Index end) const {
      double m = 0;
      for (Index i = begin; i < end; ++i) {
        const double v = body(i);
        if (!(v <= m)) m = v;
        if (m != m) break;
      }
      out[begin / kBlock] = m;
    }
  };
  parallelBlocks(exec, name, n, Max{body, out});
  double m = 0;
  for (Index b = 0; b < blocks; ++b) {
    if (!(out[b] <= m)) m = out[b];
    if (m != m) break;
  }
  return m;
}

// begin[0] = 0, begin[i+1] = begin[i] + count[i]; returns the total.
Offset exclusiveScan(const Index* count, Index n, Offset* begin);

}  // namespace meniscus

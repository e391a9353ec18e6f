// What the threads of a launch do: one code for the graphics card and for the device that the tests run it on. The two differ only
// in how a launch begins, in how lanes exchange values and in how a block waits for its threads.
#pragma once

#include <type_traits>
#include <vector>

#include "engine/exec/device_options.h"
#include "kernels/core/fold.h"

MNS_NS_BEGIN

constexpr int kThreads = 256;              // of a block
constexpr int kRowsOfSumBlock = 1024;      // that a block of a reduction adds up; the sums' bits depend on it
constexpr Index kMostGridBlocks = 8192;    // of a plain launch; its threads take further rows in strides
constexpr int kMostParameterBytes = 4000;  // of a kernel's arguments, what every card takes

// What another block of the same launch has written.
MNS_HD inline double freshValue(const double* value) {
#if defined(__CUDA_ARCH__)
  return __ldcg(value);
#else
  return *value;
#endif
}

MNS_HD constexpr Index blocksFor(Index n, Index perBlock) { return n / perBlock + (n % perBlock != 0); }

// Adds to the stage of that name, a new one behind the others.
inline void addStage(std::vector<DeviceStage>& stages, const char* name, double seconds) {
  for (DeviceStage& s : stages)
    if (s.name == name) {
      s.seconds += seconds;
      return;
    }
  stages.push_back({name, seconds});
}

// ---- plain launches: body(i) for i in [0, n) ----

constexpr Index gridBlocks(Index n) {
  const Index all = blocksFor(n, kThreads);
  return all < kMostGridBlocks ? all : kMostGridBlocks;
}
template <class Body>
MNS_HD inline void runThread(Index n, Index blocks, Index block, int thread, const Body& body) {
  for (Offset i = Offset(block) * kThreads + thread; i < n; i += Offset(blocks) * kThreads) body(Index(i));
}

// ---- reductions: K values folded in a fixed order, in double ----

// A block folds what its threads have collected: halves upon halves, value k of thread t at shared[k * kThreads + t].
template <int K, class Op>
struct BlockFold {
  static constexpr int kShared = K * kThreads;
  MNS_HD static void begin(double (&acc)[K]) {
    for (int k = 0; k < K; ++k) acc[k] = Op::identity();
  }
  MNS_HD static void put(double* shared, int thread, const double (&acc)[K]) {
    for (int k = 0; k < K; ++k) shared[k * kThreads + thread] = acc[k];
  }
  // Once every thread has put or folded what comes before.
  MNS_HD static void fold(double* shared, int thread, int half) {
    if (thread >= half) return;
    for (int k = 0; k < K; ++k) {
      double* s = shared + k * kThreads;
      s[thread] = Op::fold(s[thread], s[thread + half]);
    }
  }
};

// body(i, acc): the rows of a block, a thread every kThreads-th.
template <int K, class Body>
struct CollectRows {
  Index n;
  Body body;
  MNS_HD void operator()(Index block, int thread, double (&acc)[K]) const {
    const Offset begin = Offset(block) * kRowsOfSumBlock;
    for (int r = thread; r < kRowsOfSumBlock && begin + r < n; r += kThreads) body(Index(begin + r), acc);
  }
};
// What a block has folded, for the last one.
template <int K>
struct StorePartials {
  double* partial;
  MNS_HD void operator()(Index block, const double (&value)[K]) const {
    for (int k = 0; k < K; ++k) partial[Offset(block) * K + k] = value[k];
  }
};
// How blocks of a launch find out which of them is done last: it has the number of blocks less one of the tickets, and puts them
// back.
struct LastBlock {
  Index blocks;
  double* partial;
  unsigned* ticket;
};
// That block folds the values of all: in the order of blocks, whichever comes last.
template <int K, class Op>
struct CollectPartials {
  Index blocks;
  const double* partial;
  MNS_HD void operator()(int thread, double (&acc)[K]) const {
    for (Index b = thread; b < blocks; b += kThreads)
      for (int k = 0; k < K; ++k) acc[k] = Op::fold(acc[k], freshValue(partial + Offset(b) * K + k));
  }
};

// ---- launches with several lanes a row ----
//
// A body with
//   static constexpr int kLanes            2, 4, 8, ...: neighbouring threads that share a row
//   static constexpr bool kNearestFirst    order of the fold: lanes 1, 2, 4, ... apart or ..., 4, 2, 1 apart
//   static constexpr int kSums             sums over all rows in the same launch, may be 0
//   LaneSums<N> lane(i, l) const           what lane l adds up of row i
//   void finish(i, sums, acc) const        once for each row, with the lanes' sums folded; acc: kSums doubles to add to
// Lanes read the pairs of a row side by side, so a row's memory arrives in whole sectors.

template <class Body>
constexpr Index rowsOfBlock() {
  static_assert(kThreads % Body::kLanes == 0 && 32 % Body::kLanes == 0, "a row's lanes are in one warp");
  return kThreads / Body::kLanes;
}
// Distance between lanes in step s of the fold.
template <class Body>
MNS_HD constexpr int laneDistance(int s) {
  return Body::kNearestFirst ? 1 << s : Body::kLanes >> (s + 1);
}
template <class Body>
MNS_HD constexpr int foldSteps() {
  int steps = 0;
  for (int l = Body::kLanes; l > 1; l /= 2) ++steps;
  return steps;
}

template <class Body>
constexpr void checkBody() {
  static_assert(std::is_trivially_copyable_v<Body>, "a kernel's body is copied to the device byte by byte: views and values");
  static_assert(sizeof(Body) <= kMostParameterBytes, "a kernel's body has to fit into its arguments");
}

MNS_NS_END

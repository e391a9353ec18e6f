// What a loop's body throws, on whatever thread, comes out of the launch; the threads go on.
#include <gtest/gtest.h>

#include <atomic>
#include <new>

#include "engine/exec/exec.h"

namespace meniscus {
namespace {

struct ThrowAt {
  Index at;
  std::atomic<int>* done;
  void operator()(Index i) const {
    if (i == at) throw std::bad_alloc();
    done->fetch_add(1);
  }
};

TEST(ExecThrow, ComesOutOfTheLaunch) {
  for (const int threads : {1, 3}) {
    Exec exec(threads);
    std::atomic<int> done{0};
    for (const Index at : {0, 777, 1999}) {
      EXPECT_THROW(parallelFor(exec, "throwing", 2000, ThrowAt{at, &done}, 16), std::bad_alloc) << threads << " threads, at " << at;
    }
    done = 0;
    parallelFor(exec, "whole", 2000, ThrowAt{-1, &done}, 16);
    EXPECT_EQ(done.load(), 2000);
  }
}

}  // namespace
}  // namespace meniscus

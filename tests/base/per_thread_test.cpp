// Working memory of a launch's threads: there before the launch, one thread's at a time, and of equal room.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "engine/exec/exec.h"

namespace meniscus {
namespace {

struct Own {
  std::atomic<int> users{0};
  std::size_t capacity = 1;
  void makeRoomOf(const Own& other) { capacity = std::max(capacity, other.capacity); }
};

// Counts the jobs that found another one at work in their thread's memory.
struct Enter {
  PerThread<Own> own;
  std::atomic<int>*clashes, *done;
  void operator()(Index) const {
    Own& mine = own[Exec::thread()];
    if (mine.users.fetch_add(1) != 0) clashes->fetch_add(1);
    std::this_thread::yield();
    mine.users.fetch_sub(1);
    done->fetch_add(1);
  }
};

void expectApart(Exec& exec) {
  std::atomic<int> clashes{0}, done{0};
  const PerThread<Own> own = exec.perThread<Own>();
  for (int k = 0; k < 5; ++k) parallelFor(exec, "enter", 50, Enter{own, &clashes, &done}, 1);
  EXPECT_EQ(clashes.load(), 0);
  EXPECT_EQ(done.load(), 5 * 50);
  EXPECT_EQ(&exec.perThread<Own>()[0], &own[0]);
}

TEST(PerThread, IsOneJobsAtATime) {
  for (const int threads : {1, 2, 5}) {
    Exec exec(threads);
    expectApart(exec);
  }
}

// Every task is begun twice, on two threads at once.
void runTwice(void*, std::int32_t count, void (*task)(void* context, std::int32_t k), void* context) {
  std::vector<std::thread> threads;
  for (std::int32_t k = 0; k < 2 * count; ++k) threads.emplace_back([=] { task(context, k / 2); });
  for (std::thread& t : threads) t.join();
}

TEST(PerThread, IsOneJobsAtATimeOnAHostThatBeginsTasksTwice) {
  Exec exec(3, HostTasks{nullptr, &runTwice});
  expectApart(exec);
}

// A host's thread that runs a task may help in another scene's launch meanwhile.
struct Nested {
  Exec* other;
  PerThread<Own> own, othersOwn;
  std::atomic<int>*clashes, *done;
  void operator()(Index) const {
    const int before = Exec::thread();
    parallelFor(*other, "inside", 1, Enter{othersOwn, clashes, done}, 1);
    EXPECT_EQ(Exec::thread(), before);
  }
};

TEST(PerThread, OfALaunchInsideAnotherOnesJob) {
  Exec outer(2), inner(1);
  std::atomic<int> clashes{0}, done{0};
  const Nested nested{&inner, outer.perThread<Own>(), inner.perThread<Own>(), &clashes, &done};
  parallelFor(outer, "outside", 1, nested, 1);
  EXPECT_EQ(done.load(), 1);
}

// Where it would, threads wait for each other's writes: rows of images took a third longer.
TEST(PerThread, SharesNoLineOfTheCache) {
  Exec exec(3);
  const PerThread<char> own = exec.perThread<char>();
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&own[k]), reinterpret_cast<std::uintptr_t>(&own[0]) + 64u * k);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&own[0]) % 64, 0u);
}

TEST(PerThread, HasTheRoomOfTheLargest) {
  Exec exec(3);
  exec.perThread<Own>()[1].capacity = 70;
  const PerThread<Own> own = exec.perThreadLevelled<Own>();
  for (int k = 0; k < 3; ++k) EXPECT_EQ(own[k].capacity, 70u) << k;
}

}  // namespace
}  // namespace meniscus

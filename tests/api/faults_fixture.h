// Memory that runs out at an allocation of choice, for tests of what a call then leaves behind.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "tests/api/api_fixture.h"

// Gives memory until the counter reaches zero, then one null, then memory again.
struct Meter {
  std::atomic<std::int64_t> untilFailure{-1};  // negative: never
  std::atomic<std::int64_t> blocks{0};
  std::atomic<bool> refuseAll{false};

  static void* allocate(void* user, std::size_t bytes, std::size_t alignment) {
    Meter& m = *static_cast<Meter*>(user);
    if (m.refuseAll.load()) return nullptr;
    if (m.untilFailure.load() >= 0 && m.untilFailure.fetch_sub(1) == 0) return nullptr;
    void* p = nullptr;
    if (posix_memalign(&p, alignment < sizeof(void*) ? sizeof(void*) : alignment, bytes) != 0) return nullptr;
    m.blocks.fetch_add(1);
    return p;
  }
  static void release(void* user, void* p) {
    static_cast<Meter*>(user)->blocks.fetch_sub(1);
    std::free(p);
  }
};

class MemoryFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    const mnsAllocator a{&meter, &Meter::allocate, &Meter::release};
    ASSERT_OK(mnsSetAllocator(&a));
    blocksBefore = meter.blocks;
  }
  // Every context is gone: the host may close its heap, whatever its threads do next.
  void TearDown() override {
    meter.untilFailure = -1;
    EXPECT_OK(mnsSetAllocator(nullptr));
    EXPECT_EQ(meter.blocks, blocksBefore);
  }
  mnsContext* makeContext(int threads = 1) {
    mnsContextDef def = mnsDefaultContextDef();
    def.device = MNS_DEVICE_CPU;
    def.threads = threads;
    mnsContext* context = nullptr;
    EXPECT_OK(mnsCreateContext(MNS_VERSION, &def, &context));
    return context;
  }
  // Calls `run` with a failure at its first allocation, its second and so on, until it makes no more; `check` looks at each result
  // after which there is memory again. The number of failures.
  template <class Run, class Check>
  static std::int64_t atEveryAllocation(const Run& run, const Check& check) {
    for (std::int64_t n = 0;; ++n) {
      meter.untilFailure = n;
      const mnsResult r = run();
      const bool failed = meter.untilFailure.exchange(-1) < 0;
      check(r, failed);
      if (!failed || ::testing::Test::HasFatalFailure()) return n;
    }
  }

  static inline Meter meter;
  std::int64_t blocksBefore = 0;
};

// Where the engine's memory comes from: the C library, or the allocator that a host has given. Counted.
#pragma once

#include <cstddef>
#include <cstdint>

namespace meniscus {

struct HeapFunctions {
  void* user = nullptr;
  void* (*allocate)(void* user, std::size_t bytes, std::size_t alignment) = nullptr;  // null for failure
  void (*free)(void* user, void* memory) = nullptr;
};

// null functions: the C library's. Not while other threads allocate. A block goes back to where it came from, whatever is set by
// then.
void setHeap(const HeapFunctions& functions);

// alignment: a power of two. Null for failure, or for zero bytes.
void* heapAllocate(std::size_t bytes, std::size_t alignment) noexcept;
void heapFree(void* memory) noexcept;  // null does nothing

// As long as one lives, what the allocator refuses this thread is taken from the C library: for code that cannot survive a failed
// allocation and soon gives back what it takes. (The destructor of a JSON value allocates, and may not throw.)
class HeapFallback {
 public:
  HeapFallback() noexcept;
  ~HeapFallback();
  HeapFallback(const HeapFallback&) = delete;
  HeapFallback& operator=(const HeapFallback&) = delete;
};

// As long as one lives, this thread allocates from the C library: for what stays until the process ends, which a host that counts
// its own memory should not find there.
class HeapOfProcess {
 public:
  HeapOfProcess() noexcept;
  ~HeapOfProcess();
  HeapOfProcess(const HeapOfProcess&) = delete;
  HeapOfProcess& operator=(const HeapOfProcess&) = delete;
};

struct HeapUse {
  std::uint64_t bytes = 0, peakBytes = 0;  // asked for
  std::uint64_t allocations = 0;           // made so far
};
HeapUse heapUse();

}  // namespace meniscus

#include "tests/solid/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include "engine/base/heap.h"

namespace {

std::atomic<std::uint64_t> news{0};

void* counted(std::size_t bytes) {
  ++news;
  if (void* p = std::malloc(bytes ? bytes : 1)) return p;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace meniscus::testing {

std::uint64_t allocationsOfProgram() { return news + heapUse().allocations; }

}  // namespace meniscus::testing

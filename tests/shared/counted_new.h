// A test program's own operator new and delete, counted. To be included in one file of a program, which says what to do with the
// count. All forms but the aligned ones are here: a sanitizer's runtime does not pass one on to another.
#pragma once

#include <cstdlib>
#include <new>

namespace meniscus::testing {

void countAllocation();

inline void* counted(std::size_t bytes) noexcept {
  countAllocation();
  return std::malloc(bytes ? bytes : 1);
}

inline void* countedOrThrown(std::size_t bytes) {
  if (void* p = counted(bytes)) return p;
  throw std::bad_alloc();
}

}  // namespace meniscus::testing

void* operator new(std::size_t bytes) { return meniscus::testing::countedOrThrown(bytes); }
void* operator new[](std::size_t bytes) { return meniscus::testing::countedOrThrown(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return meniscus::testing::counted(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return meniscus::testing::counted(bytes); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

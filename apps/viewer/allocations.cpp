#include "apps/viewer/allocations.h"

#include <cstdlib>
#include <new>

namespace {

thread_local long count = 0;

void* counted(std::size_t bytes) noexcept {
  ++count;
  return std::malloc(bytes ? bytes : 1);
}

void* countedOrThrown(std::size_t bytes) {
  if (void* p = counted(bytes)) return p;
  throw std::bad_alloc();
}

}  // namespace

namespace meniscus::viewer {

long allocations() { return count; }
Uncounted::Uncounted() : before_(count) {}
Uncounted::~Uncounted() { count = before_; }

}  // namespace meniscus::viewer

// The program's own, in place of the library's.
void* operator new(std::size_t bytes) { return countedOrThrown(bytes); }
void* operator new[](std::size_t bytes) { return countedOrThrown(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return counted(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return counted(bytes); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

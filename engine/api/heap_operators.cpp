// operator new and delete of the shared library go through the engine's heap, and so through the host's allocator. The library is
// linked with its own copy of the C++ standard library and hides all symbols but the C interface's, so nothing outside is affected.
// Not part of the static library.
#include <cstddef>
#include <new>

#include "engine/base/heap.h"

namespace {

void* orThrow(std::size_t bytes, std::size_t alignment) {
  if (void* p = meniscus::heapAllocate(bytes ? bytes : 1, alignment)) return p;
  throw std::bad_alloc();
}
constexpr std::size_t kUsual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

void* operator new(std::size_t n) { return orThrow(n, kUsual); }
void* operator new[](std::size_t n) { return orThrow(n, kUsual); }
void* operator new(std::size_t n, std::align_val_t a) { return orThrow(n, std::size_t(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return orThrow(n, std::size_t(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return meniscus::heapAllocate(n ? n : 1, kUsual); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return meniscus::heapAllocate(n ? n : 1, kUsual); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return meniscus::heapAllocate(n ? n : 1, std::size_t(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return meniscus::heapAllocate(n ? n : 1, std::size_t(a));
}
void operator delete(void* p) noexcept { meniscus::heapFree(p); }
void operator delete[](void* p) noexcept { meniscus::heapFree(p); }
void operator delete(void* p, std::size_t) noexcept { meniscus::heapFree(p); }
void operator delete[](void* p, std::size_t) noexcept { meniscus::heapFree(p); }
void operator delete(void* p, std::align_val_t) noexcept { meniscus::heapFree(p); }
void operator delete[](void* p, std::align_val_t) noexcept { meniscus::heapFree(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { meniscus::heapFree(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { meniscus::heapFree(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { meniscus::heapFree(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { meniscus::heapFree(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { meniscus::heapFree(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { meniscus::heapFree(p); }

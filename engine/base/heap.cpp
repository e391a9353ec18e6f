#include "engine/base/heap.h"

#include <atomic>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#define MNS_ADDRESSES_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MNS_ADDRESSES_CHECKED 1
#endif
#endif
#if defined(__linux__) && !defined(MNS_ADDRESSES_CHECKED)  // the sanitizer finds writes beyond the ends of malloc's blocks alone
#include <sys/mman.h>
#define MNS_MAPS_PAGES 1
#endif

namespace meniscus {
namespace {

// Before each block: what heapFree needs to know of it. A block goes back to where it came from, whatever is set by then.
struct Header {
  std::size_t bytes;
  std::size_t offset;  // from the start of the memory to the block
  void* user;
  void (*free)(void* user, void* memory);
};

void* fromSystem(void*, std::size_t bytes, std::size_t alignment) {
  void* p = nullptr;
  return posix_memalign(&p, alignment, bytes) == 0 ? p : nullptr;
}
void toSystem(void*, void* memory) { std::free(memory); }

#if MNS_MAPS_PAGES
// Large blocks are pages of their own, which go back to the system when they are freed. malloc stops doing that once it has freed
// a few, and an array that grows would leave the places of its smaller selves behind.
constexpr std::size_t kPages = std::size_t(256) << 10;

// `length` bytes of pages from a multiple of `alignment` on.
void* mapPages(std::size_t length, std::size_t alignment) {
  const std::size_t page = 4096, spare = alignment > page ? alignment : 0;
  if (length > SIZE_MAX - spare) return nullptr;
  void* const all = mmap(nullptr, length + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  if (!spare) return all;
  char* const begin = static_cast<char*>(all);
  const std::size_t before = (alignment - std::size_t(reinterpret_cast<std::uintptr_t>(begin)) % alignment) % alignment;
  if (before) munmap(begin, before);
  if (before < spare) munmap(begin + before + length, spare - before);
  return begin + before;
}
void unmapPages(void* length, void* memory) { munmap(memory, std::size_t(reinterpret_cast<std::uintptr_t>(length))); }
#endif

// Memory of the process and how it is given back.
void* fromProcess(std::size_t bytes, std::size_t alignment, HeapFunctions& from) {
  from = {nullptr, fromSystem, toSystem};
#if MNS_MAPS_PAGES
  if (bytes >= kPages) {
    const std::size_t length = (bytes + 4095) / 4096 * 4096;
    from = {reinterpret_cast<void*>(std::uintptr_t(length)), fromSystem, unmapPages};
    return length < bytes ? nullptr : mapPages(length, alignment);
  }
#endif
  return fromSystem(nullptr, bytes, alignment);
}

// Constant-initialised: memory is asked for before any constructor of this file could run.
HeapFunctions heap{nullptr, fromSystem, toSystem};
std::atomic<std::uint64_t> bytesNow{0}, bytesPeak{0}, allocations{0};

thread_local int fallbacks = 0, ofProcess = 0;

void notePeak(std::uint64_t now) {
  std::uint64_t peak = bytesPeak.load(std::memory_order_relaxed);
  while (peak < now && !bytesPeak.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {}
}

}  // namespace

void setHeap(const HeapFunctions& functions) {
  heap = functions.allocate ? functions : HeapFunctions{nullptr, fromSystem, toSystem};
}

void* heapAllocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (bytes == 0) return nullptr;
  if (alignment < alignof(std::max_align_t)) alignment = alignof(std::max_align_t);
  const std::size_t offset = (sizeof(Header) + alignment - 1) / alignment * alignment;
  if (bytes > SIZE_MAX - offset) return nullptr;
  HeapFunctions from = heap;
  const bool own = ofProcess > 0 || from.allocate == fromSystem;
  void* memory = own ? fromProcess(bytes + offset, alignment, from) : from.allocate(from.user, bytes + offset, alignment);
  if (!memory && !own && fallbacks > 0) memory = fromProcess(bytes + offset, alignment, from);
  if (!memory) return nullptr;
  char* block = static_cast<char*>(memory) + offset;
  Header* header = reinterpret_cast<Header*>(block) - 1;
  *header = {bytes, offset, from.user, from.free};
  allocations.fetch_add(1, std::memory_order_relaxed);
  notePeak(bytesNow.fetch_add(bytes, std::memory_order_relaxed) + bytes);
  return block;
}

void heapFree(void* block) noexcept {
  if (!block) return;
  const Header* header = static_cast<const Header*>(block) - 1;
  bytesNow.fetch_sub(header->bytes, std::memory_order_relaxed);
  header->free(header->user, static_cast<char*>(block) - header->offset);
}

HeapFallback::HeapFallback() noexcept { ++fallbacks; }
HeapFallback::~HeapFallback() { --fallbacks; }

HeapOfProcess::HeapOfProcess() noexcept { ++ofProcess; }
HeapOfProcess::~HeapOfProcess() { --ofProcess; }

HeapUse heapUse() {
  return {bytesNow.load(std::memory_order_relaxed), bytesPeak.load(std::memory_order_relaxed),
          allocations.load(std::memory_order_relaxed)};
}

}  // namespace meniscus

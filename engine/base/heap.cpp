#include "engine/base/heap.h"

#include <atomic>
#include <cstdlib>

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
  HeapFunctions from = ofProcess > 0 ? HeapFunctions{nullptr, fromSystem, toSystem} : heap;
  void* memory = from.allocate(from.user, bytes + offset, alignment);
  if (!memory && fallbacks > 0) {
    from = {nullptr, fromSystem, toSystem};
    memory = fromSystem(nullptr, bytes + offset, alignment);
  }
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

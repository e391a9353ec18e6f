// A growable array of plain values, 64-byte aligned. Growing keeps the old values; shrinking keeps the memory, so that a
// steady step allocates nothing.
#pragma once

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "engine/base/heap.h"
#include "kernels/core/view.h"

namespace meniscus {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t n) { resize(n); }
  Buffer(const Buffer& o) { *this = o; }
  Buffer(Buffer&& o) noexcept { swap(o); }
  Buffer& operator=(const Buffer& o) {
    if (this == &o) return *this;
    size_ = 0;
    reserve(o.size_);
    size_ = o.size_;
    if (size_) std::memcpy(static_cast<void*>(data_), o.data_, size_ * sizeof(T));
    return *this;
  }
  Buffer& operator=(Buffer&& o) noexcept {
    swap(o);
    return *this;
  }
  ~Buffer() { heapFree(data_); }

  void swap(Buffer& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(capacity_, o.capacity_);
  }
  // New values are zero bytes.
  void resize(std::size_t n) {
    if (n > capacity_) reserve(n < 2 * capacity_ ? 2 * capacity_ : n);
    if (n > size_) std::memset(static_cast<void*>(data_ + size_), 0, (n - size_) * sizeof(T));
    size_ = n;
  }
  // As resize, but new values are indeterminate: for arrays a kernel fills at once.
  void resizeUninitialized(std::size_t n) {
    if (n > capacity_) reserve(n + n / 4);
    size_ = n;
  }
  void assign(std::size_t n, const T& value) {
    resizeUninitialized(n);
    for (std::size_t i = 0; i < n; ++i) data_[i] = value;
  }
  // sparse: much of the array is never written, so it is not put on huge pages, which are there whole or not at all
  void reserve(std::size_t n, bool sparse = false) {
    if (n <= capacity_) return;
    // large arrays on huge pages, where the system gives them on request: a sweep over all pairs misses fewer translations. The
    // last, broken one is not asked for: it would be there whole.
    constexpr std::size_t kLine = 64, kHugePage = std::size_t(2) << 20;
    if (n > std::size_t(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = (n * sizeof(T) + kLine - 1) / kLine * kLine, huge = sparse ? 0 : bytes / kHugePage * kHugePage;
    void* p = heapAllocate(bytes, huge ? kHugePage : kLine);
    if (!p) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
    if (huge) madvise(p, huge, MADV_HUGEPAGE);  // may be refused
#endif
    if (size_) std::memcpy(p, data_, size_ * sizeof(T));
    heapFree(data_);
    data_ = static_cast<T*>(p);
    capacity_ = n;
  }
  void push_back(const T& v) {
    if (size_ == capacity_) {
      const T copy = v;
      reserve(capacity_ ? 2 * capacity_ : 16);
      data_[size_++] = copy;
    } else {
      data_[size_++] = v;
    }
  }
  void clear() { size_ = 0; }
  // Gives the memory back.
  void release() {
    heapFree(data_);
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

  std::size_t capacity() const { return capacity_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacityBytes() const { return capacity_ * sizeof(T); }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  View<T> view() { return {data_, Index(size_)}; }
  View<const T> view() const { return {data_, Index(size_)}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace meniscus

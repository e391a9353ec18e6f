// Several arrays to the device in one copy: what is small costs as much as what is large.
#pragma once

#include <cstring>
#include <vector>

#include "engine/exec/device.h"

MNS_NS_BEGIN

class PackedUpload {
 public:
  PackedUpload(Device& device, const char* name) : block_(device, name) {}
  void clear() { host_.clear(); }
  // Puts n values behind the others; returns where they are, in bytes.
  template <class T>
  std::size_t add(const T* from, std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(Unit));
    const std::size_t at = host_.size();
    host_.resize(at + (n * sizeof(T) + sizeof(Unit) - 1) / sizeof(Unit));
    if (n > 0) std::memcpy(host_.data() + at, from, n * sizeof(T));
    return at * sizeof(Unit);
  }
  void send() { block_.upload(host_.data(), host_.size()); }
  // Once they have been sent; until the next time.
  template <class T>
  T* at(std::size_t place) const {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(block_.data()) + place);
  }

 private:
  struct alignas(64) Unit {  // arrays begin at addresses that suit any of our types: edge rows ask for 64
    char bytes[64];
  };
  std::vector<Unit> host_;
  DeviceBuffer<Unit> block_;
};

MNS_NS_END

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
  // Puts n values behind the others; returns where they are.
  template <class T>
  std::size_t add(const T* from, std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t at = host_.size();
    host_.resize(at + (n * sizeof(T) + kUnit - 1) / kUnit * kUnit);
    if (n > 0) std::memcpy(host_.data() + at, from, n * sizeof(T));
    return at;
  }
  void send() { block_.upload(host_.data(), host_.size()); }
  // Once they have been sent; until the next time.
  template <class T>
  T* at(std::size_t place) const {
    return reinterpret_cast<T*>(block_.data() + place);
  }

 private:
  static constexpr std::size_t kUnit = 16;  // of addresses
  std::vector<char> host_;
  DeviceBuffer<char> block_;
};

MNS_NS_END

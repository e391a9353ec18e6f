// Numbers out of bytes of either order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace meniscus {

// The caller has made sure that sizeof(T) bytes are there. The machine is little-endian.
template <class T>
T loadBytes(const char* bytes, bool bigEndian) {
  char b[sizeof(T)];
  std::memcpy(b, bytes, sizeof(T));
  if (bigEndian) std::reverse(b, b + sizeof(T));
  T v;
  std::memcpy(&v, b, sizeof(T));
  return v;
}

}  // namespace meniscus

// A copy of a world's state in memory, to go back to. Its bytes are reused, so that copying again allocates nothing once the world
// has stopped growing.
#pragma once

#include <cstring>

#include "engine/base/buffer.h"
#include "engine/world/world.h"

namespace meniscus {

class StateCopy {
 public:
  void take(const World& world);
  // The world must be the one that was copied; it may have more or fewer particles now.
  void restore(World& world) const;
  // An array of the table (engine/world/fields.h) as it was; empty where it is no state.
  template <class T>
  View<const T> array(const char* name) const {
    for (const Place& p : arrays_)
      if (std::strcmp(p.name, name) == 0) return {reinterpret_cast<const T*>(bytes_.data() + p.at), Index(p.bytes / sizeof(T))};
    return {nullptr, 0};
  }
  std::size_t bytes() const { return bytes_.capacityBytes(); }

 private:
  struct Place {
    const char* name;
    std::size_t at, bytes;
  };
  static constexpr std::size_t kAlignment = 16;  // of an array in the bytes

  struct Walk;
  Buffer<char> bytes_;  // the fields in the order of the table
  Buffer<Place> arrays_;
};

}  // namespace meniscus

// A copy of a world's state in memory, to go back to. Its bytes are reused, so that copying again allocates nothing once the world
// has stopped growing.
#pragma once

#include "engine/base/buffer.h"
#include "engine/world/world.h"

namespace meniscus {

class StateCopy {
 public:
  void take(const World& world);
  // The world must be the one that was copied; it may have more or fewer particles now.
  void restore(World& world) const;
  std::size_t bytes() const { return bytes_.capacityBytes(); }

 private:
  Buffer<char> bytes_;  // the fields in the order of the table
};

}  // namespace meniscus

#include "engine/world/memory.h"

#include <unistd.h>

#include "engine/world/fields.h"

namespace meniscus {
namespace {

struct Bytes {
  std::size_t sum = 0;
  template <class T>
  void value(const FieldInfo&, const T&) {}
  template <class T>
  void array(const FieldInfo&, const Buffer<T>& buffer, Index) {
    sum += buffer.capacityBytes();
  }
};

}  // namespace

double physicalMemory() { return double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE)); }

std::size_t bytesOf(const World& world) {
  Bytes bytes;
  forEachField(world, bytes);
  return bytes.sum;
}

}  // namespace meniscus

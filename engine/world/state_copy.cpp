#include "engine/world/state_copy.h"

#include <cstring>

#include "engine/world/fields.h"

namespace meniscus {
namespace {

struct Size {
  std::size_t bytes = 0;
  template <class T>
  void value(const FieldInfo& info, const T&) {
    if (info.keep == Keep::state) bytes += sizeof(T);
  }
  template <class T>
  void array(const FieldInfo& info, const Buffer<T>&, Index count) {
    if (info.keep == Keep::state) bytes += std::size_t(count) * sizeof(T);
  }
};

struct Out {
  char* to;
  void copy(const void* from, std::size_t n) {
    if (n > 0) std::memcpy(to, from, n);
    to += n;
  }
  template <class T>
  void value(const FieldInfo& info, const T& field) {
    if (info.keep == Keep::state) copy(&field, sizeof(T));
  }
  template <class T>
  void array(const FieldInfo& info, const Buffer<T>& buffer, Index count) {
    if (info.keep == Keep::state) copy(buffer.data(), std::size_t(count) * sizeof(T));
  }
};

// Particles' counts come back before the arrays that have them.
struct In {
  const char* from;
  void copy(void* to, std::size_t n) {
    if (n > 0) std::memcpy(to, from, n);
    from += n;
  }
  template <class T>
  void value(const FieldInfo& info, T& field) {
    if (info.keep == Keep::state) copy(static_cast<void*>(&field), sizeof(T));
  }
  template <class T>
  void array(const FieldInfo& info, Buffer<T>& buffer, Index count) {
    if (info.keep == Keep::model) return;
    buffer.clear();  // derived fields start from zero bytes, as after a snapshot
    buffer.resize(std::size_t(count));
    if (info.keep == Keep::derived) return;
    copy(static_cast<void*>(buffer.data()), std::size_t(count) * sizeof(T));
  }
};

}  // namespace

void StateCopy::take(const World& world) {
  Size size;
  forEachField(world, size);
  bytes_.resizeUninitialized(size.bytes);
  Out out{bytes_.data()};
  forEachField(world, out);
}

void StateCopy::restore(World& world) const {
  In in{bytes_.data()};
  forEachField(world, in);
}

}  // namespace meniscus

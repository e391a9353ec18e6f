#include "engine/world/state_copy.h"

#include <cstring>
#include <type_traits>

#include "engine/world/fields.h"

namespace meniscus {

// The state fields one after another, to or from the bytes at `at`: one walk for both, so that what is restored is what was taken.
// Without bytes it only counts.
struct StateCopy::Walk {
  enum class Way { count, take, restore } way;
  char* at;
  Buffer<Place>* arrays;  // to note, or null
  std::size_t bytes = 0;

  template <class T>
  void move(T* field, std::size_t n) {
    if (way == Way::take && n > 0) std::memcpy(at + bytes, field, n);
    if constexpr (!std::is_const_v<T>)
      if (way == Way::restore && n > 0) std::memcpy(static_cast<void*>(field), at + bytes, n);
    bytes += n;
  }
  template <class T>
  void value(const FieldInfo& info, T& field) {
    if (info.keep == Keep::state) move(&field, sizeof(T));
  }
  // Particles' counts come back before the arrays that have them. Derived fields start from zero bytes, as after a snapshot.
  template <class B>
  void array(const FieldInfo& info, B& buffer, Index count) {
    if (info.keep == Keep::model) return;
    if constexpr (!std::is_const_v<B>) {
      buffer.clear();
      buffer.resize(std::size_t(count));
    }
    if (info.keep != Keep::state) return;
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    const std::size_t n = std::size_t(count) * sizeof(*buffer.data());
    if (arrays) arrays->push_back({info.name, bytes, n});
    move(buffer.data(), n);
  }
};

void StateCopy::take(const World& world) {
  Walk size{Walk::Way::count, nullptr, nullptr};
  forEachField(world, size);
  bytes_.resizeUninitialized(size.bytes);
  arrays_.clear();
  Walk out{Walk::Way::take, bytes_.data(), &arrays_};
  forEachField(world, out);
}

void StateCopy::restore(World& world) const {
  Walk in{Walk::Way::restore, const_cast<char*>(bytes_.data()), nullptr};  // read only, that way
  forEachField(world, in);
}

}  // namespace meniscus

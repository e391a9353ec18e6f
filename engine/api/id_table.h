// Places for objects that ids name. A place that is used again has another generation, so that old ids are known as such; one whose
// generations are used up is not used again.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/api/call.h"

namespace meniscus::api {

// One fluid, body, emitter or drain.
struct Slot {
  bool alive = false;
  std::uint16_t generation = 0;
  std::int32_t order = -1;  // in the scene's definitions, and in the world's list of its kind
  void* userData = nullptr;
};

class IdTable {
 public:
  // Room for one more, so that add() cannot fail.
  void reserveOne() {
    if (free_.empty()) slots_.reserve(slots_.size() + 1);
    free_.reserve(slots_.size() + 1);
  }
  std::int32_t add(std::int32_t order, void* userData) noexcept {
    std::int32_t k;
    if (!free_.empty()) {
      k = free_.back();
      free_.pop_back();
    } else {
      slots_.emplace_back();
      k = std::int32_t(slots_.size()) - 1;
    }
    Slot& s = slots_[std::size_t(k)];
    s.alive = true;
    ++s.generation;
    s.order = order;
    s.userData = userData;
    return k + 1;
  }
  // What comes after it in the definitions moves down by one.
  void remove(std::int32_t index) noexcept {
    Slot& s = slots_[std::size_t(index) - 1];
    const std::int32_t gone = s.order;
    s.alive = false;
    s.order = -1;
    if (s.generation < std::numeric_limits<std::uint16_t>::max()) free_.push_back(index - 1);
    for (Slot& other : slots_)
      if (other.alive && other.order > gone) --other.order;
  }
  template <class Id>
  const Slot* find(const Id& id, std::uint16_t scene) const noexcept {
    if (id.index < 1 || std::size_t(id.index) > slots_.size() || id.scene != scene) return nullptr;
    const Slot& s = slots_[std::size_t(id.index) - 1];
    return s.alive && s.generation == id.generation ? &s : nullptr;
  }
  // Throws Failure(INVALID_HANDLE). what: "fluid", "body" ...
  template <class Id>
  const Slot& at(const Id& id, std::uint16_t scene, const char* what) const {
    if (const Slot* s = find(id, scene)) return *s;
    if (id.index == 0) fail(MNS_ERROR_INVALID_HANDLE, "the id of the {} is null", what);
    if (id.scene != scene) fail(MNS_ERROR_INVALID_HANDLE, "the id of the {} is of another scene", what);
    fail(MNS_ERROR_INVALID_HANDLE, "the {} of this id was destroyed, or never existed", what);
  }
  template <class Id>
  Id idOfOrder(std::int32_t order, std::uint16_t scene) const noexcept {
    for (std::size_t k = 0; k < slots_.size(); ++k)
      if (slots_[k].alive && slots_[k].order == order) return Id{std::int32_t(k) + 1, scene, slots_[k].generation};
    return Id{0, 0, 0};
  }

 private:
  std::vector<Slot> slots_;
  std::vector<std::int32_t> free_;
};

}  // namespace meniscus::api

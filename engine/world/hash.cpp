#include "engine/world/hash.h"

#include <fmt/format.h>

#include <cstring>

#include "engine/solid/prescribed.h"
#include "engine/world/fields.h"

namespace meniscus {
namespace {

// Each line is a bijection of 64-bit words: multiplication by an odd number, xor with an own shift.
std::uint64_t mix(std::uint64_t h) {
  h *= 0x9e3779b97f4a7c15u;
  h ^= h >> 29;
  h *= 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  return h;
}

struct FieldHasher {
  Keep keep;
  Hash64 hash;

  void name(const FieldInfo& info) {
    hash.bytes(info.name, std::strlen(info.name));
    hash.bytes(&info.item, sizeof info.item);
  }
  template <class T>
  void value(const FieldInfo& info, const T& field) {
    if (info.keep != keep) return;
    name(info);
    hash.bytes(&field, sizeof field);
  }
  template <class T>
  void array(const FieldInfo& info, const Buffer<T>& buffer, Index count) {
    if (info.keep != keep) return;
    name(info);
    hash.bytes(buffer.data(), std::size_t(count) * sizeof(T));
  }
  // How constraints resist may be changed during a run, like gravity; what they join and their rest shape may not.
  void array(const FieldInfo& info, const Buffer<Constraint>& items, Index) {
    if (info.keep != keep) return;
    name(info);
    for (Constraint c : items) {
      c.compliance = c.damping = 0;
      c.stiffness = 0;
      hash.bytes(&c, sizeof c);
    }
  }
};

std::uint64_t hashFields(const World& world, Keep keep) {
  FieldHasher hasher{keep, {}};
  forEachField(world, hasher);
  if (keep == Keep::state) {
    Buffer<double> prescribed;
    packPrescribed(world.solid, prescribed);
    hasher.hash.bytes(prescribed.data(), prescribed.size() * sizeof(double));
  }
  return hasher.hash.value();
}

}  // namespace

void Hash64::bytes(const void* data, std::size_t n) {
  const unsigned char* p = static_cast<const unsigned char*>(data);
  length_ += n;
  for (; n >= 8; n -= 8, p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    h_ = mix(h_ ^ word);
  }
  if (n > 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, n);
    h_ = mix(h_ ^ word);
  }
}

std::uint64_t Hash64::value() const { return mix(h_ ^ length_); }

std::uint64_t stateHash(const World& world) { return hashFields(world, Keep::state); }
std::uint64_t modelHash(const World& world) { return hashFields(world, Keep::model); }

std::string hexHash(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace meniscus

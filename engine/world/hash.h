// 64-bit hashes of states: equal runs have equal hashes, and a changed bit changes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace meniscus {

struct World;

// Word by word h <- mix(h ^ word) with an invertible mix, so that two inputs that differ in one word never collide.
class Hash64 {
 public:
  void bytes(const void* data, std::size_t n);
  std::uint64_t value() const;

 private:
  std::uint64_t h_ = 0x6d656e6973637573u;
  std::uint64_t length_ = 0;
};

// Over every state field of the table in fields.h, bit by bit, particles in their internal order.
std::uint64_t stateHash(const World& world);
// Over what is constant in a run (the model fields; of constraints not their compliance, stiffness and damping, which are
// parameters): a snapshot fits a world with the same value.
std::uint64_t modelHash(const World& world);

// 16 hexadecimal digits.
std::string hexHash(std::uint64_t hash);

}  // namespace meniscus

// A fuzzer's bytes as the numbers and choices of a caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "meniscus/meniscus.h"

namespace meniscus::fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : p_(data), end_(data + size) {}
  bool empty() const { return p_ == end_; }
  std::uint8_t byte() { return p_ == end_ ? 0 : *p_++; }
  int below(int n) { return byte() % n; }
  bool seldom() { return byte() > 243; }  // one in twenty
  // Mostly in [lo, hi], now and then anything.
  double number(double lo, double hi) {
    static const double odd[] = {0,
                                 -1,
                                 1e-300,
                                 1e300,
                                 1e18,
                                 -1e18,
                                 std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::denorm_min()};
    if (seldom()) return odd[below(9)];
    return lo + (hi - lo) * byte() / 255.0;
  }
  mnsVec3 point() { return {number(0.02, 0.18), number(0.02, 0.18), number(0.02, 0.18)}; }
  mnsVec3 vec(double most) { return {number(-most, most), number(-most, most), number(-most, most)}; }
  mnsQuat rotation() {
    if (byte() < 200) return {0, 0, 0, 1};
    return {number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)};
  }

 private:
  const std::uint8_t *p_, *end_;
};

}  // namespace meniscus::fuzz

// The figures of the last steps, for the plots: a ring, whose memory is taken once.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "apps/viewer/state.h"

namespace meniscus::viewer {

class Samples {
 public:
  static constexpr std::size_t kMost = 20000;

  Samples() { ring_.reserve(kMost); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Sample k, the oldest first.
  const Sample& operator[](std::size_t k) const { return ring_[(first_ + k) % kMost]; }
  const Sample& back() const { return (*this)[size_ - 1]; }
  void clear() {
    ring_.clear();
    first_ = size_ = 0;
    height_ = std::nan("");
  }
  // J, potential energy of the first sample that has one; not a number where none has.
  double firstHeight() const { return height_; }
  // In place of those that are not before it in time, as after a rewind; the oldest goes where there is no room.
  void add(const Sample& sample) {
    while (!empty() && back().time >= sample.time) --size_;
    if (empty()) height_ = std::nan("");
    if (!std::isfinite(height_)) height_ = sample.potentialEnergy;
    if (size_ == kMost) {
      first_ = (first_ + 1) % kMost;
      --size_;
    }
    const std::size_t at = (first_ + size_++) % kMost;
    if (at < ring_.size()) {
      ring_[at] = sample;
    } else {
      ring_.push_back(sample);  // the first time round places are filled in turn
    }
  }

 private:
  std::vector<Sample> ring_;
  std::size_t first_ = 0, size_ = 0;
  double height_ = std::nan("");
};

}  // namespace meniscus::viewer

// Snapshots of a run within a bound of memory, evenly over the whole of it: where the bound is reached every second one goes and
// the distance between them doubles.
#pragma once

#include <meniscus/meniscus.h>

#include <cstdint>
#include <vector>

#include "apps/viewer/state.h"

namespace meniscus::viewer {

class Rewind {
 public:
  void clear();
  void setBound(std::size_t bytes) { bound_ = bytes; }
  // Takes a snapshot if enough steps have passed since the last. What lies after the present step is of another future and goes.
  void consider(mnsScene* scene, std::uint64_t step, double time);
  // Puts the scene into the state of snapshot k. Throws Error where the library refuses.
  void restore(mnsScene* scene, std::size_t k) const;
  std::size_t count() const { return snapshots_.size(); }
  void describe(Timeline& timeline) const;

 private:
  struct Snapshot {
    std::uint64_t step = 0;
    double time = 0;
    std::vector<unsigned char> bytes;
  };
  void thin();

  std::vector<Snapshot> snapshots_;
  std::uint64_t interval_ = 5;  // steps
  std::size_t bytes_ = 0, bound_ = std::size_t(512) << 20;
};

}  // namespace meniscus::viewer

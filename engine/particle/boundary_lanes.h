// The triangles of a cell, as many queries in a row read them.
#pragma once

#include "engine/base/buffer.h"
#include "kernels/contact/triangle_lanes.h"

namespace meniscus {

class TriangleLanesBuffer {
 public:
  // Room for n triangles; empty afterwards.
  void prepare(std::size_t n) {
    const std::size_t stride = (n + 2 * std::size_t(kLanes) - 1) / std::size_t(kLanes) * std::size_t(kLanes);
    values_.resizeUninitialized(stride * TriangleLanes::fields);
    tri_.resizeUninitialized(stride);
    for (std::size_t i = 0; i < TriangleLanes::fields; ++i) lanes_.f[i] = values_.data() + i * stride;
    lanes_.tri = tri_.data();
    lanes_.n = 0;
  }
  void makeRoomOf(const TriangleLanesBuffer& other) {
    values_.reserve(other.values_.capacity());
    tri_.reserve(other.tri_.capacity());
  }
  TriangleLanes& lanes() { return lanes_; }
  const TriangleLanes& lanes() const { return lanes_; }

 private:
  Buffer<float> values_;
  Buffer<Index> tri_;
  TriangleLanes lanes_{};
};

}  // namespace meniscus

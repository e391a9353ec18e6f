// Particles sorted into cells, to be found by place between steps.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/base/buffer.h"
#include "engine/world/world.h"

namespace meniscus {

// Positions are relative to the domain's lower corner [m].
class ParticleGrid {
 public:
  // Cells as wide as the kernel's support. Allocates nothing once there is room.
  void build(const World& world);
  // Cells as wide as that [m], over `extent` [m], of n particles at x.
  void build(const Vec4f* x, Index n, const Vec3d& extent, double cellSize);

  // Calls f(i) for the particles in the cells that the box [lo, hi] reaches.
  template <class F>
  void forEachIn(const Vec3d& lo, const Vec3d& hi, const F& f) const {
    const Vec3<Index> a = cellOf(lo), b = cellOf(hi);
    for (Index z = a.z; z <= b.z; ++z)
      for (Index y = a.y; y <= b.y; ++y) {
        const Index row = (z * dim_.y + y) * dim_.x;  // cells of a row follow each other
        for (Index k = begin_[std::size_t(row + a.x)]; k < begin_[std::size_t(row + b.x) + 1]; ++k) f(order_[std::size_t(k)]);
      }
  }
  double cellSize() const { return size_; }  // m

 private:
  // Clamped into the grid: what is beyond the domain is in the cells at its sides.
  Vec3<Index> cellOf(const Vec3d& x) const { return {clamped(x.x, dim_.x), clamped(x.y, dim_.y), clamped(x.z, dim_.z)}; }
  Index clamped(double x, Index n) const {
    const double c = std::floor(x / size_);
    return c > 0 ? (c < n ? Index(c) : n - 1) : 0;
  }

  double size_ = 1;
  Vec3<Index> dim_{};
  Buffer<Index> begin_, order_, cell_;
};

}  // namespace meniscus

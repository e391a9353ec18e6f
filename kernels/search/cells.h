// Uniform cells of edge `size` over a box whose lower corner is the origin, numbered with x fastest.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

struct Cells {
  Vec3<Index> dim{};
  float size = 0, invSize = 0;  // m, 1/m

  // Cells that cover `extent` [m].
  static Cells over(const Vec3d& extent, float size) {
    const auto along = [size](double l) { return Index(std::floor(l / size)) + 1; };
    return {{along(extent.x), along(extent.y), along(extent.z)}, size, 1.f / size};
  }
  MNS_HD Index cells() const { return dim.x * dim.y * dim.z; }
  // clamped into the grid; not-a-number goes to 0
  MNS_HD Vec3<Index> cellOf(const Vec3f& x) const {
    return {clamped(x.x * invSize, dim.x), clamped(x.y * invSize, dim.y), clamped(x.z * invSize, dim.z)};
  }
  MNS_HD Index indexOf(const Vec3<Index>& c) const { return (c.z * dim.y + c.y) * dim.x + c.x; }
  MNS_HD static Index clamped(float v, Index n) { return v < float(n) ? (v > 0.f ? Index(v) : 0) : (v >= float(n) ? n - 1 : 0); }
};

MNS_NS_END

// Numbered points in uniform cells, looked up by boxes. Keeps its memory.
#pragma once

#include "engine/base/buffer.h"
#include "kernels/core/vec.h"
#include "kernels/search/cells.h"

namespace meniscus {

class PointCells {
 public:
  void clear() { points_.clear(); }
  void add(Index number, const Vec3d& x) { points_.push_back({x, number, 0}); }
  bool empty() const { return points_.empty(); }

  // After the points are added. lo, hi: a box that holds them; size: edge of a cell at least [m].
  void sort(const Vec3d& lo, const Vec3d& hi, double size) {
    lo_ = lo;
    const Vec3d extent = hi - lo;
    const double most = 4.0 * double(points_.size()) + 64;  // cells
    const auto cells = [&extent](double l) { return (extent.x / l + 1) * (extent.y / l + 1) * (extent.z / l + 1); };
    while (cells(size) > most) size *= 1.5;
    cells_ = Cells::over(extent, float(size));
    begin_.assign(std::size_t(cells_.cells()) + 1, 0);
    for (Point& p : points_) {
      p.cell = cells_.indexOf(cellOf(p.x));
      ++begin_[std::size_t(p.cell) + 1];
    }
    for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
    next_.resizeUninitialized(begin_.size());
    for (std::size_t c = 0; c < begin_.size(); ++c) next_[c] = begin_[c];
    sorted_.resizeUninitialized(points_.size());
    for (const Point& p : points_) sorted_[std::size_t(next_[std::size_t(p.cell)]++)] = p.number;
  }

  // The numbers of all points in the cells that a box touches.
  template <class Visit>
  void each(const Vec3d& lo, const Vec3d& hi, const Visit& visit) const {
    const Vec3<Index> a = cellOf(lo), b = cellOf(hi);
    for (Index z = a.z; z <= b.z; ++z)
      for (Index y = a.y; y <= b.y; ++y) {
        const std::size_t first = std::size_t(cells_.indexOf({a.x, y, z}));
        for (Index k = begin_[first]; k < begin_[first + std::size_t(b.x - a.x) + 1]; ++k) visit(sorted_[std::size_t(k)]);
      }
  }

 private:
  struct Point {
    Vec3d x;
    Index number, cell;
  };
  Vec3<Index> cellOf(const Vec3d& p) const { return cells_.cellOf(Vec3f(p - lo_)); }
  Vec3d lo_;
  Cells cells_;
  Buffer<Point> points_;
  Buffer<Index> begin_, next_, sorted_;
};

}  // namespace meniscus

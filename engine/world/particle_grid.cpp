#include "engine/world/particle_grid.h"

namespace meniscus {

void ParticleGrid::build(const World& w) {
  build(w.fluid.x.data(), w.fluid.n, w.scene.domain.max - w.scene.domain.min, w.scene.solver.support * w.dx);
}

void ParticleGrid::build(const Vec4f* x, Index n, const Vec3d& extent, double cellSize) {
  size_ = cellSize;
  const auto cells = [&](double length) { return Index(std::floor(length / size_)) + 1; };
  // without particles one cell will do: the domain of a scene of solids may be large
  dim_ = n > 0 ? Vec3<Index>{cells(extent.x), cells(extent.y), cells(extent.z)} : Vec3<Index>{1, 1, 1};
  const std::size_t count = std::size_t(dim_.x) * std::size_t(dim_.y) * std::size_t(dim_.z);
  begin_.assign(count + 1, 0);
  order_.resizeUninitialized(std::size_t(n));
  cell_.resizeUninitialized(std::size_t(n));
  for (Index i = 0; i < n; ++i) {
    const Vec3<Index> c = cellOf(Vec3d(x[i].xyz()));
    cell_[std::size_t(i)] = (c.z * dim_.y + c.y) * dim_.x + c.x;
    ++begin_[std::size_t(cell_[std::size_t(i)]) + 1];
  }
  for (std::size_t c = 0; c < count; ++c) begin_[c + 1] += begin_[c];
  // from the back, with the end of each cell as its cursor, which is left at its beginning
  for (Index i = n; i-- > 0;) order_[std::size_t(--begin_[std::size_t(cell_[std::size_t(i)]) + 1])] = i;
  for (std::size_t c = 0; c < count; ++c) begin_[c] = begin_[c + 1];
  begin_[count] = n;
}

}  // namespace meniscus

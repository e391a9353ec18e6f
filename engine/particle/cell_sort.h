// Stable counting sort of the particles by cell, x fastest. Every per-particle field moves along; neighbours are then near in
// memory.
#pragma once

#include "engine/exec/exec.h"
#include "engine/particle/boundary.h"
#include "engine/world/world.h"

namespace meniscus {

class CellSort {
 public:
  // Cells of edge `size` [m] over a domain of `extent` [m].
  void configure(const Vec3d& extent, float size);
  // Sorts world.fluid; particles whose `drop` byte is set (may be empty) are removed.
  void sort(Exec& exec, FluidState& fluid, const Buffer<std::uint8_t>& drop);
  const CellGrid& grid() const { return grid_; }
  std::size_t bytes() const;

 private:
  template <class T>
  void permute(Exec& exec, Buffer<T>& field, Buffer<T>& spare);

  CellGrid grid_;
  Buffer<Index> cell_, order_;
  Buffer<Vec4f> spare4_;
  Buffer<float> spareF_;
  Buffer<std::uint32_t> spareU_;
  Buffer<std::uint8_t> spareB_;
};

}  // namespace meniscus

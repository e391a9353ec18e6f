// Triangles within reach of each cell of particles.
#pragma once

#include <vector>

#include "engine/exec/exec.h"
#include "engine/particle/boundary.h"
#include "kernels/contact/binned_triangles.h"
#include "kernels/contact/triangle.h"

namespace meniscus {

// Positions of all triangles at one instant, in floats relative to the domain's corner.
struct TriangleGeometry {
  Buffer<Vec4f> node;  // per node of SolidState
  Buffer<PackedTriangle> tri;
  Buffer<Vec4f> sphere;  // centroid and the radius about it that holds the vertices [m]
};

struct CandidateSpan {
  const Index* data;
  Index n;
};

// Triangles sorted by where their centroids lie: bins are cells, and for larger triangles 2, 4, 8... cells wide, so that every
// triangle is in a bin no smaller than its radius (a hierarchical grid: Ericson, Real-Time Collision Detection (2005), section
// 7.2.1).
class TriangleBins {
 public:
  void build(Exec& exec, const CellGrid& grid, const TriangleGeometry& g, const Buffer<Index>& which, float reach);
  // Writes those within reach of the cube [lo, hi], a cell, to out[n...], which grows as needed; returns the new n.
  Index find(const Vec3f& lo, const Vec3f& hi, Buffer<Index>& out, Index n) const;
  std::size_t bytes() const;

 private:
  static constexpr int kLevels = 10;
  struct Level {
    Vec3<Index> dim{};
    Index base = 0;    // its first bin
    float radius = 0;  // largest of its triangles [m]
    bool used = false;
  };
  struct FindBin;
  struct Fill;
  template <class Visit>
  void forEachRun(const Vec3f& lo, const Vec3f& hi, const Visit& visit) const;
  void sort(const TriangleGeometry& g, const Buffer<Index>& which);

  const CellGrid* grid_ = nullptr;
  float reach_ = 0;
  Level level_[kLevels];
  Buffer<std::uint8_t> levelOf_;               // per entry of `which`
  Buffer<Index> binOf_, begin_, order_, tri_;  // per entry, per bin, sorted, sorted
  Buffer<float> x_, y_, z_, far2_, nx_, ny_, nz_, slab_;
};

// Triangles within reach of each cell, in the same order at any number of threads. A layer of cells (one z) is filled by one
// thread.
class CandidateLists {
 public:
  // Lists the triangles `which` for the cells that hold particles (or for all cells).
  void build(Exec& exec, const char* name, const CellGrid& grid, const TriangleGeometry& g, const Buffer<Index>& which, float reach,
             bool allCells);
  CandidateSpan at(const CellGrid& grid, Index cell) const {
    if (cell >= cells_) return {nullptr, 0};
    const Buffer<Index>& layer = layers_[std::size_t(cell / (grid.dim.x * grid.dim.y))];
    return {layer.data() + first_[std::size_t(cell)], count_[std::size_t(cell)]};
  }
  float reach() const { return reach_; }
  std::size_t bytes() const;

 private:
  struct BuildContext;
  static void buildLayer(void* context, Index z);

  TriangleBins bins_;
  std::vector<Buffer<Index>> layers_;
  Buffer<Index> first_, count_;  // per cell, into its layer
  Index cells_ = 0;
  float reach_ = 0;
};

}  // namespace meniscus

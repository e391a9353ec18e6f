// The memory in which contacts of rigid bodies with each other are looked for: it lives with the solids, so that a steady step
// allocates nothing. A snapshot does not need it.
#pragma once

#include "engine/base/buffer.h"
#include "engine/solid/point_cells.h"

namespace meniscus {

struct RigidPairMemory {
  struct Extent {
    double lo, hi;      // along x [m]
    std::size_t which;  // of the bodies that move by themselves
  };
  struct PlacedEdge {
    Vec3d a, b;
    Index number;  // among the body's
  };
  Buffer<Extent> extents;
  Buffer<PlacedEdge> edges, otherEdges;
  PointCells cells;
};

}  // namespace meniscus

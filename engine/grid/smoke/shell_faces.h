// The faces of a MAC grid that a shell closes: those whose segment between the centres of the two cells crosses it.
//
// Two cells are then on different sides of a closed shell only where a chain of faces between them has a closed one: the crossings
// are exact (exact_crossing.h), and no chain slips by at a node or an edge.
#pragma once

#include "engine/base/buffer.h"
#include "engine/grid/smoke/smoke_domain.h"

namespace meniscus {

template <int D>
struct ShellFace {
  int axis;
  Cell<D> cell;  // the one above the face
  Offset face;   // in the array of the axis's faces
};

// A crossing of an element and a face's segment.
template <int D>
struct ShellCrossing {
  Index row;  // of the face in ShellFaces::face
  Index element;
  std::array<double, D> barycentric;
};

template <int D>
struct ShellFaces {
  std::vector<ShellFace<D>> face;  // by axis, then in the order of the array
  std::vector<ShellCrossing<D>> crossing;
  Buffer<Index> row[D];  // of each face of the grid, -1 where the shell does not close it
  // Elements that the line along x through the centre of the first cell crosses before it: a closed surface that has an odd number
  // of them is around that centre, wherever its other parts are.
  std::vector<Index> before;

  bool closed(int axis, Offset f) const { return row[axis][std::size_t(f)] >= 0; }
};

// x: positions, D a node. Left out are faces on the border of the grid, which lie between a cell and none, and those that `given`
// has, where it is not null: they are closed already.
template <int D>
void findShellFaces(const ShellLattice<D>& lattice, const ShellMesh<D>& mesh, const std::vector<double>& x,
                    const GivenFaces<D>* given, ShellFaces<D>& faces);

}  // namespace meniscus

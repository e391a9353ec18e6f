// What a shell hides: rays in space against the shell as it stands, and paths in space and time against the shell as it moves.
//
// A value may be taken from one point to another only along segments that meet the shell nowhere. In time the nodes move on
// straight lines, and what an element sweeps is cut into simplices by the order of its nodes, so that neighbours share their sides.
// Two points on a chain of such segments are on one side of the shell, whatever it does in between: nothing can leak.
//
// Based on: Guendelman, Selle, Losasso & Fedkiw, Coupling water and smoke to thin deformable and rigid shells, 2005 (one-sided
// interpolation); here with exact crossings in place of a thickness.
#pragma once

#include "engine/grid/smoke/element_bins.h"

namespace meniscus {

template <int D>
struct ShellHit {
  Index element = -1;  // -1: none
  double t = 1;        // part of the way
  std::array<double, D> barycentric{};
};

template <int D>
class ShellRays {
 public:
  // x: positions, D a node. Mesh and lattice are copied.
  void build(const ShellLattice<D>& lattice, const ShellMesh<D>& mesh, const std::vector<double>& x);
  const ShellLattice<D>& lattice() const { return lattice_; }
  const ShellMesh<D>& mesh() const { return mesh_; }
  bool anyNear(const LatticeBox<D>& box) const { return bins_.anyNear(box); }
  bool blocked(const LatticePoint<D>& p, const LatticePoint<D>& q) const;
  // The first element on the way from p to q; the lower one of two at the same place.
  ShellHit<D> firstHit(const LatticePoint<D>& p, const LatticePoint<D>& q) const;

 private:
  LatticeSimplex<D> simplex(Index element) const;
  ShellLattice<D> lattice_;
  ShellMesh<D> mesh_;
  std::vector<LatticePoint<D>> node_;
  ElementBins<D> bins_;
};

// The shell on its way from x0 to x1.
template <int D>
class SweptShell {
 public:
  void build(const ShellLattice<D>& lattice, const ShellMesh<D>& mesh, const std::vector<double>& x0,
             const std::vector<double>& x1);
  // True where the path from p at the beginning to q at the end meets the shell.
  bool blocked(const LatticePoint<D>& p, const LatticePoint<D>& q) const;
  // The elements that pass over a point at rest, in ascending order.
  std::vector<Index> passing(const LatticePoint<D>& p) const;

 private:
  bool meets(Index element, const LatticePoint<D>& p, const LatticePoint<D>& q) const;
  ShellMesh<D> mesh_;
  std::vector<LatticePoint<D>> node_[2];
  ElementBins<D> bins_;
};

}  // namespace meniscus

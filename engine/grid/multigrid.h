// Multigrid preconditioner of the pressure matrix: one symmetric V-cycle.
//
// After McAdams, Sifakis & Teran, A parallel multigrid Poisson solver for fluids simulation on large grids, 2010, with two changes.
//  - Coarse unknowns are the connected parts of the fluid in blocks of 2^D cells, so that no level joins what a thin shell
//  separates
//    and every closed region stays a region of its own down to one unknown.
//  - A coarse coupling is the sum of the fine ones across the face times the ratio of the distances between centres (1/2). It is
//  the
//    Galerkin product of piecewise-constant transfer with the over-correction of Braess, Towards algebraic multigrid for elliptic
//    problems of second order, 1995, and in open fluid the plain discretisation on the coarse grid. Transfer is linear: from the
//    block's own unknown and its neighbours across the faces of the cell that lie on the block's rim, where these are open.
// Smoother: one red-black Gauss-Seidel sweep before and the reverse sweep after, which makes the cycle symmetric; it is positive
// definite because the sweeps converge for symmetric positive matrices. The coarsest grid is one cell: its unknowns are one a
// region, not coupled, and solved exactly.
//
// T is float for speed (a preconditioner need not be exact) or double.
#pragma once

#include <memory>

#include "engine/grid/multigrid_level.h"
#include "engine/grid/pressure_matrix.h"

namespace meniscus {

template <int D, class T>
class Multigrid {
 public:
  Multigrid(Exec& exec);
  ~Multigrid();
  // Reads the matrix, divided by its largest diagonal entry. Memory is kept from one build to the next.
  void build(const PressureMatrix<D>& matrix);
  // z = M^-1 r with r = right(), in the padded layout of the matrix; r and z are 0 where there is no unknown. The matrix behind M
  // is the one given divided by scale().
  T* right();
  T* solve();
  double scale() const;
  int levels() const;
  std::size_t bytes() const;
  const multigrid::Level<D, T>& level(int l) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace meniscus

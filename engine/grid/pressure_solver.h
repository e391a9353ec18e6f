// Solves pressure problems by conjugate gradients with the multigrid preconditioner.
//
// To |r| = 1e-6 |b| it takes 11 to 14 iterations in tanks of 32^3 to 128^3 cells with a free surface, with or without thin shells,
// and 8 or 9 in closed ones; `meniscus bench pressure` shows them. Densities that jump from cell to cell by decades cost several
// times that, because the transfer does not look at them. Memory traffic of an iteration, bytes an unknown of a 3-D problem with T
// = float: 150 for the double vectors and the matrix, 175 for the V-cycle; all loops are bound by it.
#pragma once

#include "engine/grid/multigrid.h"
#include "engine/grid/pressure_regions.h"
#include "engine/linear/fused_conjugate_gradient.h"

namespace meniscus {

struct PressureReport {
  int iterations = 0;
  double residual = 0;  // |b - A p| / |b|, computed anew from p; b without the incompatible parts
  bool converged = false;
};

// T: precision of the preconditioner. The solution is double either way.
template <int D, class T = float>
class PressureSolver {
 public:
  explicit PressureSolver(Exec& exec);
  ~PressureSolver();
  // Checks the problem and keeps a pointer to it: it must stay unchanged until the last solve. Throws Error as checkPressureProblem
  // does. A build of the same size allocates little; a solve after the first nothing.
  void build(const PressureProblem<D>& problem);
  // divergence: of each cell, used in fluid cells [1/s or any unit times that]. p: of each cell, the start of the iteration on
  // entry if it has the right size; on return the pressure, with mean zero in closed regions, the given pressure in air and 0 in
  // solids.
  PressureReport solve(const Buffer<double>& divergence, Buffer<double>& p, const FusedControl& control);
  // Regions and what of the last divergence they could not take.
  const std::vector<PressureRegion<D>>& regions() const;
  const PressureMatrix<D>& matrix() const;
  const Buffer<double>& rightSide() const;  // of the last solve, in the padded layout
  Multigrid<D, T>& multigrid();
  std::size_t bytes() const;  // of all working memory

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace meniscus

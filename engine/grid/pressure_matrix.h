// The matrix of a pressure problem, A = -div beta grad: symmetric, positive (semi-)definite, D + 1 numbers a cell.
#pragma once

#include "engine/grid/padded_layout.h"
#include "engine/grid/pressure_problem.h"
#include "engine/grid/stencil.h"

namespace meniscus {

// (A x)_i = diagonal_i x_i - sum over axes of (lower_a,i x_(i - e_a) + lower_a,(i + e_a) x_(i + e_a)); all numbers are 0 outside
// the unknowns. Units: 1 / (density dx^2).
template <int D>
struct PressureMatrix {
  PaddedLayout<D> layout;
  Buffer<RowSpan<D>> rows;  // that hold fluid cells
  Buffer<double> lower[D];  // coupling of a cell to its lower neighbour along an axis, >= 0
  Buffer<double> diagonal;
  Buffer<double> surface;  // the part of the diagonal that ties a cell to given pressures
  Index unknowns = 0;      // fluid cells
};

template <int D>
struct StencilView {
  const double *lower[D], *diagonal;
  Cell<D> stride;

  double row(const double* x, Index i) const {
    return diagonal[i] * x[i] - neighbourSum<D, double>(lower, stride, i, [x](Index k) { return x[k]; });
  }
};

// Memory is kept from one assembly to the next. The problem must have been checked.
template <int D>
void assemblePressureMatrix(Exec& exec, const PressureProblem<D>& problem, PressureMatrix<D>& matrix);

// b = -divergence + what the given pressures of air cells add, in the padded layout; 0 outside the fluid.
template <int D>
void pressureRightSide(Exec& exec, const PressureProblem<D>& problem, const PressureMatrix<D>& matrix,
                       const Buffer<double>& divergence, Buffer<double>& b);

// Coupling across a face [1 / (density dx^2)], as if both cells were fluid.
template <int D>
double faceCoupling(const PressureProblem<D>& p, int axis, Offset face) {
  const double open = p.openFraction[axis].empty() ? 1 : p.openFraction[axis][std::size_t(face)];
  const double beta = p.beta[axis].empty() ? p.constantBeta : p.beta[axis][std::size_t(face)];
  return open * beta / (p.grid.dx * p.grid.dx);
}
// Part of the way from the centre of a fluid cell to that of an air cell at which the surface lies.
template <int D>
double surfaceFraction(const PressureProblem<D>& p, Offset fluid, Offset air) {
  if (p.levelSet.empty()) return 1;
  const double inside = p.levelSet[std::size_t(fluid)], outside = p.levelSet[std::size_t(air)];
  // the kinds of the cells decide what is fluid; a level set that disagrees has no zero in between
  if (!(inside < 0) || !(outside > inside)) return inside < 0 ? 1 : kLeastTheta;
  const double theta = inside / (inside - outside);
  return theta < kLeastTheta ? kLeastTheta : (theta > 1 ? 1 : theta);
}

}  // namespace meniscus

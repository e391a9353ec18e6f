// The linear system of a fluid on a grid and solids together, with p the pressures times dt and d the change of the solids'
// velocities:
//
//   [ L    B ] [p]   [  f ]     L = A G^T G A / m_F   flow of each cell by the pressures, over the faces without a shell
//   [ B^T -K ] [d] = [ -g ]     B = C^T T             flow of each cell by the solids; T = W N, C = A times the sides of a face
//                               K = S + T^T m T       the solids' own matrix with the fluid of the shell's dual cells on them
//
// Symmetric and indefinite: L and K are positive (semi-)definite. T^T m T is the whole matrix, not its lumped diagonal: for a rigid
// body the six by six added mass of its points about its own centre. What is lumped would be another step than that which both
// boxes take on their own; and the printed equations 22 to 24 spin a body that moves along with its fluid.
//
// Solved by MINRES with diag(L, K)^-1: one V-cycle for L, a factor for K. A region without contact to an open side has its constant
// pressure in L's kernel; it acts on the solids only, through Z^T B K^-1 B^T Z with Z the regions' indicators, which is small and
// dense and factored. What is in its kernel, the constant of a region whose border can not move, is no unknown: it is left at zero.
//
// Based on: Robinson-Mosher et al. 2008, equations 13 to 16, unlumped.
#pragma once

#include <functional>
#include <optional>

#include "engine/coupling/enclosed_pressure.h"
#include "engine/coupling/grid_operators.h"
#include "engine/coupling/monolithic/region_constants.h"
#include "engine/grid/multigrid.h"
#include "engine/grid/pressure_regions.h"
#include "engine/linear/minres.h"
#include "engine/solid/implicit/implicit_solid.h"

namespace meniscus::coupling {

// The solids of a step as the fluid's faces meet them: V(d) = velocity + nodes d, J(d) = impulse + system d on the coordinates.
struct SolidTangent {
  SparseMatrix system;        // q x q, S
  SparseMatrix nodes;         // n x q, N
  std::vector<char> given;    // q
  implicit::Vector velocity;  // n [m/s]
  implicit::Vector impulse;   // n [N s]
};

template <int D>
class CoupledSystem {
 public:
  // The flow out of a closed region whose constant is no unknown is not held at zero as a whole; what is left is spread over its
  // cells. hasConstant: null for all. exec and fluid must outlive this.
  CoupledSystem(Exec& exec, GridOperators<D>& fluid, HasConstant hasConstant);

  // Assembles and solves. A matrix of the solids that can not be factored is reported as an infinite residual.
  KrylovReport solve(const GridStep<D>& fluid, const SolidTangent& solid, const KrylovControl& control);

  // Of the last solve. Impulses hold the constant pressures of closed regions, or those alone.
  const implicit::Vector& velocity() const { return velocity_; }                // n: of the interface [m/s]
  const implicit::Vector& impulse() const { return impulse_; }                  // n: of the fluid on the interface [N s]
  const implicit::Vector& constantImpulse() const { return constantImpulse_; }  // n: that part of it
  double pressure(const GridStep<D>& fluid, Offset cell) const;                 // of the grid's cells [Pa s]
  const std::vector<double>& constantPressure() const { return constant_; }     // of each closed region, times dt [Pa s]

  // What minres asks for.
  using Value = double;
  KrylovVectors<double>& vectors() { return *vectors_; }
  void apply(const Buffer<double>& x, Buffer<double>& y);
  double precondition(const Buffer<double>& r, Buffer<double>& z);

 private:
  using Rows = SparseMatrixOf<Eigen::RowMajor>;
  void assembleFluid(const GridStep<D>& fluid);
  void assembleSolid(const GridStep<D>& fluid, const SolidTangent& solid);
  void assembleConstants();
  void rightSide(const GridStep<D>& fluid, const SolidTangent& solid);
  void readSolution(const GridStep<D>& fluid, const SolidTangent& solid);
  implicit::Vector faceForces(const double* p) const;
  void addFlows(const implicit::Vector& faceVelocity, double* flow) const;
  implicit::Vector regionSums(const double* r) const;
  void addConstants(const implicit::Vector& value, double* p) const;
  void takeOff(double* flow) const;

  Exec& exec_;
  GridOperators<D>& operators_;
  MacGrid<D> grid_;
  HasConstant hasConstant_;
  double volume_, area_;
  PressureMatrix<D> matrix_;
  PressureRegions<D> regions_;
  Multigrid<D, double> multigrid_;
  std::optional<KrylovVectors<double>> vectors_;
  Index pressures_ = 0;                      // places of the padded layout, before the solids' coordinates
  std::vector<std::array<Index, 2>> cells_;  // of each face of the shell, lower and upper; -1: filled

  Rows weights_;           // faces x n, W
  Rows atFaces_;           // faces x q, T; without given coordinates
  implicit::Vector mass_;  // of each face
  SparseMatrix system_;
  SparseFactor solidFactor_;  // of K

  Buffer<Index> region_;             // of each place, its closed region or -1
  std::vector<Index> regionNumber_;  // of each region of regions_, among the closed ones or -1
  RegionConstants constants_;
  Eigen::VectorXd regionCells_;

  Buffer<double> b_, x_;
  KrylovWork<double> work_;
  implicit::Vector velocity_, impulse_, constantImpulse_;
  std::vector<double> constant_;
};

extern template class CoupledSystem<2>;
extern template class CoupledSystem<3>;

}  // namespace meniscus::coupling

// Solids that are advanced implicitly, in double precision, as the black box S of an offline coupling: motion = S(impulses).
//
//   n       coordinates of the interface: D a node, node after node [m]
//   J       impulses of the fluid over the step on the same coordinates [N s]
//   q       coordinates of the solid's own equations: those of the nodes, or of rigid bodies (velocity, then angular velocity)
//
// A step starts from the state as it stands, and its answer hangs on nothing else: the same state and the same J give the same
// bits.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "engine/linear/sparse_matrix.h"

namespace meniscus::implicit {

using Vector = Eigen::VectorXd;

// Rows and columns of the given coordinates become those of the identity. The matrix has its whole diagonal.
void replaceByIdentity(SparseMatrix& a, const std::vector<char>& given);

// What a step of backward Euler solves, linearised about the state now:
//   (M + dt C + dt^2 K) v = M v* + N^T J,   v* = v^n + dt M^-1 (f(x^n) + external forces)
// In the names of Robinson-Mosher et al. 2008, equation 16: M is M_S, v* is V*, and D = -(C + dt K), which is negative.
struct LinearisedStep {
  SparseMatrix mass;        // q x q, diagonal for nodal solids [kg, kg m^2]
  SparseMatrix damping;     // q x q, symmetric, positive semi-definite [N s/m]
  SparseMatrix stiffness;   // q x q, symmetric, positive semi-definite [N/m]
  Vector predicted;         // q: v* [m/s, rad/s]; given velocities have their given value
  SparseMatrix nodes;       // n x q: velocities of the interface from v (N)
  std::vector<char> given;  // q: 1 where the velocity is given, so that its equation falls away

  // M + dt C + dt^2 K, with the rows and columns of given velocities replaced by those of the identity.
  SparseMatrix system(double dt) const;
};

class ImplicitSolid {
 public:
  virtual ~ImplicitSolid() = default;

  // n
  virtual Eigen::Index size() const = 0;

  // In how many ways it can move, where these are few: 6 a rigid body in space, 3 in the plane. -1: many.
  virtual int freedoms() const { return -1; }

  // Of the interface now. The velocity of a node is its mean over the last step for nodal solids, that of the moment for rigid
  // ones.
  virtual Vector position() const = 0;
  virtual Vector velocity() const = 0;

  // Advances by dt [s] under the impulses. False where it failed: numbers that are not finite, or no convergence; the state is
  // then what it was before.
  virtual bool step(const Vector& impulse, double dt) = 0;

  virtual void save() = 0;
  virtual void restore() = 0;

  virtual LinearisedStep linearised(double dt) const = 0;

  // After save and a step of dt: the matrix A of J(v + dv) = J(v) + A dv to first order, for the coordinates q of `linearised` in
  // that step. Symmetric, positive definite; A v is impulses. Rows and columns of given velocities are those of the identity.
  virtual SparseMatrix endSystem(double dt) const = 0;
};

// Throws Error(input) "what: text".
[[noreturn]] void refuse(const std::string& what, const std::string& text);
// Throws unless the number is finite and above 0, or 0 where that is allowed.
void checkPositive(const std::string& what, double number, bool orZero = false);
void checkFinite(const std::string& what, const Vector& v);

}  // namespace meniscus::implicit

// The linear systems of Newton's method for one solid: a Cholesky factor each, or, where that has many entries, conjugate gradients
// with the factor of an earlier system as their preconditioner. That of the beginning of a step is shared by the passes of a
// coupling, which all start from one state; where elements have turned so far that it no longer helps, the newest system's takes
// its place for the rest of the solve.
#pragma once

#include "engine/solid/implicit/implicit_solid.h"

namespace meniscus::implicit {

class NewtonSystem {
 public:
  // Of all matrices to come.
  void setPattern(const SparseMatrix& pattern);

  // The factor is too large to be made for each system.
  bool isLarge() const;

  // Where the factor is large: of the step's beginning, positive definite. False where it is not.
  bool prepare(const SparseMatrix& a);

  // At the beginning of every solve: what earlier ones have left is forgotten, so that each hangs on its own start alone.
  void begin() { newest_ = &start_; }

  // d = -a^-1 g. False where `a` was found not to be positive definite, or d is not finite.
  bool solve(const SparseMatrix& a, const Vector& g, Vector& d);

  // The same by the factor of `a` itself, definite or not.
  bool solveByFactor(const SparseMatrix& a, const Vector& g, Vector& d);

 private:
  struct Factor : SparseFactor {
    Eigen::Index entries() const { return m_matrix.nonZeros(); }  // known from the pattern
  };
  bool factorise(const SparseMatrix& a);

  Factor factor_, start_;
  const Factor* newest_ = &start_;
};

}  // namespace meniscus::implicit

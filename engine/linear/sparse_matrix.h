// Eigen's sparse matrix, safe where memory runs out: its constructors (3.4) allocate more than once in their bodies, and lose the
// first part where the second fails, as no destructor is run. Here each begins with an empty matrix that is whole. It also moves.
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace meniscus {

template <int Order>
class SparseMatrixOf : public Eigen::SparseMatrix<double, Order> {
  using Base = Eigen::SparseMatrix<double, Order>;

 public:
  SparseMatrixOf() = default;
  SparseMatrixOf(Eigen::Index rows, Eigen::Index columns) : Base(rows, columns) {}
  SparseMatrixOf(const SparseMatrixOf& other) : SparseMatrixOf() { Base::operator=(static_cast<const Base&>(other)); }
  SparseMatrixOf(SparseMatrixOf&& other) : SparseMatrixOf() { this->swap(other); }
  template <class Expression>
  SparseMatrixOf(const Eigen::SparseMatrixBase<Expression>& e) : SparseMatrixOf() {
    Base::operator=(e.derived());
  }

  SparseMatrixOf& operator=(const SparseMatrixOf& other) {
    Base::operator=(static_cast<const Base&>(other));
    return *this;
  }
  SparseMatrixOf& operator=(SparseMatrixOf&& other) noexcept {
    this->swap(other);
    return *this;
  }
  template <class Expression>
  SparseMatrixOf& operator=(const Eigen::SparseMatrixBase<Expression>& e) {
    Base::operator=(e.derived());
    return *this;
  }
};

using SparseMatrix = SparseMatrixOf<Eigen::ColMajor>;
using SparseFactor = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>;  // Cholesky's, L D L^T

}  // namespace meniscus

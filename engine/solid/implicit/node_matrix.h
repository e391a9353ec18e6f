// A symmetric sparse matrix of D x D blocks over nodes: its pattern is made once of the groups of nodes that elements couple, and
// elements then add to it in their own order.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/linear/sparse_matrix.h"

namespace meniscus::implicit {

template <int D>
class NodeMatrix {
 public:
  using Block = Eigen::Matrix<double, D, D>;

  NodeMatrix() = default;

  // groups: the nodes of each element; every node has its diagonal block besides.
  NodeMatrix(int nodes, const std::vector<std::vector<int>>& groups) {
    std::vector<Eigen::Triplet<double>> entries;
    const auto block = [&](int i, int j) {
      for (int r = 0; r < D; ++r)
        for (int c = 0; c < D; ++c) entries.emplace_back(i * D + r, j * D + c, 0.0);
    };
    for (int i = 0; i < nodes; ++i) block(i, i);
    for (const auto& g : groups)
      for (const int i : g)
        for (const int j : g)
          if (i != j) block(i, j);
    matrix_.resize(nodes * D, nodes * D);
    matrix_.setFromTriplets(entries.begin(), entries.end());
    matrix_.makeCompressed();
  }

  void setZero() { std::fill_n(matrix_.valuePtr(), matrix_.nonZeros(), 0.0); }

  void add(int i, int j, const Block& b) {
    for (int c = 0; c < D; ++c) {
      double* const column = at(i * D, j * D + c);
      for (int r = 0; r < D; ++r) column[r] += b(r, c);
    }
  }

  SparseMatrix& matrix() { return matrix_; }
  const SparseMatrix& matrix() const { return matrix_; }

 private:
  // The rows of a block lie one after another in each of its columns.
  double* at(int row, int column) {
    const int* const begin = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column];
    const int* const end = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column + 1];
    return matrix_.valuePtr() + (std::lower_bound(begin, end, row) - matrix_.innerIndexPtr());
  }

  SparseMatrix matrix_;
};

}  // namespace meniscus::implicit

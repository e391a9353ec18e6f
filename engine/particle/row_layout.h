// Where the rows of a kind begin in a vector of the pressure system.
#pragma once

#include <algorithm>

#include "kernels/core/view.h"

namespace meniscus {

// Fluid rows first, then edges (four floats each, aligned to four), then the rows of the other constraints.
struct RowLayout {
  Index fluid = 0, edges = 0, rows = 0, total = 0;  // number of fluid rows, first edge, first constraint row, number of all

  static RowLayout make(Index fluid, Index edgeCount, Index constraintRows) {
    RowLayout l;
    l.fluid = fluid;
    l.edges = edgeCount > 0 ? (fluid + 3) / 4 * 4 : fluid;
    l.rows = l.edges + 4 * edgeCount;
    l.total = l.rows + constraintRows;
    return l;
  }
  Index edgeCount() const { return (rows - edges) / 4; }
  Index fluidEnd(Index end) const { return std::min(end, fluid); }
  // onEdge(number, row) and onRow(number, row) for those in [begin, end), a block that begins at a multiple of four
  template <class OnEdge, class OnRow>
  void forEachSolid(Index begin, Index end, const OnEdge& onEdge, const OnRow& onRow) const {
    for (Index i = std::max(begin, edges); i < std::min(end, rows); i += 4) onEdge((i - edges) / 4, i);
    for (Index i = std::max(begin, rows); i < end; ++i) onRow(i - rows, i);
  }
};

}  // namespace meniscus

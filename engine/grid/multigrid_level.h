// One level of the pressure multigrid.
//
// A level is a grid of cells. Most unknowns are the one unknown of their cell and have a stencil of 2 D neighbours: they are
// handled row by row. Where a thin shell cuts a coarse cell in parts that are not connected inside of it, each part is an unknown:
// the largest keeps the cell's place, the others ("extras") follow behind the padded array. The few rows that an extra takes part
// in are stored as sparse rows and done after the sweep over the rows, whose values they replace.
#pragma once

#include <vector>

#include "engine/grid/padded_layout.h"

namespace meniscus::multigrid {

// Row k belongs to the unknown row[k] and has the entries begin[k] .. begin[k + 1].
template <class T>
struct SparseRows {
  Buffer<Index> row, begin, column;
  Buffer<T> value;

  Index size() const { return Index(row.size()); }
  void clear() {
    row.clear();
    begin.clear();
    begin.push_back(0);
    column.clear();
    value.clear();
  }
  void add(Index c, T v) {
    column.push_back(c);
    value.push_back(v);
  }
  void endRow(Index r) {
    row.push_back(r);
    begin.push_back(Index(column.size()));
  }
  std::size_t bytes() const { return row.capacityBytes() + begin.capacityBytes() + column.capacityBytes() + value.capacityBytes(); }
};

template <int D, class T>
struct Level {
  PaddedLayout<D> layout;
  Buffer<RowSpan<D>> rows;       // that hold unknowns; begin and end at even cells, so that they cover whole blocks
  Buffer<T> lower[D];            // coupling of a cell to its lower neighbour along an axis, >= 0; padded layout
  Buffer<T> inverseDiagonal;     // 0 where there is no unknown; extras follow, as in all arrays below
  Buffer<T> b, x, r;             // right side, solution, residual
  Buffer<Index> extraCell;       // in the padded layout, of each extra
  SparseRows<T> irregular;       // off-diagonal couplings (>= 0) of the rows that extras take part in, red ones first
  Index redIrregular = 0;        // how many are red
  std::vector<double> width[D];  // of the cells along each axis, in cells of the finest level
  std::vector<T> toward[D];      // how far a cell's centre lies from its block's, as part of the way to the block on that side
  SparseRows<T> prolongation;    // of the unknowns that do not follow the regular formula, from the next level
  Buffer<T> prolonged;           // their values meanwhile
  SparseRows<T> restriction;     // rows of the next level's unknowns that do not, from this level
  Index unknowns = 0;

  Index total() const { return layout.size + Index(extraCell.size()); }
  Index cellOf(Index u) const { return u < layout.size ? u : extraCell[std::size_t(u - layout.size)]; }
  std::size_t bytes() const {
    std::size_t s = rows.capacityBytes() + inverseDiagonal.capacityBytes() + b.capacityBytes() + x.capacityBytes() +
                    r.capacityBytes() + extraCell.capacityBytes() + prolonged.capacityBytes() + irregular.bytes() +
                    prolongation.bytes() + restriction.bytes();
    for (const auto& l : lower) s += l.capacityBytes();
    return s;
  }
};

}  // namespace meniscus::multigrid

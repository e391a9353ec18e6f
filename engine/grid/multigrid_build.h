// How a level of the multigrid is made from the finer one: parts, couplings, transfer rows. For one level after the other, in
// order.
#pragma once

#include <algorithm>
#include <utility>

#include "engine/grid/multigrid_level.h"

namespace meniscus::multigrid {

// What the steps of a coarsening hand on. Kept from level to level for its memory.
template <class T>
struct CoarseningWork {
  Buffer<Index> aggregate;                          // coarse unknown of each fine one, -1: none
  Buffer<T> surface, coarseSurface;                 // part of the diagonal that ties an unknown to given pressures
  Buffer<Index> irregularRow;                       // of each fine unknown, -1: it is a regular one. Empty: all are
  std::vector<std::pair<Index, Index>> extras;      // (block, fine unknown) of the fine level's extras, sorted
  std::vector<std::pair<Index, Index>> nextExtras;  // the same of the coarse level, by cell: (cell, unknown)
  Buffer<std::uint8_t> split;                       // of each coarse cell: its part is not simply its fluid cells
  std::vector<Index> splitCells;
};

// The cells and unknowns of `coarse`, and `aggregate`, `split`, `nextExtras` of the work. irregularRow and extras are made first.
template <int D, class T>
void aggregateParts(Exec& exec, Level<D, T>& fine, Level<D, T>& coarse, CoarseningWork<T>& work);
// The couplings of `coarse`.
template <int D, class T>
void coupleParts(Exec& exec, const Level<D, T>& fine, Level<D, T>& coarse, CoarseningWork<T>& work);
// fine.prolongation and fine.restriction.
template <int D, class T>
void listTransferRows(Level<D, T>& fine, const Level<D, T>& coarse, const CoarseningWork<T>& work);

// Rows that hold unknowns, and their number. keep(i): whether the cell at i of the padded array counts.
template <int D, class T>
void listRows(Exec& exec, Level<D, T>& level);
// Weights of interpolation of a level whose cells have these widths, in blocks of two.
template <int D, class T>
void setTransferWeights(Level<D, T>& fine, const Level<D, T>& coarse);

// visit(v, coupling) for the neighbours of unknown u.
template <int D, class T, class Visit>
void forNeighbours(const Level<D, T>& l, const Buffer<Index>& irregularRow, Index u, Visit visit) {
  if (!irregularRow.empty() && irregularRow[std::size_t(u)] >= 0) {
    const std::size_t row = std::size_t(irregularRow[std::size_t(u)]);
    for (Index e = l.irregular.begin[row]; e < l.irregular.begin[row + 1]; ++e)
      visit(l.irregular.column[std::size_t(e)], l.irregular.value[std::size_t(e)]);
    return;
  }
  for (int a = 0; a < D; ++a) {
    const Index d = l.layout.stride[std::size_t(a)];
    const T below = l.lower[a][std::size_t(u)], above = l.lower[a][std::size_t(u + d)];
    if (below > 0) visit(u - d, below);
    if (above > 0) visit(u + d, above);
  }
}
// visit(u) for the fine unknowns of a block, given the padded place of the coarse cell: regular places first, then extras.
template <int D, class T, class Visit>
void forMembers(const Level<D, T>& fine, const Level<D, T>& coarse, const CoarseningWork<T>& w, Index cell, Visit visit) {
  Cell<D> first = coarse.layout.coordinates(cell);
  for (Index& k : first) k *= 2;
  const Index base = fine.layout.at(first);
  for (Index child = 0; child < (1 << D); ++child) {
    Index u = base;
    for (Index a = 0; a < D; ++a) u += (child >> a & 1) * fine.layout.stride[std::size_t(a)];
    if (w.aggregate[std::size_t(u)] != -1) visit(u);
  }
  auto e = std::lower_bound(w.extras.begin(), w.extras.end(), std::pair<Index, Index>(cell, 0));
  for (; e != w.extras.end() && e->first == cell; ++e) visit(e->second);
}

}  // namespace meniscus::multigrid

// Interpolation where parts of blocks meet: the rows of the transfer that the regular formula does not give.
#include "engine/grid/multigrid_build.h"

namespace meniscus::multigrid {
namespace {

// A row of P: few entries, each column once.
template <class T>
struct TransferRow {
  std::vector<std::pair<Index, T>> entries;
  void add(Index column, T value) {
    for (auto& e : entries)
      if (e.first == column) {
        e.second += value;
        return;
      }
    entries.push_back({column, value});
  }
};

template <int D, class T>
struct Interpolation {
  const Level<D, T>& fine;
  const Level<D, T>& coarse;
  const CoarseningWork<T>& work;

  Index aggregateOf(Index u) const { return work.aggregate[std::size_t(u)]; }
  Index cellOf(Index u) const {
    Cell<D> c = fine.layout.coordinates(fine.cellOf(u));
    for (Index& k : c) k /= 2;
    return coarse.layout.at(c);
  }
  // The block's part takes what is left of 1; across the rim along each axis, the couplings share the weight.
  void weights(Index u, TransferRow<T>& row) const {
    row.entries.clear();
    const Cell<D> c = fine.layout.coordinates(fine.cellOf(u));
    const Index U = aggregateOf(u), here = fine.cellOf(u);
    row.add(U, T(1));
    for (std::size_t a = 0; a < D; ++a) {
      const T w = fine.toward[a][std::size_t(1 + c[a])];
      if (!(w > 0)) continue;
      const Index beyond = here + (c[a] & 1 ? fine.layout.stride[a] : -fine.layout.stride[a]);
      T all = 0;
      forNeighbours(fine, work.irregularRow, u, [&](Index v, T value) { all += fine.cellOf(v) == beyond ? value : T(0); });
      if (!(all > 0)) continue;
      forNeighbours(fine, work.irregularRow, u, [&](Index v, T value) {
        if (fine.cellOf(v) == beyond) row.add(aggregateOf(v), w * value / all);
      });
      row.add(U, -w);
    }
  }
  bool isRegular(Index u) const {
    if (u >= fine.layout.size || aggregateOf(u) != cellOf(u)) return false;
    if (!work.irregularRow.empty() && work.irregularRow[std::size_t(u)] >= 0) return false;
    bool regular = true;
    forNeighbours(fine, work.irregularRow, u, [&](Index v, T) { regular = regular && aggregateOf(v) == cellOf(v); });
    return regular;
  }
};

// Cells of the coarse grid, each at most once.
template <int D>
struct CellSet {
  const PaddedLayout<D>& layout;
  Buffer<std::uint8_t> holds;
  std::vector<Index> cells;

  explicit CellSet(const PaddedLayout<D>& l) : layout(l), holds(std::size_t(l.size)) {}
  void add(Index cell) {
    if (holds[std::size_t(cell)]) return;
    holds[std::size_t(cell)] = 1;
    cells.push_back(cell);
  }
  void addAround(Index cell) {
    add(cell);
    const Cell<D> c = layout.coordinates(cell);
    for (std::size_t a = 0; a < D; ++a) {
      if (c[a] > 0) add(cell - layout.stride[a]);
      if (c[a] + 1 < layout.n[a]) add(cell + layout.stride[a]);
    }
  }
};

template <class T>
struct Weight {
  Index row, column;  // row: number in the list
  T value;
};

// Rows and their weights in the order given, as sparse rows: a counting sort.
template <class T>
void fillRows(const std::vector<Index>& unknowns, const std::vector<Weight<T>>& weights, SparseRows<T>& rows) {
  rows.row.resize(unknowns.size());
  rows.begin.assign(unknowns.size() + 1, 0);
  rows.column.resize(weights.size());
  rows.value.resize(weights.size());
  std::copy(unknowns.begin(), unknowns.end(), rows.row.begin());
  for (const Weight<T>& w : weights) ++rows.begin[std::size_t(w.row) + 1];
  for (std::size_t k = 0; k < unknowns.size(); ++k) rows.begin[k + 1] += rows.begin[k];
  std::vector<Index> next(rows.begin.begin(), rows.begin.end());
  for (const Weight<T>& w : weights) {
    const std::size_t at = std::size_t(next[std::size_t(w.row)]++);
    rows.column[at] = w.column;
    rows.value[at] = w.value;
  }
}

}  // namespace

template <int D, class T>
void listTransferRows(Level<D, T>& fine, const Level<D, T>& coarse, const CoarseningWork<T>& w) {
  fine.prolongation.clear();
  fine.restriction.clear();
  if (w.splitCells.empty() && fine.irregular.size() == 0) {
    fine.prolonged.clear();
    return;
  }
  const Interpolation<D, T> P{fine, coarse, w};
  // fine unknowns that may be irregular, by block
  CellSet<D> near(coarse.layout);
  for (const Index cell : w.splitCells) near.addAround(cell);
  for (const Index u : fine.irregular.row) near.add(P.cellOf(u));
  CellSet<D> touched(coarse.layout);  // blocks whose unknowns the irregular rows, or the formula in their stead, give to
  const auto forUnknowns = [&](Index cell, auto visit) {
    forMembers(fine, coarse, w, cell, [&](Index u) {
      if (P.aggregateOf(u) >= 0) visit(u);
    });
  };
  TransferRow<T> row;
  for (const Index cell : near.cells)
    forUnknowns(cell, [&](Index u) {
      if (P.isRegular(u)) return;
      touched.addAround(cell);
      P.weights(u, row);
      for (const auto& [U, value] : row.entries) fine.prolongation.add(U, value);
      fine.prolongation.endRow(u);
    });
  fine.prolonged.resizeUninitialized(std::size_t(fine.prolongation.size()));

  CellSet<D> sources(coarse.layout);
  for (const Index cell : touched.cells) sources.addAround(cell);
  std::vector<Weight<T>> weights;
  std::vector<Index> receivers, number(std::size_t(coarse.total()), -1);
  for (const Index cell : sources.cells)
    forUnknowns(cell, [&](Index u) {
      P.weights(u, row);
      for (const auto& [U, value] : row.entries) {
        if (!touched.holds[std::size_t(coarse.cellOf(U))]) continue;
        Index& k = number[std::size_t(U)];
        if (k < 0) {
          k = Index(receivers.size());
          receivers.push_back(U);
        }
        weights.push_back({k, u, value});
      }
    });
  fillRows(receivers, weights, fine.restriction);
}

#define MNS_INSTANTIATE(D, T) template void listTransferRows<D, T>(Level<D, T>&, const Level<D, T>&, const CoarseningWork<T>&);
MNS_INSTANTIATE(2, float)
MNS_INSTANTIATE(3, float)
MNS_INSTANTIATE(2, double)
MNS_INSTANTIATE(3, double)
#undef MNS_INSTANTIATE

}  // namespace meniscus::multigrid

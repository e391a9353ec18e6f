// The couplings of a coarse level: sums of the fine ones between two parts, times the ratio of the distances between centres.
#include "engine/grid/multigrid_build.h"

namespace meniscus::multigrid {
namespace {

template <int D, class T>
struct CoupleRow {
  PaddedLayout<D> fine, coarse;
  const T* lower[D];
  const T* ratio[D];  // of distances, fine to coarse, at the lower face of each coarse cell along an axis
  const T* surface;
  T surfaceFactor;
  const Index* aggregate;
  T *coarseLower[D], *coarseSurface;
  void operator()(Index row) const {
    Cell<D> cell = coarse.rowStart(row), first = cell;
    for (Index& k : first) k *= 2;
    const Index C = coarse.at(cell), base = fine.at(first);
    for (Index I = 0; I < coarse.n[0]; ++I) {
      cell[0] = I;
      T ties = 0, sum[D] = {};
      for (Index c = 0; c < (1 << D); ++c) {
        Index u = base + 2 * I;
        for (Index a = 0; a < D; ++a) u += (c >> a & 1) * fine.stride[std::size_t(a)];
        if (aggregate[u] != C + I) continue;
        ties += surface[u];
        for (std::size_t a = 0; a < D; ++a) {
          if (c >> a & 1 || !(lower[a][u] > 0)) continue;
          if (aggregate[u - fine.stride[a]] == C + I - coarse.stride[a]) sum[a] += lower[a][u];
        }
      }
      coarseSurface[C + I] = surfaceFactor * ties;
      for (std::size_t a = 0; a < D; ++a) coarseLower[a][C + I] = ratio[a][cell[a]] * sum[a];
    }
  }
};

template <int D, class T>
struct DiagonalRow {
  PaddedLayout<D> layout;
  const T *lower[D], *surface;
  T* inverse;
  void operator()(Index row) const {
    const Index base = layout.at(layout.rowStart(row));
    for (Index i = base; i < base + layout.n[0]; ++i) {
      T d = surface[i];
      for (std::size_t a = 0; a < D; ++a) d += lower[a][i] + lower[a][i + layout.stride[a]];
      inverse[i] = d > 0 ? T(1) / d : T(0);
    }
  }
};

template <int D>
std::array<std::vector<double>, D> distanceRatios(const std::vector<double> (&w)[D], const std::vector<double> (&W)[D]) {
  std::array<std::vector<double>, D> ratio;
  for (std::size_t a = 0; a < D; ++a) {
    ratio[a].assign(W[a].size(), 0);
    for (std::size_t I = 1; I < W[a].size(); ++I) ratio[a][I] = (w[a][2 * I - 1] + w[a][2 * I]) / (W[a][I - 1] + W[a][I]);
  }
  return ratio;
}

// A coupling of a coarse level as one of its two ends sees it.
template <class T>
struct Entry {
  Index row, column;
  T value;
};

// Couplings that the loop over rows does not see: those of extras of the coarse level, and those that come from extras of the fine
// one.
template <int D, class T>
struct IrregularCouplings {
  const Level<D, T>& fine;
  Level<D, T>& coarse;
  CoarseningWork<T>& work;
  const std::array<std::vector<double>, D>& ratio;
  std::vector<Entry<T>> entries;

  bool isExtra(Index U) const { return U >= coarse.layout.size; }
  Index aggregateOf(Index u) const { return work.aggregate[std::size_t(u)]; }
  // the unknowns whose couplings are looked at from here
  bool isListed(Index u) const {
    return isExtra(aggregateOf(u)) || (!work.irregularRow.empty() && work.irregularRow[std::size_t(u)] >= 0);
  }
  void collect() {
    for (const Index cell : work.splitCells)
      forMembers(fine, coarse, work, cell, [&](Index u) {
        if (aggregateOf(u) >= 0 && isExtra(aggregateOf(u))) from(u);
      });
    for (const Index u : fine.irregular.row)
      if (aggregateOf(u) >= 0 && !isExtra(aggregateOf(u))) from(u);
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry<T>& a, const Entry<T>& b) { return std::pair(a.row, a.column) < std::pair(b.row, b.column); });
  }
  void from(Index u) {
    const Index U = aggregateOf(u);
    forNeighbours(fine, work.irregularRow, u, [&](Index v, T value) {
      const Index V = aggregateOf(v);
      if (U == V) return;
      if (!isExtra(U) && !isExtra(V)) {
        // seen already where both fine unknowns have their places in the grid; else both ends come by, and the upper one adds it
        if ((u >= fine.layout.size || v >= fine.layout.size) && U > V) addRegular(U, V, value);
        return;
      }
      const T scaled = value * T(ratioBetween(U, V));
      entries.push_back({U, V, scaled});
      if (!isListed(v)) entries.push_back({V, U, scaled});
    });
  }
  std::size_t axisBetween(Index upper, Index below) const {
    std::size_t axis = 0;
    while (axis + 1 < D && upper - below != coarse.layout.stride[axis]) ++axis;
    return axis;
  }
  void addRegular(Index upper, Index below, T value) {
    coarse.lower[axisBetween(upper, below)][std::size_t(upper)] += value * T(ratioBetween(upper, below));
  }
  double ratioBetween(Index U, Index V) const {
    const Index a = coarse.cellOf(U), b = coarse.cellOf(V), upper = a > b ? a : b;
    const std::size_t axis = axisBetween(upper, a > b ? b : a);
    return ratio[axis][std::size_t(coarse.layout.coordinates(upper)[axis])];
  }
};

// The irregular rows of the level, red ones first, and the diagonal of their unknowns.
template <int D, class T>
void listIrregularRows(Level<D, T>& l, const std::vector<Entry<T>>& entries, const CoarseningWork<T>& w) {
  std::vector<std::pair<int, Index>> rows;  // (colour, unknown)
  const auto add = [&](Index U) { rows.push_back({colourOf<D>(l.layout.coordinates(l.cellOf(U))), U}); };
  for (const Entry<T>& e : entries)
    if (e.row < l.layout.size) add(e.row);
  for (Index U = l.layout.size; U < l.total(); ++U) add(U);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const Buffer<Index> allRegular;
  l.irregular.clear();
  l.redIrregular = 0;
  for (const auto& [colour, U] : rows) {
    T diagonal = w.coarseSurface[std::size_t(U)];
    const auto take = [&, d = &diagonal](Index V, T value) {
      // entries of one pair stand next to each other
      SparseRows<T>& m = l.irregular;
      if (Index(m.column.size()) > m.begin.back() && m.column.back() == V)
        m.value.back() += value;
      else
        m.add(V, value);
      *d += value;
    };
    if (U < l.layout.size) forNeighbours(l, allRegular, U, take);
    auto e = std::lower_bound(entries.begin(), entries.end(), U, [](const Entry<T>& a, Index row) { return a.row < row; });
    for (; e != entries.end() && e->row == U; ++e) take(e->column, e->value);
    l.irregular.endRow(U);
    l.redIrregular += colour == 0;
    l.inverseDiagonal[std::size_t(U)] = diagonal > 0 ? T(1) / diagonal : T(0);
  }
}

}  // namespace

template <int D, class T>
void coupleParts(Exec& exec, const Level<D, T>& fine, Level<D, T>& coarse, CoarseningWork<T>& w) {
  const auto ratio = distanceRatios<D>(fine.width, coarse.width);
  std::vector<T> ratioT[D];
  bool allHalved = true;
  CoupleRow<D, T> body{fine.layout, coarse.layout, {}, {}, w.surface.data(), T(1), w.aggregate.data(), {}, nullptr};
  for (std::size_t a = 0; a < D; ++a) {
    coarse.lower[a].assign(std::size_t(coarse.layout.size), T(0));
    ratioT[a].assign(ratio[a].begin(), ratio[a].end());
    allHalved = allHalved && fine.layout.n[a] > 1;
    body.lower[a] = fine.lower[a].data();
    body.ratio[a] = ratioT[a].data();
    body.coarseLower[a] = coarse.lower[a].data();
  }
  // The distance to a surface doubles less than that between centres, and the transfer takes no notice of the zero there: of the
  // factors from 1/2 to 1, 3/4 needed the fewest iterations. Along an axis that is no longer halved it does not change.
  body.surfaceFactor = allHalved ? T(0.75) : T(1);
  w.coarseSurface.assign(std::size_t(coarse.total()), T(0));
  body.coarseSurface = w.coarseSurface.data();
  coarse.inverseDiagonal.assign(std::size_t(coarse.total()), T(0));
  parallelFor(exec, "multigrid: couple", coarse.layout.rows(), body, rowGrain(coarse.layout.n[0], kCellGrain >> D));

  IrregularCouplings<D, T> irregular{fine, coarse, w, ratio, {}};
  irregular.collect();
  for (const Index cell : w.splitCells)
    forMembers(fine, coarse, w, cell, [&](Index u) {
      const Index U = w.aggregate[std::size_t(u)];
      if (U >= coarse.layout.size || (U >= 0 && u >= fine.layout.size))  // the others are in the loop over rows
        w.coarseSurface[std::size_t(U)] += body.surfaceFactor * w.surface[std::size_t(u)];
    });
  DiagonalRow<D, T> diagonal{coarse.layout, {}, w.coarseSurface.data(), coarse.inverseDiagonal.data()};
  for (int a = 0; a < D; ++a) diagonal.lower[a] = coarse.lower[a].data();
  parallelFor(exec, "multigrid: diagonal", coarse.layout.rows(), diagonal, rowGrain(coarse.layout.n[0], kCellGrain >> D));
  listIrregularRows(coarse, irregular.entries, w);
}

#define MNS_INSTANTIATE(D, T) template void coupleParts<D, T>(Exec&, const Level<D, T>&, Level<D, T>&, CoarseningWork<T>&);
MNS_INSTANTIATE(2, float)
MNS_INSTANTIATE(3, float)
MNS_INSTANTIATE(2, double)
MNS_INSTANTIATE(3, double)
#undef MNS_INSTANTIATE

}  // namespace meniscus::multigrid

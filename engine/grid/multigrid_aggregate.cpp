// The unknowns of a coarse level: in every block of 2^D cells, the parts that are connected inside of it.
#include "engine/grid/multigrid_build.h"

namespace meniscus::multigrid {
namespace {

// Connected parts of the 2^D cells of a block as bit masks. Cell `c` has bit a of c set where it is the upper one along axis a.
template <int D>
struct BlockMask {
  unsigned cells = 0;  // that hold an unknown
  unsigned open[D]{};  // lower cells from which a coupling leads to the upper one

  unsigned partOf(unsigned seed) const {
    for (unsigned part = seed, next;; part = next) {
      next = part;
      for (int a = 0; a < D; ++a) next |= (next & open[a]) << (1 << a) | (next >> (1 << a) & open[a]);
      if (next == part) return part;
    }
  }
};

constexpr Index kNone = -1, kLater = -2;  // aggregates

template <int D, class T>
struct AggregateRow {
  PaddedLayout<D> fine, coarse;
  const T *lower[D], *inverse;
  Index* aggregate;
  std::uint8_t* split;  // 1 on entry: the block holds extras
  void operator()(Index row) const {
    Cell<D> cell = coarse.rowStart(row);
    const Index C = coarse.at(cell);
    for (Index& k : cell) k *= 2;
    const Index base = fine.at(cell);
    Index member[1 << D];
    for (Index I = 0; I < coarse.n[0]; ++I) {
      for (int c = 0; c < (1 << D); ++c) {
        member[c] = base + 2 * I;
        for (int a = 0; a < D; ++a) member[c] += (c >> a & 1) * fine.stride[std::size_t(a)];
      }
      const BlockMask<D> m = mask(member);
      const unsigned seed = m.cells & (~m.cells + 1);
      const bool whole = !split[C + I] && m.partOf(seed) == m.cells;
      split[C + I] = !whole;
      for (int c = 0; c < (1 << D); ++c) aggregate[member[c]] = (m.cells >> c & 1) ? (whole ? C + I : kLater) : kNone;
    }
  }
  // Without shifts in the conditions: behind them, g++ 12 with its undefined-behaviour sanitizer takes a wrong index of lower[].
  BlockMask<D> mask(const Index (&member)[1 << D]) const {
    BlockMask<D> m;
    unsigned bit = 1;
    for (int c = 0; c < (1 << D); ++c, bit *= 2) {
      if (inverse[member[c]] > 0) m.cells |= bit;
      for (int a = 0, upper = 1; a < D; ++a, upper *= 2) {
        if (c & upper) continue;
        if (lower[a][member[c + upper]] > 0) m.open[a] |= bit;
      }
    }
    return m;
  }
};

// Parts of one block that the masks do not settle: the largest keeps the cell's place (of equals the one with the first member),
// the others become extras.
template <int D, class T>
struct SplitBlock {
  const Level<D, T>& fine;
  Level<D, T>& coarse;
  CoarseningWork<T>& work;
  std::vector<Index> members, part, size;

  void operator()(Index cell) {
    members.clear();
    forMembers(fine, coarse, work, cell, [&](Index u) {
      if (fine.inverseDiagonal[std::size_t(u)] > 0) members.push_back(u);
    });
    label();
    std::size_t largest = 0;
    for (std::size_t p = 1; p < size.size(); ++p)
      if (size[p] > size[largest]) largest = p;
    std::vector<Index> unknown(size.size(), cell);
    for (std::size_t p = 0; p < size.size(); ++p) {
      if (p == largest) continue;
      unknown[p] = coarse.total();
      coarse.extraCell.push_back(cell);
    }
    for (std::size_t m = 0; m < members.size(); ++m) work.aggregate[std::size_t(members[m])] = unknown[std::size_t(part[m])];
  }
  // part[m]: number of the part of member m, in the order of first members
  void label() {
    const auto place = [&](Index u) { return std::find(members.begin(), members.end(), u) - members.begin(); };
    part.assign(members.size(), -1);
    size.clear();
    std::vector<std::size_t> stack;
    for (std::size_t seed = 0; seed < members.size(); ++seed) {
      if (part[seed] >= 0) continue;
      part[seed] = Index(size.size());
      size.push_back(0);
      stack.assign(1, seed);
      while (!stack.empty()) {
        const std::size_t m = stack.back();
        stack.pop_back();
        ++size.back();
        forNeighbours(fine, work.irregularRow, members[m], [&](Index v, T) {
          const std::size_t k = std::size_t(place(v));
          if (k == members.size() || part[k] >= 0) return;
          part[k] = part[seed];
          stack.push_back(k);
        });
      }
    }
  }
};

template <int D, class T>
Index blockOf(const Level<D, T>& fine, const Level<D, T>& coarse, Index u) {
  Cell<D> c = fine.layout.coordinates(fine.cellOf(u));
  for (Index& k : c) k /= 2;
  return coarse.layout.at(c);
}

template <int D, class T>
void indexFineLevel(const Level<D, T>& fine, const Level<D, T>& coarse, CoarseningWork<T>& w) {
  w.extras.clear();
  w.irregularRow.clear();
  for (Index u = fine.layout.size; u < fine.total(); ++u) w.extras.push_back({blockOf(fine, coarse, u), u});
  std::sort(w.extras.begin(), w.extras.end());
  if (fine.irregular.size() == 0) return;
  w.irregularRow.assign(std::size_t(fine.total()), -1);
  for (Index k = 0; k < fine.irregular.size(); ++k) w.irregularRow[std::size_t(fine.irregular.row[std::size_t(k)])] = k;
}

template <int D, class T>
void coarsenCells(const Level<D, T>& fine, Level<D, T>& coarse) {
  Cell<D> n{};
  for (std::size_t a = 0; a < D; ++a) {
    n[a] = (fine.layout.n[a] + 1) / 2;
    coarse.width[a].assign(std::size_t(n[a]), 0);
    for (std::size_t i = 0; i < fine.width[a].size(); ++i) coarse.width[a][i / 2] += fine.width[a][i];
  }
  coarse.layout = PaddedLayout<D>(n);
  coarse.extraCell.clear();
}

}  // namespace

template <int D, class T>
void aggregateParts(Exec& exec, Level<D, T>& fine, Level<D, T>& coarse, CoarseningWork<T>& w) {
  coarsenCells(fine, coarse);
  indexFineLevel(fine, coarse, w);
  w.aggregate.assign(std::size_t(fine.total()), kNone);
  w.split.assign(std::size_t(coarse.layout.size), 0);
  for (const auto& e : w.extras) {
    w.split[std::size_t(e.first)] = 1;
    w.aggregate[std::size_t(e.second)] = kLater;
  }
  AggregateRow<D, T> body{fine.layout, coarse.layout, {}, fine.inverseDiagonal.data(), w.aggregate.data(), w.split.data()};
  for (int a = 0; a < D; ++a) body.lower[a] = fine.lower[a].data();
  parallelFor(exec, "multigrid: parts of blocks", coarse.layout.rows(), body, rowGrain(coarse.layout.n[0], kCellGrain >> D));
  SplitBlock<D, T> split{fine, coarse, w, {}, {}, {}};
  w.splitCells.clear();
  for (Index c = 0; c < coarse.layout.size; ++c)
    if (w.split[std::size_t(c)]) w.splitCells.push_back(c);
  for (const Index c : w.splitCells) split(c);
  w.nextExtras.clear();
  for (Index u = coarse.layout.size; u < coarse.total(); ++u) w.nextExtras.push_back({coarse.cellOf(u), u});
}

template <int D, class T>
void setTransferWeights(Level<D, T>& fine, const Level<D, T>& coarse) {
  for (std::size_t a = 0; a < D; ++a) {
    const std::vector<double>&w = fine.width[a], &W = coarse.width[a];
    // entry 1 + i is cell i's; the halo and what a row of blocks may touch beyond it have weight 0
    fine.toward[a].assign(w.size() + 7, T(0));
    for (std::size_t i = 0; i < w.size(); ++i) {
      const std::size_t I = i / 2, other = i & 1 ? (I + 1 < W.size() ? I + 1 : I) : (I > 0 ? I - 1 : I);
      const double fromCentre = (W[I] - w[i]) / 2, between = (W[I] + W[other]) / 2;
      fine.toward[a][1 + i] = T(fromCentre / between);
    }
  }
}

#define MNS_INSTANTIATE(D, T)                                                                \
  template void aggregateParts<D, T>(Exec&, Level<D, T>&, Level<D, T>&, CoarseningWork<T>&); \
  template void setTransferWeights<D, T>(Level<D, T>&, const Level<D, T>&);
MNS_INSTANTIATE(2, float)
MNS_INSTANTIATE(3, float)
MNS_INSTANTIATE(2, double)
MNS_INSTANTIATE(3, double)
#undef MNS_INSTANTIATE

}  // namespace meniscus::multigrid

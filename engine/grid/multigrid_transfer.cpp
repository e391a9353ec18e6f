// Transfer between levels: linear interpolation from the block's unknown and its neighbours across open faces, and its transpose.
//
//   (P e)_i = e_C + sum over axes of w_a (e_N - e_C)      C: the block of cell i, N: the block across the face of i on the block's
//   rim
//
// with w_a = toward_a where that face is open and leads to fluid, else 0.
#include "engine/grid/multigrid_cycle.h"
#include "engine/grid/stencil.h"

namespace meniscus::multigrid {
namespace {

constexpr Index kSegment = 64;  // blocks of a row at a time

template <int D, class T>
struct ProlongRow {
  const RowSpan<D>* rows;
  PaddedLayout<D> coarseLayout;
  Cell<D> stride;
  const T *lower[D], *toward[D], *e;
  T* x;

  void operator()(Index row) const {
    const RowSpan<D> span = rows[row];
    Cell<D> block = span.cell;
    for (Index& k : block) k /= 2;
    const T* own = e + coarseLayout.at(block);
    const Index blocks = (span.end - span.begin) / 2;
    for (Index I = 0; I < blocks; I += kSegment)
      segment(own + I, span.begin + 2 * I, span.cell, toward[0] + span.cell[0] + 2 * I,
              blocks - I < kSegment ? blocks - I : kSegment);
  }
  void segment(const T* own, Index base, const Cell<D>& cell, const T* wx, Index blocks) const {
    T value[2 * kSegment], slope[2 * kSegment];  // of a cell's block, and across its rim along x
    MNS_INDEPENDENT
    for (Index I = 0; I < blocks; ++I) {
      value[2 * I] = value[2 * I + 1] = own[I];
      slope[2 * I] = own[I - 1] - own[I];
      slope[2 * I + 1] = own[I + 1] - own[I];
    }
    const Index cells = 2 * blocks;
    T* to = x + base;
    const T* open = lower[0] + base;
    MNS_INDEPENDENT
    for (Index i = 0; i < cells; ++i) to[i] += value[i] + ((i & 1 ? open[i + 1] : open[i]) > 0 ? wx[i] * slope[i] : T(0));
    for (std::size_t a = 1; a < D; ++a) {
      // the whole row has its rim on the same side
      const bool high = cell[a] & 1;
      rim(lower[a] + base + (high ? stride[a] : 0), own, own + (high ? coarseLayout.stride[a] : -coarseLayout.stride[a]),
          toward[a][cell[a]], blocks, to);
    }
  }
  static void rim(const T* open, const T* own, const T* across, T weight, Index blocks, T* to) {
    T slope[2 * kSegment];
    MNS_INDEPENDENT
    for (Index I = 0; I < blocks; ++I) slope[2 * I] = slope[2 * I + 1] = weight * (across[I] - own[I]);
    MNS_INDEPENDENT
    for (Index i = 0; i < 2 * blocks; ++i) to[i] += open[i] > 0 ? slope[i] : T(0);
  }
};

// Blocks of a row are summed over their y and z first, so that the loops run along x without gaps.
template <int D, class T>
struct RestrictRow {
  const RowSpan<D>* coarseRows;
  Index coarseCells;  // along x
  PaddedLayout<D> layout;
  const T *lower[D], *toward[D], *r;
  T* b;

  void operator()(Index row) const {
    const RowSpan<D> span = coarseRows[row];
    Cell<D> first = span.cell;
    for (Index& k : first) k *= 2;
    // a span may end behind the last cell of an odd number; the blocks there would reach beyond the array
    const Index inside = coarseCells - span.cell[0], length = span.end - span.begin, blocks = length < inside ? length : inside;
    const Index base = layout.at(first);
    for (Index I = 0; I < blocks; I += kSegment)
      segment(base + 2 * I, first, toward[0] + first[0] + 2 * I, blocks - I < kSegment ? blocks - I : kSegment, b + span.begin + I);
  }
  void segment(Index base, const Cell<D>& first, const T* wx, Index blocks, T* out) const {
    T sum[2 * kSegment] = {};       // of what a cell gives to its block, over y and z
    T flux[2 * kSegment + 1] = {};  // of what goes across the lower face of a cell along x; used at the blocks' rims
    const Index cells = 2 * blocks;
    for (Index child = 0; child < (1 << D); child += 2) {
      const Index k = base + offset(child);
      const T *rk = r + k, *open = lower[0] + k;
      MNS_INDEPENDENT
      for (Index i = 0; i < cells; ++i) sum[i] += rk[i];
      MNS_INDEPENDENT
      for (Index i = 0; i <= cells; ++i) flux[i] += open[i] > 0 ? wx[i - 1] * rk[i - 1] - wx[i] * rk[i] : T(0);
      for (int a = 1; a < D; ++a) {
        const Index d = layout.stride[std::size_t(a)];
        const T* w = toward[a] + first[std::size_t(a)];
        if (child >> a & 1)
          rim<-1>(lower[a] + k + d, rk + d, d, w[1], w[2], cells, sum);
        else
          rim<1>(lower[a] + k, rk, d, w[-1], w[0], cells, sum);
      }
    }
    MNS_INDEPENDENT
    for (Index I = 0; I < blocks; ++I) out[I] = (sum[2 * I] + sum[2 * I + 1]) + (flux[2 * I] - flux[2 * I + 2]);
  }
  // What the cells below a row of faces give across them, less what those above give; to the block above (1) or below (-1).
  template <int side>
  static void rim(const T* open, const T* above, Index d, T weightBelow, T weightAbove, Index cells, T* sum) {
    const T* below = above - d;
    MNS_INDEPENDENT
    for (Index i = 0; i < cells; ++i) sum[i] += open[i] > 0 ? side * (weightBelow * below[i] - weightAbove * above[i]) : T(0);
  }
  Index offset(Index child) const {
    Index o = 0;
    for (Index a = 1; a < D; ++a) o += (child >> a & 1) * layout.stride[std::size_t(a)];
    return o;
  }
};

template <class T>
struct SparseProduct {
  const Index *row, *begin, *column;
  const T *value, *from, *start;  // start: added to, by row; null: nothing
  T* to;
  bool compact;  // to[k] and not to[row[k]]
  void operator()(Index k) const {
    T s = start ? start[row[k]] : T(0);
    for (Index e = begin[k]; e < begin[k + 1]; ++e) s += value[e] * from[column[e]];
    to[compact ? k : row[k]] = s;
  }
};
template <class T>
SparseProduct<T> product(const SparseRows<T>& m, const T* from, const T* start, T* to, bool compact) {
  return {m.row.data(), m.begin.data(), m.column.data(), m.value.data(), from, start, to, compact};
}

template <class T>
struct Place {
  const Index* row;
  const T* value;
  T* x;
  void operator()(Index k) const { x[row[k]] = value[k]; }
};

}  // namespace

template <int D, class T>
void restrictResidual(Exec& exec, const Level<D, T>& l, Level<D, T>& coarse) {
  RestrictRow<D, T> body{coarse.rows.data(), coarse.layout.n[0], l.layout, {}, {}, l.r.data(), coarse.b.data()};
  for (int a = 0; a < D; ++a) {
    body.lower[a] = l.lower[a].data();
    body.toward[a] = l.toward[a].data() + 1;
  }
  parallelFor(exec, "multigrid: restrict", Index(coarse.rows.size()), body, rowGrain(coarse.layout.n[0], kCellGrain >> D));
  parallelFor(exec, "multigrid: irregular rows", l.restriction.size(),
              product<T>(l.restriction, l.r.data(), nullptr, coarse.b.data(), false));
}

template <int D, class T>
void prolongCorrection(Exec& exec, Level<D, T>& l, const Level<D, T>& coarse) {
  ProlongRow<D, T> body{l.rows.data(), coarse.layout, l.layout.stride, {}, {}, coarse.x.data(), l.x.data()};
  for (int a = 0; a < D; ++a) {
    body.lower[a] = l.lower[a].data();
    body.toward[a] = l.toward[a].data() + 1;
  }
  const Index odd = l.prolongation.size();
  parallelFor(exec, "multigrid: irregular rows", odd,
              product<T>(l.prolongation, coarse.x.data(), l.x.data(), l.prolonged.data(), true));
  parallelFor(exec, "multigrid: prolong", Index(l.rows.size()), body, rowGrain(l.layout.n[0]));
  parallelFor(exec, "multigrid: irregular rows", odd, Place<T>{l.prolongation.row.data(), l.prolonged.data(), l.x.data()});
}

#define MNS_INSTANTIATE(D, T)                                                    \
  template void restrictResidual<D, T>(Exec&, const Level<D, T>&, Level<D, T>&); \
  template void prolongCorrection<D, T>(Exec&, Level<D, T>&, const Level<D, T>&);
MNS_INSTANTIATE(2, float)
MNS_INSTANTIATE(3, float)
MNS_INSTANTIATE(2, double)
MNS_INSTANTIATE(3, double)
#undef MNS_INSTANTIATE

}  // namespace meniscus::multigrid

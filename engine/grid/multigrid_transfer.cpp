// Transfer between levels: linear interpolation from the block's unknown and its neighbours across open faces, and its transpose.
//
//   (P e)_i = e_C + sum over axes of w_a (e_N - e_C)      C: the block of cell i, N: the block across the face of i on the block's
//   rim
//
// with w_a = toward_a where that face is open and leads to fluid, else 0.
#include "engine/grid/multigrid_cycle.h"

namespace meniscus::multigrid {
namespace {

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
    // across the rim in y and z the whole row has the same neighbours
    const T *rim[D], *across[D];
    T w[D];
    for (std::size_t a = 1; a < D; ++a) {
      const bool high = span.cell[a] & 1;
      rim[a] = lower[a] + span.begin + (high ? stride[a] : 0);
      across[a] = own + (high ? coarseLayout.stride[a] : -coarseLayout.stride[a]);
      w[a] = toward[a][span.cell[a]];
    }
    const T *rimX = lower[0] + span.begin, *wx = toward[0] + span.cell[0];
    T* to = x + span.begin;
    const Index blocks = (span.end - span.begin) / 2;
    for (Index I = 0; I < blocks; ++I) {
      const Index i = 2 * I;
      T left = own[I] + (rimX[i] > 0 ? wx[i] : T(0)) * (own[I - 1] - own[I]);
      T right = own[I] + (rimX[i + 2] > 0 ? wx[i + 1] : T(0)) * (own[I + 1] - own[I]);
      for (std::size_t a = 1; a < D; ++a) {
        const T slope = w[a] * (across[a][I] - own[I]);
        left += rim[a][i] > 0 ? slope : T(0);
        right += rim[a][i + 1] > 0 ? slope : T(0);
      }
      to[i] += left;
      to[i + 1] += right;
    }
  }
};

template <int D, class T>
struct RestrictRow {
  const RowSpan<D>* coarseRows;
  PaddedLayout<D> layout;
  const T *lower[D], *toward[D], *r;
  T* b;

  void operator()(Index row) const {
    const RowSpan<D> span = coarseRows[row];
    Cell<D> first = span.cell;
    for (Index& k : first) k *= 2;
    const Index base = layout.at(first);
    const Index blocks = span.end - span.begin;
    for (Index I = 0; I < blocks; ++I) {
      const Index i = base + 2 * I;
      T sum = 0;
      for (Index child = 0; child < (1 << D); ++child) sum += r[i + offset(child)];
      const T* wx = toward[0] + first[0] + 2 * I;
      sum += rimSum(0, i, wx[-1], wx[0]) - rimSum(0, i + 2, wx[1], wx[2]);
      for (int a = 1; a < D; ++a) {
        const T* w = toward[a] + first[std::size_t(a)];
        sum += rimSum(a, i, w[-1], w[0]) - rimSum(a, i + 2 * layout.stride[std::size_t(a)], w[1], w[2]);
      }
      b[span.begin + I] = sum;
    }
  }
  Index offset(Index child) const {
    Index o = 0;
    for (Index a = 0; a < D; ++a) o += (child >> a & 1) * layout.stride[std::size_t(a)];
    return o;
  }
  // Over the open faces of one side of a block, i the first cell above them: what the cells below give across, less what those
  // above do.
  T rimSum(int axis, Index i, T below, T above) const {
    T sum = 0;
    for (Index child = 0; child < (1 << D); ++child) {
      if (child >> axis & 1) continue;
      const Index k = i + offset(child);
      const T flux = below * r[k - layout.stride[std::size_t(axis)]] - above * r[k];
      sum += lower[axis][k] > 0 ? flux : T(0);
    }
    return sum;
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
  RestrictRow<D, T> body{coarse.rows.data(), l.layout, {}, {}, l.r.data(), coarse.b.data()};
  for (int a = 0; a < D; ++a) {
    body.lower[a] = l.lower[a].data();
    body.toward[a] = l.toward[a].data() + 1;
  }
  parallelFor(exec, "multigrid: restrict", Index(coarse.rows.size()), body, kRowGrain);
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
  parallelFor(exec, "multigrid: prolong", Index(l.rows.size()), body, kRowGrain);
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

// Red-black Gauss-Seidel sweeps. A sweep over one colour writes to another array than it reads, so that threads never write what
// others read and the loops vectorise over both colours.
#include "engine/grid/multigrid_cycle.h"
#include "engine/grid/stencil.h"

namespace meniscus::multigrid {
namespace {

template <int D, class T>
struct Stencil {
  const T *lower[D], *inverse;
  Cell<D> stride;

  explicit Stencil(const Level<D, T>& l) : inverse(l.inverseDiagonal.data()), stride(l.layout.stride) {
    for (int a = 0; a < D; ++a) lower[a] = l.lower[a].data();
  }
  T neighbours(const T* x, Index i) const {
    return neighbourSum<D, T>(lower, stride, i, [x](Index k) { return x[k]; });
  }
  // The same of x = D^-1 b, which is the red half of a sweep from zero.
  T neighboursOfScaled(const T* b, Index i) const {
    return neighbourSum<D, T>(lower, stride, i, [b, scale = inverse](Index k) { return scale[k] * b[k]; });
  }
};

template <int D, class T>
struct SweepFromZero {
  Stencil<D, T> A;
  const RowSpan<D>* rows;
  const T* b;
  T* x;
  void operator()(Index row) const {
    const RowSpan<D> span = rows[row];
    const Index red = (span.begin + colourOf<D>(span.cell)) & 1;
    MNS_INDEPENDENT
    for (Index i = span.begin; i < span.end; ++i) {
      const T alone = A.inverse[i] * b[i], full = A.inverse[i] * (b[i] + A.neighboursOfScaled(b, i));
      x[i] = (i & 1) == red ? alone : full;
    }
  }
};

template <int D, class T>
struct ResidualOfRed {
  Stencil<D, T> A;
  const RowSpan<D>* rows;
  const T* x;
  T* r;
  void operator()(Index row) const {
    const RowSpan<D> span = rows[row];
    const Index red = (span.begin + colourOf<D>(span.cell)) & 1;
    MNS_INDEPENDENT
    for (Index i = span.begin; i < span.end; ++i) {
      const T s = A.neighbours(x, i);
      r[i] = (i & 1) == red ? s : T(0);
    }
  }
};

// y = x, with the cells of one colour (0 red, 1 black) relaxed
template <int D, class T>
struct Sweep {
  Stencil<D, T> A;
  const RowSpan<D>* rows;
  int colour;
  const T *b, *x;
  T* y;
  void operator()(Index row) const {
    const RowSpan<D> span = rows[row];
    const Index mine = (span.begin + colourOf<D>(span.cell) + colour) & 1;
    MNS_INDEPENDENT
    for (Index i = span.begin; i < span.end; ++i) {
      const T relaxed = A.inverse[i] * (b[i] + A.neighbours(x, i));
      y[i] = (i & 1) == mine ? relaxed : x[i];
    }
  }
};

template <class T>
struct IrregularView {
  const Index *row, *begin, *column;
  const T *value, *inverse;
  T neighbours(const T* x, Index k) const {
    T s = 0;
    for (Index e = begin[k]; e < begin[k + 1]; ++e) s += value[e] * x[column[e]];
    return s;
  }
};

template <int D, class T>
IrregularView<T> irregularView(const Level<D, T>& l) {
  return {l.irregular.row.data(), l.irregular.begin.data(), l.irregular.column.data(), l.irregular.value.data(),
          l.inverseDiagonal.data()};
}

// y = x in irregular rows, those in [first, last) relaxed
template <class T>
struct IrregularSweep {
  IrregularView<T> A;
  Index first, last;
  const T *b, *x;
  T* y;
  void operator()(Index k) const {
    const Index i = A.row[k];
    y[i] = k >= first && k < last ? A.inverse[i] * (b[i] + A.neighbours(x, k)) : x[i];
  }
};

// Red rows have no black neighbours' values yet.
template <class T>
struct IrregularFromZero {
  IrregularView<T> A;
  const T* b;
  T* x;
  void operator()(Index k) const { x[A.row[k]] = A.inverse[A.row[k]] * b[A.row[k]]; }
};
template <class T>
struct IrregularBlack {
  IrregularView<T> A;
  Index firstBlack;
  const T* b;
  T* x;
  void operator()(Index n) const {
    const Index k = firstBlack + n, i = A.row[k];
    x[i] = A.inverse[i] * (b[i] + A.neighbours(x, k));
  }
};
template <class T>
struct IrregularResidual {
  IrregularView<T> A;
  Index firstBlack;
  const T* x;
  T* r;
  void operator()(Index k) const { r[A.row[k]] = k < firstBlack ? A.neighbours(x, k) : T(0); }
};

}  // namespace

template <int D, class T>
void smoothFromZero(Exec& exec, Level<D, T>& l) {
  const Stencil<D, T> A(l);
  const IrregularView<T> irregular = irregularView(l);
  const Index rows = Index(l.rows.size()), odd = l.irregular.size(), red = l.redIrregular;
  parallelFor(exec, "multigrid: sweep from zero", rows, SweepFromZero<D, T>{A, l.rows.data(), l.b.data(), l.x.data()},
              rowGrain(l.layout.n[0]));
  parallelFor(exec, "multigrid: irregular rows", red, IrregularFromZero<T>{irregular, l.b.data(), l.x.data()});
  parallelFor(exec, "multigrid: irregular rows", odd - red, IrregularBlack<T>{irregular, red, l.b.data(), l.x.data()});
  parallelFor(exec, "multigrid: residual", rows, ResidualOfRed<D, T>{A, l.rows.data(), l.x.data(), l.r.data()},
              rowGrain(l.layout.n[0]));
  parallelFor(exec, "multigrid: irregular rows", odd, IrregularResidual<T>{irregular, red, l.x.data(), l.r.data()});
}

template <int D, class T>
void smoothReverse(Exec& exec, Level<D, T>& l) {
  const Stencil<D, T> A(l);
  const IrregularView<T> irregular = irregularView(l);
  const Index rows = Index(l.rows.size()), odd = l.irregular.size(), red = l.redIrregular;
  const T* b = l.b.data();
  parallelFor(exec, "multigrid: sweep", rows, Sweep<D, T>{A, l.rows.data(), 1, b, l.x.data(), l.r.data()}, rowGrain(l.layout.n[0]));
  parallelFor(exec, "multigrid: irregular rows", odd, IrregularSweep<T>{irregular, red, odd, b, l.x.data(), l.r.data()});
  parallelFor(exec, "multigrid: sweep", rows, Sweep<D, T>{A, l.rows.data(), 0, b, l.r.data(), l.x.data()}, rowGrain(l.layout.n[0]));
  parallelFor(exec, "multigrid: irregular rows", odd, IrregularSweep<T>{irregular, 0, red, b, l.r.data(), l.x.data()});
}

template <int D, class T>
void solveDiagonal(Level<D, T>& l) {
  for (Index i = 0; i < l.total(); ++i) l.x[std::size_t(i)] = l.inverseDiagonal[std::size_t(i)] * l.b[std::size_t(i)];
}

#define MNS_INSTANTIATE(D, T)                              \
  template void smoothFromZero<D, T>(Exec&, Level<D, T>&); \
  template void smoothReverse<D, T>(Exec&, Level<D, T>&);  \
  template void solveDiagonal<D, T>(Level<D, T>&);
MNS_INSTANTIATE(2, float)
MNS_INSTANTIATE(3, float)
MNS_INSTANTIATE(2, double)
MNS_INSTANTIATE(3, double)
#undef MNS_INSTANTIATE

}  // namespace meniscus::multigrid

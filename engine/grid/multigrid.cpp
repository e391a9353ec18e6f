#include "engine/grid/multigrid.h"

#include "engine/grid/multigrid_build.h"
#include "engine/grid/multigrid_cycle.h"

namespace meniscus {
namespace multigrid {
namespace {

template <int D, class T>
struct FindSpan {
  PaddedLayout<D> layout;
  const T* inverse;
  Index *first, *last, *count;
  void operator()(Index row) const {
    const Index base = layout.at(layout.rowStart(row));
    Index begin = layout.n[0], end = -1, unknowns = 0;
    for (Index i = 0; i < layout.n[0]; ++i) {
      if (!(inverse[base + i] > 0)) continue;
      begin = begin < i ? begin : i;
      end = i;
      ++unknowns;
    }
    first[row] = begin;
    last[row] = end;
    count[row] = unknowns;
  }
};

// Couplings and diagonals below this part of the largest diagonal entry count as none, so that single precision does not underflow
// on the way to the coarsest level.
constexpr double kLeast = 1e-30;

// The matrix in the precision of the level, scaled.
template <int D, class T>
struct CopyRow {
  PaddedLayout<D> layout;
  const double *lower[D], *diagonal, *surface;
  double factor;
  T *toLower[D], *inverse, *toSurface;
  void operator()(Index row) const {
    const Index base = layout.at(layout.rowStart(row));
    for (Index i = base; i < base + layout.n[0]; ++i) {
      for (int a = 0; a < D; ++a) toLower[a][i] = scaled(lower[a][i]);
      toSurface[i] = scaled(surface[i]);
      const T d = scaled(diagonal[i]);
      inverse[i] = d > 0 ? T(1) / d : T(0);
    }
  }
  T scaled(double v) const { return v * factor > kLeast ? T(v * factor) : T(0); }
};

}  // namespace

template <int D, class T>
void listRows(Exec& exec, Level<D, T>& l) {
  const Index rows = l.layout.rows();
  Buffer<Index> table(3 * std::size_t(rows));
  const FindSpan<D, T> body{l.layout, l.inverseDiagonal.data(), table.data(), table.data() + rows,
                            table.data() + 2 * std::size_t(rows)};
  parallelFor(exec, "multigrid: rows", rows, body, rowGrain(l.layout.n[0]));
  l.rows.clear();
  l.unknowns = 0;
  for (Index u = l.layout.size; u < l.total(); ++u) l.unknowns += l.inverseDiagonal[std::size_t(u)] > 0;
  for (Index r = 0; r < rows; ++r) {
    if (body.first[r] > body.last[r]) continue;
    Cell<D> c = l.layout.rowStart(r);
    const Index base = l.layout.at(c);
    c[0] = body.first[r] & ~1;
    l.rows.push_back({base + c[0], base + (body.last[r] | 1) + 1, c});
    l.unknowns += body.count[r];
  }
}

}  // namespace multigrid

template <int D, class T>
struct Multigrid<D, T>::Impl {
  using Level = multigrid::Level<D, T>;
  Exec& exec;
  std::vector<Level> levels;
  int used = 0;
  multigrid::CoarseningWork<T> work;
  double scale = 1;

  explicit Impl(Exec& e) : exec(e) {}
  Level& at(int l) { return levels[std::size_t(l)]; }
  void copyFinest(const PressureMatrix<D>& m);
  void prepareVectors(Level& l) {
    for (auto* v : {&l.b, &l.x, &l.r}) v->assign(std::size_t(l.total()), T(0));
  }
};

template <int D, class T>
void Multigrid<D, T>::Impl::copyFinest(const PressureMatrix<D>& m) {
  Level& l = at(0);
  const std::size_t size = std::size_t(m.layout.size);
  l.layout = m.layout;
  l.extraCell.clear();
  l.irregular.clear();
  l.redIrregular = 0;
  const double* diagonal = m.diagonal.data();
  struct Largest {
    const double* d;
    double operator()(Index i) const { return d[i]; }
  };
  scale = parallelMax(exec, "multigrid: scale", m.layout.size, Largest{diagonal});
  if (!(scale > 0)) scale = 1;
  for (std::size_t a = 0; a < D; ++a) {
    l.lower[a].assign(size, T(0));
    l.width[a].assign(std::size_t(m.layout.n[a]), 1.0);
  }
  l.inverseDiagonal.assign(size, T(0));
  work.surface.assign(size, T(0));
  multigrid::CopyRow<D, T> body{m.layout,           {}, diagonal, m.surface.data(), 1 / scale, {}, l.inverseDiagonal.data(),
                                work.surface.data()};
  for (int a = 0; a < D; ++a) {
    body.lower[a] = m.lower[a].data();
    body.toLower[a] = l.lower[a].data();
  }
  parallelFor(exec, "multigrid: copy", m.layout.rows(), body, rowGrain(m.layout.n[0]));
}

template <int D, class T>
Multigrid<D, T>::Multigrid(Exec& exec) : impl_(std::make_unique<Impl>(exec)) {}
template <int D, class T>
Multigrid<D, T>::~Multigrid() = default;

template <int D, class T>
void Multigrid<D, T>::build(const PressureMatrix<D>& matrix) {
  Impl& m = *impl_;
  m.used = 0;
  if (matrix.rows.empty()) return;
  if (m.levels.empty()) m.levels.emplace_back();
  m.copyFinest(matrix);
  for (m.used = 1;; ++m.used) {
    multigrid::listRows(m.exec, m.at(m.used - 1));
    m.prepareVectors(m.at(m.used - 1));
    Index widest = 1;
    for (const Index k : m.at(m.used - 1).layout.n) widest = widest < k ? k : widest;
    if (widest == 1) return;
    if (m.levels.size() == std::size_t(m.used)) m.levels.emplace_back();
    auto &fine = m.at(m.used - 1), &coarse = m.at(m.used);
    multigrid::aggregateParts(m.exec, fine, coarse, m.work);
    multigrid::setTransferWeights(fine, coarse);
    multigrid::coupleParts(m.exec, fine, coarse, m.work);
    multigrid::listTransferRows(fine, coarse, m.work);
    m.work.surface.swap(m.work.coarseSurface);
  }
}

template <int D, class T>
T* Multigrid<D, T>::right() {
  return impl_->used ? impl_->at(0).b.data() : nullptr;
}

template <int D, class T>
T* Multigrid<D, T>::solve() {
  Impl& m = *impl_;
  if (m.used == 0) return nullptr;
  for (int l = 0; l + 1 < m.used; ++l) {
    multigrid::smoothFromZero(m.exec, m.at(l));
    multigrid::restrictResidual(m.exec, m.at(l), m.at(l + 1));
  }
  multigrid::solveDiagonal(m.at(m.used - 1));
  for (int l = m.used - 1; l-- > 0;) {
    multigrid::prolongCorrection(m.exec, m.at(l), m.at(l + 1));
    multigrid::smoothReverse(m.exec, m.at(l));
  }
  return m.at(0).x.data();
}

template <int D, class T>
double Multigrid<D, T>::scale() const {
  return impl_->scale;
}
template <int D, class T>
int Multigrid<D, T>::levels() const {
  return impl_->used;
}
template <int D, class T>
std::size_t Multigrid<D, T>::bytes() const {
  std::size_t s = 0;
  for (const auto& l : impl_->levels) s += l.bytes();
  const auto& w = impl_->work;
  return s + w.aggregate.capacityBytes() + w.surface.capacityBytes() + w.coarseSurface.capacityBytes() +
         w.irregularRow.capacityBytes() + w.split.capacityBytes();
}
template <int D, class T>
const multigrid::Level<D, T>& Multigrid<D, T>::level(int l) const {
  return impl_->levels[std::size_t(l)];
}

template class Multigrid<2, float>;
template class Multigrid<3, float>;
template class Multigrid<2, double>;
template class Multigrid<3, double>;

}  // namespace meniscus

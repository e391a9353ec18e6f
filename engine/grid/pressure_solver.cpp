#include "engine/grid/pressure_solver.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/stop.h"

namespace meniscus {
namespace {

// r = b - A x; sums r . r
template <int D>
struct ResidualRow {
  StencilView<D> A;
  const RowSpan<D>* rows;
  const double *b, *x;
  double* r;
  void operator()(Index row, double* acc) const {
    const RowSpan<D> span = rows[row];
    MNS_INDEPENDENT
    for (Index i = span.begin; i < span.end; ++i) r[i] = b[i] - A.row(x, i);
    acc[0] += dotRow(r, r, rows[row]);
  }
  static double dotRow(const double* u, const double* v, const RowSpan<D>& span) {
    double sum[8] = {};
    Index i = span.begin;
    for (; i + 8 <= span.end; i += 8)
      for (int lane = 0; lane < 8; ++lane) sum[lane] += u[i + lane] * v[i + lane];
    for (; i < span.end; ++i) sum[0] += u[i] * v[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
  }
};

template <int D>
struct DotRow {
  const RowSpan<D>* rows;
  const double *u, *v;
  void operator()(Index row, double* acc) const { acc[0] += ResidualRow<D>::dotRow(u, v, rows[row]); }
};

// to = factor r in the preconditioner's precision
template <int D, class T>
struct ScaleRow {
  const RowSpan<D>* rows;
  const double* r;
  double factor;
  T* to;
  void operator()(Index row) const {
    const RowSpan<D> span = rows[row];
    MNS_INDEPENDENT
    for (Index i = span.begin; i < span.end; ++i) to[i] = T(r[i] * factor);
  }
};

template <int D, class T>
struct DotMixedRow {
  const RowSpan<D>* rows;
  const double* u;
  const T* v;
  void operator()(Index row, double* acc) const {
    const RowSpan<D> span = rows[row];
    double sum[8] = {};
    Index i = span.begin;
    for (; i + 8 <= span.end; i += 8)
      for (int lane = 0; lane < 8; ++lane) sum[lane] += u[i + lane] * double(v[i + lane]);
    for (; i < span.end; ++i) sum[0] += u[i] * double(v[i]);
    acc[0] += ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
  }
};

// d = factor z + beta d
template <int D, class T>
struct DirectionRow {
  const RowSpan<D>* rows;
  const T* z;
  double factor, beta;
  double* d;
  void operator()(Index row) const {
    const RowSpan<D> span = rows[row];
    MNS_INDEPENDENT
    for (Index i = span.begin; i < span.end; ++i) d[i] = factor * double(z[i]) + beta * d[i];
  }
};

// q = A d; sums d . q
template <int D>
struct ProductRow {
  StencilView<D> A;
  const RowSpan<D>* rows;
  const double* d;
  double* q;
  void operator()(Index row, double* acc) const {
    const RowSpan<D> span = rows[row];
    MNS_INDEPENDENT
    for (Index i = span.begin; i < span.end; ++i) q[i] = A.row(d, i);
    acc[0] += ResidualRow<D>::dotRow(d, q, rows[row]);
  }
};

// x += alpha d, r -= alpha q; sums r . r
template <int D>
struct AdvanceRow {
  const RowSpan<D>* rows;
  double alpha;
  const double *d, *q;
  double *x, *r;
  void operator()(Index row, double* acc) const {
    const RowSpan<D> span = rows[row];
    MNS_INDEPENDENT
    for (Index i = span.begin; i < span.end; ++i) {
      x[i] += alpha * d[i];
      r[i] -= alpha * q[i];
    }
    acc[0] += ResidualRow<D>::dotRow(r, r, rows[row]);
  }
};

// Between the caller's arrays and the padded ones.
template <int D>
struct LoadRow {
  const PressureProblem<D>* problem;
  const RowSpan<D>* rows;
  const double* p;
  double* x;
  void operator()(Index row) const {
    const RowSpan<D> span = rows[row];
    const Offset in = problem->grid.cell(span.cell) - span.begin;
    MNS_INDEPENDENT
    for (Index i = span.begin; i < span.end; ++i) x[i] = problem->kind[std::size_t(in + i)] == CellKind::fluid ? p[in + i] : 0;
  }
};
template <int D>
struct StoreRow {
  const PressureProblem<D>* problem;
  PaddedLayout<D> layout;
  const double* x;
  double* p;
  void operator()(Index row) const {
    const Cell<D> c = layout.rowStart(row);
    const Offset out = problem->grid.cell(c);
    const Index in = layout.at(c);
    const bool given = !problem->airPressure.empty();
    for (Index i = 0; i < layout.n[0]; ++i) {
      const std::size_t k = std::size_t(out + i);
      const CellKind kind = problem->kind[k];
      p[k] = kind == CellKind::fluid ? x[in + i] : (kind == CellKind::air && given ? problem->airPressure[k] : 0);
    }
  }
};

}  // namespace

template <int D, class T>
struct PressureSolver<D, T>::Impl {
  Exec& exec;
  const PressureProblem<D>* problem = nullptr;
  PressureMatrix<D> matrix;
  PressureRegions<D> regions;
  std::vector<PressureRegion<D>> reported;
  Buffer<double> means;
  Multigrid<D, T> multigrid;
  Buffer<double> b, x, r, d, q;
  T* z = nullptr;
  double zFactor = 0, r2 = 0;

  explicit Impl(Exec& e) : exec(e), multigrid(e) {}
  Index rows() const { return Index(matrix.rows.size()); }
  StencilView<D> stencil() const {
    StencilView<D> s{{}, matrix.diagonal.data(), matrix.layout.stride};
    for (int a = 0; a < D; ++a) s.lower[a] = matrix.lower[a].data();
    return s;
  }
  template <class Body>
  double sum(const char* name, const Body& body) {
    double s[1];
    sumOverRows<1>(exec, name, rows(), body, s);
    return s[0];
  }

  // what fusedConjugateGradient asks of a system
  double rightSideNorm2() { return sum("pressure: norm", DotRow<D>{matrix.rows.data(), b.data(), b.data()}); }
  double begin() {
    return r2 = sum("pressure: residual", ResidualRow<D>{stencil(), matrix.rows.data(), b.data(), x.data(), r.data()});
  }
  double precondition() {
    stopIfAsked();
    // the residual is scaled to norm 1, so that single precision has room below it
    const double norm = std::sqrt(r2);
    parallelFor(exec, "pressure: scale", rows(), ScaleRow<D, T>{matrix.rows.data(), r.data(), 1 / norm, multigrid.right()},
                rowGrain(matrix.layout.n[0]));
    z = multigrid.solve();
    regions.removeMeans(exec, z);
    zFactor = norm / multigrid.scale();
    return zFactor * sum("pressure: r . z", DotMixedRow<D, T>{matrix.rows.data(), r.data(), z});
  }
  double direct(double beta) {
    parallelFor(exec, "pressure: direction", rows(), DirectionRow<D, T>{matrix.rows.data(), z, zFactor, beta, d.data()},
                rowGrain(matrix.layout.n[0]));
    return sum("pressure: product", ProductRow<D>{stencil(), matrix.rows.data(), d.data(), q.data()});
  }
  double advance(double alpha) {
    return r2 = sum("pressure: advance", AdvanceRow<D>{matrix.rows.data(), alpha, d.data(), q.data(), x.data(), r.data()});
  }
  void clear() { std::fill(x.begin(), x.end(), 0.0); }

  // The report's residual is that of x, which the loop only carries along.
  PressureReport solve(const FusedControl& control) {
    const FusedReport cg = fusedConjugateGradient(*this, control);
    regions.removeMeans(exec, x.data());
    const double b2 = rightSideNorm2();
    return {cg.iterations, b2 > 0 ? std::sqrt(begin() / b2) : 0, cg.converged};
  }
};

template <int D, class T>
PressureSolver<D, T>::PressureSolver(Exec& exec) : impl_(std::make_unique<Impl>(exec)) {}
template <int D, class T>
PressureSolver<D, T>::~PressureSolver() = default;

template <int D, class T>
void PressureSolver<D, T>::build(const PressureProblem<D>& problem) {
  Impl& m = *impl_;
  m.problem = nullptr;
  checkPressureProblem(problem);
  assemblePressureMatrix(m.exec, problem, m.matrix);
  m.regions.find(problem, m.matrix);
  m.reported = m.regions.all();
  m.means.assign(m.reported.size(), 0);
  m.multigrid.build(m.matrix);
  for (auto* v : {&m.b, &m.x, &m.r, &m.d, &m.q}) v->assign(std::size_t(m.matrix.layout.size), 0);
  m.problem = &problem;
}

template <int D, class T>
PressureReport PressureSolver<D, T>::solve(const Buffer<double>& divergence, Buffer<double>& p, const FusedControl& control) {
  Impl& m = *impl_;
  if (!m.problem) throw Error(ErrorKind::internal, "pressure solver: solve without a problem; call build first");
  const PressureProblem<D>& problem = *m.problem;
  checkCellArray(problem.grid, divergence, "divergence");
  const bool warm = Offset(p.size()) == problem.grid.cells();
  if (warm) checkCellArray(problem.grid, p, "pressure to start from");
  p.resize(std::size_t(problem.grid.cells()));
  pressureRightSide(m.exec, problem, m.matrix, divergence, m.b);
  m.regions.removeMeans(m.exec, m.b.data(), m.means.data());
  for (std::size_t k = 0; k < m.reported.size(); ++k) m.reported[k].meanDivergence = m.reported[k].closed ? -m.means[k] : 0;
  if (warm)
    parallelFor(m.exec, "pressure: load", m.rows(), LoadRow<D>{&problem, m.matrix.rows.data(), p.data(), m.x.data()},
                rowGrain(m.matrix.layout.n[0]));
  else
    m.clear();
  PressureReport report = m.solve(control);
  // Where the pressures to start from are far larger than the solution (what moved the fluid has come to rest), their round-off is
  // above what the tolerance leaves, and no iteration gets below it: zero is the better start.
  constexpr double kAbove = 1e3;  // of the tolerance; the round-off of a solve by itself stays below
  if (warm && !(report.residual <= kAbove * control.tolerance) && report.iterations < control.maxIterations) {
    m.clear();
    const int before = report.iterations;
    report = m.solve(control);
    report.iterations += before;
  }
  if (problem.grid.cells() > 0)
    parallelFor(m.exec, "pressure: store", m.matrix.layout.rows(), StoreRow<D>{&problem, m.matrix.layout, m.x.data(), p.data()},
                rowGrain(m.matrix.layout.n[0]));
  return report;
}

template <int D, class T>
const std::vector<PressureRegion<D>>& PressureSolver<D, T>::regions() const {
  return impl_->reported;
}
template <int D, class T>
const PressureMatrix<D>& PressureSolver<D, T>::matrix() const {
  return impl_->matrix;
}
template <int D, class T>
const Buffer<double>& PressureSolver<D, T>::rightSide() const {
  return impl_->b;
}
template <int D, class T>
Multigrid<D, T>& PressureSolver<D, T>::multigrid() {
  return impl_->multigrid;
}
template <int D, class T>
std::size_t PressureSolver<D, T>::bytes() const {
  const Impl& m = *impl_;
  std::size_t s = m.multigrid.bytes() + m.matrix.diagonal.capacityBytes() + m.matrix.surface.capacityBytes();
  for (const auto& a : m.matrix.lower) s += a.capacityBytes();
  for (const auto* v : {&m.b, &m.x, &m.r, &m.d, &m.q}) s += v->capacityBytes();
  return s;
}

template class PressureSolver<2, float>;
template class PressureSolver<3, float>;
template class PressureSolver<2, double>;
template class PressureSolver<3, double>;

}  // namespace meniscus

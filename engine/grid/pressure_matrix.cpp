#include "engine/grid/pressure_matrix.h"

namespace meniscus {
namespace {

template <int D>
struct AssembleRow {
  const PressureProblem<D>* problem;
  PaddedLayout<D> layout;
  double *lower[D], *diagonal, *surface;
  Index *first, *last;  // fluid cells of a row, as x coordinates; first > last: none
  Index* count;

  void operator()(Index row) const {
    const MacGrid<D>& g = problem->grid;
    Cell<D> c = layout.rowStart(row);
    const Index out = layout.at(c);
    const Offset in = g.cell(c);
    Offset face[D];
    for (int a = 0; a < D; ++a) face[a] = g.face(a, c);
    Index begin = g.n[0], end = -1, fluid = 0;
    for (Index i = 0; i < g.n[0]; ++i) {
      c[0] = i;
      for (int a = 0; a < D; ++a) lower[a][out + i] = 0;
      diagonal[out + i] = surface[out + i] = 0;
      if (problem->kind[std::size_t(in + i)] != CellKind::fluid) continue;
      begin = begin < i ? begin : i;
      end = i;
      ++fluid;
      for (int a = 0; a < D; ++a) {
        const Offset stride = g.cellStride(a), above = face[a] + i + g.faceStride(a, a);
        if (c[std::size_t(a)] > 0) lower[a][out + i] = side(a, face[a] + i, in + i, in + i - stride, out + i);
        if (c[std::size_t(a)] + 1 < g.n[std::size_t(a)]) side(a, above, in + i, in + i + stride, out + i);
      }
      diagonal[out + i] += surface[out + i];
    }
    first[row] = begin;
    last[row] = end;
    count[row] = fluid;
  }
  // Adds a face to the diagonal or to the surface's part of it; returns the coupling to a fluid neighbour.
  double side(int axis, Offset face, Offset self, Offset neighbour, Index out) const {
    const CellKind kind = problem->kind[std::size_t(neighbour)];
    if (kind == CellKind::solid) return 0;
    const double coupling = faceCoupling(*problem, axis, face);
    if (kind == CellKind::air) {
      surface[out] += coupling / surfaceFraction(*problem, self, neighbour);
      return 0;
    }
    diagonal[out] += coupling;
    return coupling;
  }
};

template <int D>
struct RightSideRow {
  const PressureProblem<D>* problem;
  const double* divergence;
  PaddedLayout<D> layout;
  const RowSpan<D>* rows;
  const double* surface;
  double* b;
  void operator()(Index r) const {
    const RowSpan<D> span = rows[r];
    const MacGrid<D>& g = problem->grid;
    const Offset in = g.cell(span.cell);
    Cell<D> c = span.cell;
    for (Index i = span.begin; i < span.end; ++i, ++c[0]) {
      const Offset k = in + (i - span.begin);
      b[i] = problem->kind[std::size_t(k)] == CellKind::fluid ? -divergence[k] : 0;
      if (surface[i] > 0 && !problem->airPressure.empty()) b[i] += given(c, k);
    }
  }
  double given(const Cell<D>& c, Offset k) const {
    const MacGrid<D>& g = problem->grid;
    double sum = 0;
    for (int a = 0; a < D; ++a)
      for (const int side : {-1, 1}) {
        Cell<D> neighbour = c;
        neighbour[std::size_t(a)] += side;
        if (!g.contains(neighbour)) continue;
        const Offset air = g.cell(neighbour);
        if (problem->kind[std::size_t(air)] != CellKind::air) continue;
        const double coupling = faceCoupling(*problem, a, g.face(a, side < 0 ? c : neighbour));
        sum += coupling / surfaceFraction(*problem, k, air) * problem->airPressure[std::size_t(air)];
      }
    return sum;
  }
};

}  // namespace

template <int D>
void assemblePressureMatrix(Exec& exec, const PressureProblem<D>& problem, PressureMatrix<D>& m) {
  const PaddedLayout<D> layout(problem.grid.n);
  const std::size_t size = std::size_t(layout.size);
  if (layout.n != m.layout.n || m.diagonal.size() != size) {  // else the halo is zero already, and the rest is written below
    for (auto& a : m.lower) a.assign(size, 0);
    m.diagonal.assign(size, 0);
    m.surface.assign(size, 0);
  }
  m.layout = layout;
  const Index rows = problem.grid.cells() == 0 ? 0 : m.layout.rows();
  Buffer<Index> table(3 * std::size_t(rows) + 1);
  AssembleRow<D> body{&problem,
                      m.layout,
                      {},
                      m.diagonal.data(),
                      m.surface.data(),
                      table.data(),
                      table.data() + rows,
                      table.data() + 2 * std::size_t(rows)};
  for (int a = 0; a < D; ++a) body.lower[a] = m.lower[a].data();
  parallelFor(exec, "pressure: assemble", rows, body, rowGrain(m.layout.n[0]));
  m.rows.clear();
  m.unknowns = 0;
  for (Index r = 0; r < rows; ++r) {
    if (body.first[r] > body.last[r]) continue;
    Cell<D> c = m.layout.rowStart(r);
    const Index start = m.layout.at(c);
    c[0] = body.first[r];
    m.rows.push_back({start + body.first[r], start + body.last[r] + 1, c});
    m.unknowns += body.count[r];
  }
}

template <int D>
void pressureRightSide(Exec& exec, const PressureProblem<D>& problem, const PressureMatrix<D>& m, const Buffer<double>& divergence,
                       Buffer<double>& b) {
  const RightSideRow<D> body{&problem, divergence.data(), m.layout, m.rows.data(), m.surface.data(), b.data()};
  parallelFor(exec, "pressure: right side", Index(m.rows.size()), body, rowGrain(m.layout.n[0]));
}

template void assemblePressureMatrix<2>(Exec&, const PressureProblem<2>&, PressureMatrix<2>&);
template void assemblePressureMatrix<3>(Exec&, const PressureProblem<3>&, PressureMatrix<3>&);
template void pressureRightSide<2>(Exec&, const PressureProblem<2>&, const PressureMatrix<2>&, const Buffer<double>&,
                                   Buffer<double>&);
template void pressureRightSide<3>(Exec&, const PressureProblem<3>&, const PressureMatrix<3>&, const Buffer<double>&,
                                   Buffer<double>&);

}  // namespace meniscus

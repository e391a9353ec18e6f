// The stencil, the right side, the regions and the solution against a dense matrix.
#include <gtest/gtest.h>

#include "engine/grid/pressure_solver.h"
#include "tests/grid/pressure_oracle.h"

namespace meniscus {
namespace {

using testing::DenseSystem;

template <int D>
void compareWithDense(const Cell<D>& n, unsigned seed) {
  SCOPED_TRACE(::testing::Message() << D << "-D, " << n[0] << " " << n[1] << " " << n[D - 1] << ", seed " << seed);
  const PressureProblem<D> p = testing::randomProblem<D>(n, seed);
  const Buffer<double> divergence = testing::randomCells(p.grid, seed + 1);
  const DenseSystem dense = testing::denseSystem(p, divergence);
  Exec exec(2);
  PressureSolver<D, double> solver(exec);
  solver.build(p);
  Buffer<double> pressure;
  const PressureReport report = solver.solve(divergence, pressure, {1e-13, 500});
  EXPECT_LE(report.residual, 1e-12);

  // A x for a random x, and b
  const PressureMatrix<D>& m = solver.matrix();
  const Buffer<double> x = testing::randomCells(p.grid, seed + 2);
  Buffer<double> padded(std::size_t(m.layout.size));
  for (std::size_t i = 0; i < dense.n; ++i) padded[std::size_t(m.layout.at(p.grid.cellAt(Offset(i))))] = x[i];
  StencilView<D> A{{}, m.diagonal.data(), m.layout.stride};
  for (int a = 0; a < D; ++a) A.lower[a] = m.lower[a].data();
  const double scale = std::max(1.0, testing::largest(dense.A));
  for (std::size_t i = 0; i < dense.n; ++i) {
    const Index k = m.layout.at(p.grid.cellAt(Offset(i)));
    double expected = 0;
    for (std::size_t j = 0; j < dense.n; ++j) expected += dense.a(i, j) * x[j];
    if (p.kind[i] == CellKind::fluid) { EXPECT_NEAR(A.row(padded.data(), k), expected, 1e-13 * scale) << i; }
    EXPECT_NEAR(solver.rightSide()[std::size_t(k)], dense.b[i], 1e-13 * std::max(1.0, testing::largest(dense.b))) << i;
  }

  // regions in the order of their first cells
  ASSERT_EQ(solver.regions().size(), dense.closed.size());
  for (std::size_t r = 0; r < dense.closed.size(); ++r) {
    const PressureRegion<D>& region = solver.regions()[r];
    EXPECT_EQ(region.closed, bool(dense.closed[r])) << r;
    EXPECT_EQ(region.cells, std::count(dense.region.begin(), dense.region.end(), int(r))) << r;
    EXPECT_EQ(dense.region[std::size_t(p.grid.cell(region.firstCell))], int(r));
    EXPECT_NEAR(region.meanDivergence, dense.meanDivergence[r], 1e-14) << r;
  }

  const std::vector<double> expected = testing::solveDense(dense);
  for (std::size_t i = 0; i < dense.n; ++i) {
    if (p.kind[i] == CellKind::fluid) {
      EXPECT_NEAR(pressure[i], expected[i], 1e-9 * (1 + testing::largest(expected))) << i;
    } else {
      EXPECT_EQ(pressure[i], p.kind[i] == CellKind::air ? p.airPressure[i] : 0) << i;
    }
  }
}

TEST(PressureMatrix, IsTheDenseOneInTwoDimensions) {
  const Cell<2> sizes[] = {{1, 1}, {2, 1}, {1, 3}, {2, 2}, {3, 3}, {5, 7}, {33, 3}, {2, 33}, {16, 16}};
  for (const Cell<2>& n : sizes)
    for (unsigned seed = 1; seed <= 5; ++seed) compareWithDense<2>(n, 10 * seed);
}

TEST(PressureMatrix, IsTheDenseOneInThreeDimensions) {
  const Cell<3> sizes[] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 3}, {3, 3, 3}, {5, 7, 9}, {33, 2, 3}, {3, 2, 33}, {8, 8, 8}};
  for (const Cell<3>& n : sizes)
    for (unsigned seed = 1; seed <= 2; ++seed) compareWithDense<3>(n, 10 * seed);
}

// Full of fluid, the matrix is the Laplacian: a quadratic has a constant divergence inside.
TEST(PressureMatrix, OfAQuadraticIsExact) {
  PressureProblem<3> p;
  p.grid.n = {6, 5, 7};
  p.grid.dx = 0.5;
  p.constantBeta = 2;
  p.kind.assign(std::size_t(p.grid.cells()), CellKind::fluid);
  Exec exec(1);
  PressureMatrix<3> m;
  assemblePressureMatrix(exec, p, m);
  Buffer<double> x(std::size_t(m.layout.size));
  for (Offset i = 0; i < p.grid.cells(); ++i) {
    const auto c = p.grid.centre(p.grid.cellAt(i));
    x[std::size_t(m.layout.at(p.grid.cellAt(i)))] = c[0] * c[0] + 2 * c[1] * c[1] - 0.5 * c[2] * c[2];
  }
  const StencilView<3> A{{m.lower[0].data(), m.lower[1].data(), m.lower[2].data()}, m.diagonal.data(), m.layout.stride};
  // - beta (2 + 4 - 1)
  EXPECT_NEAR(A.row(x.data(), m.layout.at({2, 2, 3})), -10, 1e-12);
}

}  // namespace
}  // namespace meniscus

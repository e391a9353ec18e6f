// Pressures that are known: manufactured solutions at second order, water at rest, what closed boxes can and cannot take, and the
// same bits for any number of threads.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/grid/pressure_solver.h"
#include "tests/grid/pressure_oracle.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846;

template <int D>
Buffer<double> solved(const PressureProblem<D>& p, const Buffer<double>& divergence, double tolerance = 1e-12) {
  Exec exec(2);
  PressureSolver<D> solver(exec);
  solver.build(p);
  Buffer<double> pressure;
  EXPECT_LE(solver.solve(divergence, pressure, {tolerance, 200}).residual, 2 * tolerance);
  return pressure;
}

// Largest error of p = cos(pi x) cos(2 pi y) [cos(pi z)] in the closed unit box, whose Laplacian is a multiple of it.
template <int D>
double errorInClosedBox(Index n) {
  PressureProblem<D> p;
  p.grid.n.fill(n);
  p.grid.dx = 1.0 / n;
  p.kind.assign(std::size_t(p.grid.cells()), CellKind::fluid);
  const double k2 = kPi * kPi * (D == 3 ? 6 : 5);
  const auto exact = [](const std::array<double, D>& x) {
    return std::cos(kPi * x[0]) * std::cos(2 * kPi * x[1]) * (D == 3 ? std::cos(kPi * x[D - 1]) : 1);
  };
  Buffer<double> divergence(std::size_t(p.grid.cells()));
  for (Offset i = 0; i < p.grid.cells(); ++i) divergence[std::size_t(i)] = -k2 * exact(p.grid.centre(p.grid.cellAt(i)));
  const Buffer<double> pressure = solved(p, divergence);
  double error = 0;
  for (Offset i = 0; i < p.grid.cells(); ++i)
    error = std::max(error, std::fabs(pressure[std::size_t(i)] - exact(p.grid.centre(p.grid.cellAt(i)))));
  return error;
}

TEST(PressurePhysics, ClosedBoxConvergesAtSecondOrder) {
  EXPECT_GT(std::log2(errorInClosedBox<2>(20) / errorInClosedBox<2>(40)), 1.95);
  EXPECT_GT(std::log2(errorInClosedBox<2>(40) / errorInClosedBox<2>(80)), 1.95);
  EXPECT_GT(std::log2(errorInClosedBox<3>(12) / errorInClosedBox<3>(24)), 1.9);
  EXPECT_LT(errorInClosedBox<3>(24), 0.02);
}

// A ball of fluid in air with p = R^2 - r^2, which vanishes at the surface and has the Laplacian -2 D. With the surface in the
// centres of air cells the error is of first order, with the ghost fluid of second.
template <int D>
double errorInBall(Index n, bool ghostFluid) {
  const double radius = 0.38;
  PressureProblem<D> p;
  p.grid.n.fill(n);
  p.grid.dx = 1.0 / n;
  p.kind.resize(std::size_t(p.grid.cells()));
  p.levelSet.resize(p.kind.size());
  Buffer<double> divergence, exact(p.kind.size());
  divergence.assign(p.kind.size(), -2.0 * D);
  for (Offset i = 0; i < p.grid.cells(); ++i) {
    double r2 = 0;
    std::size_t a = 0;
    for (const double x : p.grid.centre(p.grid.cellAt(i))) r2 += (x - 0.5 - 0.01 * double(a)) * (x - 0.5 - 0.01 * double(a)), ++a;
    p.levelSet[std::size_t(i)] = std::sqrt(r2) - radius;
    p.kind[std::size_t(i)] = p.levelSet[std::size_t(i)] < 0 ? CellKind::fluid : CellKind::air;
    exact[std::size_t(i)] = p.levelSet[std::size_t(i)] < 0 ? radius * radius - r2 : 0;
  }
  if (!ghostFluid) p.levelSet = Buffer<double>();
  const Buffer<double> pressure = solved(p, divergence);
  double error = 0;
  for (std::size_t i = 0; i < pressure.size(); ++i) error = std::max(error, std::fabs(pressure[i] - exact[i]));
  return error;
}

TEST(PressurePhysics, GhostFluidBallConvergesAtSecondOrder) {
  // over a factor of 4, because the cells at the surface lie differently on every grid
  EXPECT_GT(std::log2(errorInBall<2>(24, true) / errorInBall<2>(96, true)), 2 * 1.8);
  EXPECT_GT(std::log2(errorInBall<3>(16, true) / errorInBall<3>(64, true)), 2 * 1.8);
  EXPECT_LT(std::log2(errorInBall<2>(24, false) / errorInBall<2>(96, false)), 2 * 1.3);
}

// Water at rest: gravity of a step makes u* = dt g, whose divergence is zero but at the walls, and p = rho dt g depth.
template <int D>
void expectHydrostatic(double height, double airPressure) {
  SCOPED_TRACE(height);
  const double rho = 1000, dtg = 9.81 * 0.01;
  PressureProblem<D> p;
  p.grid.n.fill(9);
  p.grid.n[0] = 6;
  p.grid.dx = 0.1;
  p.constantBeta = 1 / rho;
  const std::size_t cells = std::size_t(p.grid.cells());
  p.kind.resize(cells);
  p.levelSet.resize(cells);
  p.airPressure.assign(cells, airPressure);
  Buffer<double> divergence(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    const Cell<D> c = p.grid.cellAt(Offset(i));
    p.levelSet[i] = p.grid.centre(c)[D - 1] - height;
    p.kind[i] = p.levelSet[i] < 0 ? CellKind::fluid : CellKind::air;
    divergence[i] = c[D - 1] == 0 ? -dtg / p.grid.dx : 0;  // the ground's face has velocity 0, the one above -dt g
  }
  const Buffer<double> pressure = solved(p, divergence, 1e-14);
  for (std::size_t i = 0; i < cells; ++i) {
    const double depth = height - p.grid.centre(p.grid.cellAt(Offset(i)))[D - 1];
    EXPECT_NEAR(pressure[i], airPressure + (depth > 0 ? rho * dtg * depth : 0), 1e-11 * rho * dtg) << i;
  }
}

TEST(PressurePhysics, WaterAtRestIsHydrostatic) {
  // between two centres anywhere: half way, next to the lower one, next to the upper one
  for (const double height : {0.6, 0.5501, 0.649999, 0.05 + 1e-6}) {
    expectHydrostatic<2>(height, 0);
    expectHydrostatic<3>(height, 0);
    expectHydrostatic<3>(height, 3.5);
  }
}

// A tilted plane of water under gravity normal to it: the linear pressure is met exactly where the divergence on faces at walls is
// that of the same gravity.
TEST(PressurePhysics, TiltedPlaneOfWaterIsHydrostatic) {
  PressureProblem<2> p;
  p.grid.n = {24, 17};
  p.grid.dx = 1;
  const double nx = 0.28, ny = 0.96;  // unit normal
  const std::size_t cells = std::size_t(p.grid.cells());
  p.kind.resize(cells);
  p.levelSet.resize(cells);
  Buffer<double> divergence(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    const Cell<2> c = p.grid.cellAt(Offset(i));
    const auto x = p.grid.centre(c);
    p.levelSet[i] = nx * x[0] + ny * x[1] - 12.317;
    p.kind[i] = p.levelSet[i] < 0 ? CellKind::fluid : CellKind::air;
    // u* = -(nx, ny) on inner faces, 0 at walls
    divergence[i] = -(nx * ((c[0] + 1 < 24) - (c[0] > 0)) + ny * ((c[1] + 1 < 17) - (c[1] > 0)));
  }
  const Buffer<double> pressure = solved(p, divergence, 1e-14);
  for (std::size_t i = 0; i < cells; ++i) EXPECT_NEAR(pressure[i], p.levelSet[i] < 0 ? -p.levelSet[i] : 0, 1e-10) << i;
}

// Two closed boxes on both sides of a shell: each has its own constant, and what its divergence sums to cannot be taken away.
TEST(PressurePhysics, ClosedBoxesBehindAShell) {
  PressureProblem<3> p;
  p.grid.n = {9, 6, 7};
  p.grid.dx = 0.5;
  const std::size_t cells = std::size_t(p.grid.cells());
  p.kind.assign(cells, CellKind::fluid);
  p.openFraction[0].assign(std::size_t(p.grid.faces(0)), 1);
  for (Index j = 0; j < 6; ++j)
    for (Index k = 0; k < 7; ++k) p.openFraction[0][std::size_t(p.grid.face(0, {5, j, k}))] = 0;
  Buffer<double> divergence = testing::randomCells(p.grid, 3);
  double sum[2] = {}, count[2] = {};
  for (std::size_t i = 0; i < cells; ++i) {
    const int side = p.grid.cellAt(Offset(i))[0] >= 5;
    divergence[i] += side ? 2.5 : -1;
    sum[side] += divergence[i];
    count[side] += 1;
  }
  Exec exec(2);
  PressureSolver<3> solver(exec);
  solver.build(p);
  Buffer<double> pressure;
  const PressureReport report = solver.solve(divergence, pressure, {1e-11, 100});
  EXPECT_TRUE(report.converged);
  ASSERT_EQ(solver.regions().size(), 2u);
  double mean[2] = {};
  for (std::size_t i = 0; i < cells; ++i) mean[p.grid.cellAt(Offset(i))[0] >= 5] += pressure[i];
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_TRUE(solver.regions()[r].closed);
    EXPECT_EQ(solver.regions()[r].cells, count[r]);
    EXPECT_NEAR(solver.regions()[r].meanDivergence, sum[r] / count[r], 1e-13);
    EXPECT_NEAR(mean[r], 0, 1e-10);
  }
  // each box alone has the same pressure
  const std::vector<double> expected = testing::solveDense(testing::denseSystem(p, divergence));
  for (std::size_t i = 0; i < cells; ++i) EXPECT_NEAR(pressure[i], expected[i], 1e-9);
  // a lid lets the air in: nothing is left out then
  p.kind[std::size_t(p.grid.cell({0, 0, 6}))] = CellKind::air;
  solver.build(p);
  solver.solve(divergence, pressure, {1e-11, 100});
  EXPECT_FALSE(solver.regions()[0].closed);
  EXPECT_EQ(solver.regions()[0].meanDivergence, 0);
  EXPECT_TRUE(solver.regions()[1].closed);
}

TEST(PressurePhysics, SameBitsForAnyNumberOfThreads) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    PressureProblem<3> p = testing::randomProblem<3>({41, 37, 29}, seed);
    for (auto& beta : p.beta) beta.clear();
    const Buffer<double> divergence = testing::randomCells(p.grid, seed);
    Buffer<double> first;
    for (const int threads : {1, 2, 3}) {
      Exec exec(threads);
      PressureSolver<3> solver(exec);
      solver.build(p);
      Buffer<double> pressure;
      EXPECT_TRUE(solver.solve(divergence, pressure, {1e-8, 200}).converged);
      if (threads == 1) {
        first = pressure;
      } else {
        EXPECT_EQ(std::memcmp(first.data(), pressure.data(), first.size() * sizeof(double)), 0) << threads << " threads";
      }
    }
  }
}

// A start near the solution saves iterations; a second solve from zero repeats the first, bit by bit, also after another problem.
TEST(PressurePhysics, SolvesAgain) {
  PressureProblem<3> p = testing::randomProblem<3>({20, 21, 22}, 4), other = testing::randomProblem<3>({9, 30, 5}, 5);
  for (auto& beta : p.beta) beta.clear();
  const Buffer<double> divergence = testing::randomCells(p.grid, 6);
  Exec exec(2);
  PressureSolver<3> solver(exec);
  solver.build(p);
  Buffer<double> first, second, third;
  const int cold = solver.solve(divergence, first, {1e-8, 100}).iterations;
  Buffer<double> warm = first;
  EXPECT_LT(solver.solve(divergence, warm, {1e-7, 100}).iterations, cold / 4);
  solver.solve(divergence, second, {1e-8, 100});
  EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(double)), 0);
  solver.build(other);
  solver.build(p);
  solver.solve(divergence, third, {1e-8, 100});
  EXPECT_EQ(std::memcmp(first.data(), third.data(), first.size() * sizeof(double)), 0);
}

}  // namespace
}  // namespace meniscus

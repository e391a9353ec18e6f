// Problems with nothing in them, and ones that are refused by the name of what is wrong.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>

#include "engine/base/error.h"
#include "engine/base/heap.h"
#include "engine/grid/pressure_solver.h"
#include "tests/grid/pressure_oracle.h"

namespace meniscus {
namespace {

template <int D>
PressureProblem<D> allOf(const Cell<D>& n, CellKind kind) {
  PressureProblem<D> p;
  p.grid.n = n;
  p.kind.assign(std::size_t(p.grid.cells()), kind);
  return p;
}

template <int D>
Buffer<double> solved(const PressureProblem<D>& p, double divergence, PressureReport* report = nullptr) {
  Exec exec(2);
  PressureSolver<D> solver(exec);
  solver.build(p);
  Buffer<double> d, pressure;
  d.assign(std::size_t(p.grid.cells()), divergence);
  const PressureReport r = solver.solve(d, pressure, {});
  if (report) *report = r;
  return pressure;
}

TEST(PressureLimits, NoCellsAtAll) {
  PressureReport report;
  EXPECT_TRUE(solved(allOf<2>({0, 0}, CellKind::fluid), 1, &report).empty());
  EXPECT_TRUE(report.converged);
  EXPECT_TRUE(solved(allOf<3>({5, 0, 3}, CellKind::fluid), 1, &report).empty());
  EXPECT_EQ(report.iterations, 0);
}

TEST(PressureLimits, NoFluid) {
  for (const CellKind kind : {CellKind::solid, CellKind::air}) {
    PressureReport report;
    for (const double p : solved(allOf<3>({4, 3, 5}, kind), 7, &report)) EXPECT_EQ(p, 0);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 0);
  }
}

// A cell that has no open face takes no divergence.
TEST(PressureLimits, OneCell) {
  const PressureProblem<3> p = allOf<3>({1, 1, 1}, CellKind::fluid);
  Exec exec(1);
  PressureSolver<3> solver(exec);
  solver.build(p);
  Buffer<double> d(1), pressure;
  d[0] = 3;
  EXPECT_TRUE(solver.solve(d, pressure, {}).converged);
  EXPECT_EQ(pressure[0], 0);
  ASSERT_EQ(solver.regions().size(), 1u);
  EXPECT_TRUE(solver.regions()[0].closed);
  EXPECT_EQ(solver.regions()[0].meanDivergence, 3);
}

// The fluid has come to rest but for round-off, and the pressures of before are where the solve starts: what it ends with is
// right by what there is to solve now.
TEST(PressureLimits, StartsThatAreFarLargerThanTheSolution) {
  const PressureProblem<2> p = allOf<2>({10, 12}, CellKind::fluid);
  Exec exec(1);
  PressureSolver<2> solver(exec);
  solver.build(p);
  const Buffer<double> wild = testing::randomCells(p.grid, 3), start = testing::randomCells(p.grid, 4);
  for (const double size : {1e-8, 1e-12, 1e-16, 1e-17, 1e-30, 1e-100}) {
    Buffer<double> d = wild, pressure = start;
    for (double& v : d) v *= size;
    const PressureReport report = solver.solve(d, pressure, {1e-12, 500});
    EXPECT_TRUE(report.converged) << size;
    EXPECT_LT(report.residual, 1e-10) << size;
  }
}

// Closed faces everywhere: as many regions as cells.
TEST(PressureLimits, AllFacesClosed) {
  PressureProblem<3> p = allOf<3>({5, 4, 3}, CellKind::fluid);
  for (int a = 0; a < 3; ++a) p.openFraction[a].assign(std::size_t(p.grid.faces(a)), 0);
  Exec exec(2);
  PressureSolver<3> solver(exec);
  solver.build(p);
  const Buffer<double> d = testing::randomCells(p.grid, 1);
  Buffer<double> pressure;
  const PressureReport report = solver.solve(d, pressure, {});
  EXPECT_TRUE(report.converged);
  ASSERT_EQ(solver.regions().size(), 60u);
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(pressure[i], 0);
    EXPECT_EQ(solver.regions()[i].meanDivergence, d[i]);
  }
}

// Faces that are open next to nothing, down to what single precision does not hold.
TEST(PressureLimits, TinyOpenings) {
  for (const double open : {1e-12, 1e-25, 1e-45, 1e-200}) {
    SCOPED_TRACE(open);
    PressureProblem<3> p = allOf<3>({9, 9, 9}, CellKind::fluid);
    for (Index i = 0; i < 81; ++i) p.kind[std::size_t(8 * 81 + i)] = CellKind::air;
    p.openFraction[0].assign(std::size_t(p.grid.faces(0)), 1);
    for (Index j = 0; j < 9; ++j)
      for (Index k = 0; k < 9; ++k) p.openFraction[0][std::size_t(p.grid.face(0, {3, j, k}))] = open;
    Exec exec(2);
    PressureSolver<3> solver(exec);
    solver.build(p);
    const Buffer<double> d = testing::randomCells(p.grid, 1);
    Buffer<double> pressure;
    EXPECT_TRUE(solver.solve(d, pressure, {1e-8, 50}).converged);
  }
}

// One fluid cell under one of air: -p / dx^2 = divergence.
TEST(PressureLimits, OneCellUnderAir) {
  PressureProblem<2> p = allOf<2>({1, 2}, CellKind::fluid);
  p.grid.dx = 0.5;
  p.kind[1] = CellKind::air;
  const Buffer<double> pressure = solved(p, 3);
  EXPECT_NEAR(pressure[0], -0.75, 1e-6);
  EXPECT_EQ(pressure[1], 0);
}

// The working memory is made by the first solve; later ones allocate nothing, and builds of the same problem do not enlarge it.
TEST(PressureLimits, LaterSolvesDoNotAllocate) {
  const PressureProblem<3> p = testing::randomProblem<3>({30, 20, 25}, 3);
  const Buffer<double> divergence = testing::randomCells(p.grid, 4);
  Exec exec(2);
  PressureSolver<3> solver(exec);
  solver.build(p);
  Buffer<double> pressure;
  solver.solve(divergence, pressure, {1e-6, 20});
  const std::uint64_t before = heapUse().allocations;
  pressure.clear();
  EXPECT_EQ(solver.solve(divergence, pressure, {1e-6, 20}).iterations, 20);
  EXPECT_EQ(heapUse().allocations, before);
  solver.build(p);  // may still enlarge one of two buffers that change places
  const std::size_t bytes = solver.bytes();
  solver.build(p);
  EXPECT_EQ(solver.bytes(), bytes);
}

// Memory as it may come from the heap, and behind every array: infinity in single precision. None of it may be read.
void* filledMemory(void*, std::size_t bytes, std::size_t alignment) {
  const std::size_t size = (bytes + 2 * alignment - 1) / alignment * alignment;
  void* p = std::aligned_alloc(alignment, size);
  const std::uint32_t infinity = 0x7f800000;
  for (std::size_t i = 0; p && i + 4 <= size; i += 4) std::memcpy(static_cast<char*>(p) + i, &infinity, 4);
  return p;
}
struct FilledHeap {
  FilledHeap() {
    setHeap({nullptr, filledMemory, [](void*, void* p) { std::free(p); }});
  }
  ~FilledHeap() { setHeap({}); }
};

template <int D>
void expectSolvesOnFilledHeap(const Cell<D>& n) {
  SCOPED_TRACE(::testing::Message() << n[0] << " " << n[1]);
  const FilledHeap heap;
  Exec exec(1);
  PressureProblem<D> p = testing::randomProblem<D>(n, 3);
  for (const bool open : {false, true}) {
    if (open) p.kind.assign(p.kind.size(), CellKind::fluid);
    for (auto& beta : p.beta) beta.clear();
    PressureSolver<D> solver(exec);
    solver.build(p);
    Buffer<double> pressure;
    EXPECT_TRUE(solver.solve(testing::randomCells(p.grid, 4), pressure, {1e-8, 100}).converged);
  }
}

TEST(PressureLimits, ReadsNoMemoryThatIsNotItsOwn) {
  const Cell<2> plane[] = {{1, 1}, {5, 5}, {10, 10}, {20, 20}, {33, 17}, {19, 40}};
  for (const Cell<2>& n : plane) expectSolvesOnFilledHeap<2>(n);
  const Cell<3> space[] = {{5, 5, 5}, {10, 10, 10}, {9, 17, 33}, {20, 3, 1}, {18, 18, 19}};
  for (const Cell<3>& n : space) expectSolvesOnFilledHeap<3>(n);
}

// The error and its kind that building and solving ends in.
template <int D>
std::string refusal(const PressureProblem<D>& p, const Buffer<double>& divergence, ErrorKind kind) {
  try {
    Exec exec(1);
    PressureSolver<D> solver(exec);
    solver.build(p);
    Buffer<double> pressure;
    solver.solve(divergence, pressure, {});
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, kind);
    return e.what();
  }
  return "none";
}

TEST(PressureLimits, WrongNumbersAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const PressureProblem<3> good = testing::randomProblem<3>({4, 5, 6}, 1);
  const Buffer<double> divergence = testing::randomCells(good.grid, 2);
  EXPECT_EQ(refusal(good, divergence, ErrorKind::simulation), "none");
  const auto with = [&](auto change) {
    PressureProblem<3> p = good;
    Buffer<double> d = divergence;
    change(p, d);
    return refusal(p, d, ErrorKind::simulation);
  };
  EXPECT_EQ(with([&](auto& p, auto&) {
              p.levelSet[std::size_t(p.grid.cell({3, 0, 5}))] = nan;
            }),
            "pressure problem: levelSet of cell (3, 0, 5) is nan; it must be finite");
  EXPECT_EQ(with([&](auto&, auto& d) { d[4 + 20] = inf; }),
            "pressure problem: divergence of cell (0, 1, 1) is inf; it must be finite");
  EXPECT_EQ(with([&](auto& p, auto&) { p.airPressure[0] = nan; }),
            "pressure problem: airPressure of cell (0, 0, 0) is nan; it must be finite");
  EXPECT_EQ(with([&](auto& p, auto&) {
              p.beta[1][std::size_t(p.grid.face(1, {1, 5, 2}))] = nan;
            }),
            "pressure problem: beta.y of face (1, 5, 2) is nan; it must be positive");
  EXPECT_EQ(with([&](auto& p, auto&) { p.beta[0][0] = 0; }),
            "pressure problem: beta.x of face (0, 0, 0) is 0; it must be positive");
  EXPECT_EQ(with([&](auto& p, auto&) {
              p.openFraction[2][std::size_t(p.grid.face(2, {3, 4, 6}))] = 1.5;
            }),
            "pressure problem: openFraction.z of face (3, 4, 6) is 1.5; it must be in [0, 1]");
  EXPECT_EQ(with([&](auto& p, auto&) { p.constantBeta = nan; }), "pressure problem: constantBeta is nan; it must be positive");
}

TEST(PressureLimits, WrongSizesAreNamed) {
  const PressureProblem<2> good = testing::randomProblem<2>({4, 5}, 1);
  const Buffer<double> divergence = testing::randomCells(good.grid, 2);
  const auto with = [&](auto change) {
    PressureProblem<2> p = good;
    Buffer<double> d = divergence;
    change(p, d);
    return refusal(p, d, ErrorKind::input);
  };
  EXPECT_EQ(with([](auto& p, auto&) { p.kind.clear(); }), "pressure problem: kind has 0 values; the grid needs 20");
  EXPECT_EQ(with([](auto& p, auto&) { p.beta[0].resize(7); }), "pressure problem: beta.x has 7 values; the grid needs 25");
  EXPECT_EQ(with([](auto&, auto& d) { d.resize(21); }), "pressure problem: divergence has 21 values; the grid needs 20");
  EXPECT_EQ(with([](auto& p, auto&) { p.grid.n = {-1, 3}; }), "pressure problem: the grid has -1 cells along an axis");
  EXPECT_EQ(with([](auto& p, auto&) { p.grid.dx = 0; }), "pressure problem: dx is 0; it must be positive");
  EXPECT_NE(with([](auto& p, auto&) { p.grid.n = {40000, 40000}; }).find("are too many"), std::string::npos);
}

}  // namespace
}  // namespace meniscus

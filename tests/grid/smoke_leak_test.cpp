// Smoke on one side of a shell that moves, tilts and folds stays there: exactly none on the other side.
#include <gtest/gtest.h>

#include "engine/grid/smoke/smoke_advection.h"
#include "tests/grid/shell_meshes.h"

namespace meniscus::testing {
namespace {

template <int D>
SmokeDomain<D> closedBox(Index n) {
  SmokeDomain<D> d;
  d.grid.n.fill(n);
  d.grid.dx = 1.0 / n;
  return d;
}

struct Tally {
  Offset cells = 0, behind = 0, missing = 0;
  double leaked = 0;
};

// Steps of random velocities of up to two cells; the sheet goes up and down by up to 3, its nodes by up to twice `move`
// beside that.
template <int D>
Tally runSheet(unsigned seed, Index n, Index nodes, double rough, double fold, double move) {
  std::mt19937 random(seed);
  const SmokeDomain<D> domain = closedBox<D>(n);
  const GivenFaces<D> given(domain);
  const ShellLattice<D> lattice{domain.grid};
  TestShell<D> s = spanningSheet(random, nodes, D == 2 ? 0.3 : 0.1, rough, fold, static_cast<TestShell<D>*>(nullptr));
  const std::vector<double> rest = s.x;
  SmokeState<D> state = smokeAtRest(domain);
  ShellFaces<D> faces;
  findShellFaces<D>(lattice, s.mesh, s.x, nullptr, faces);
  std::vector<char> side = behindShell(domain.grid, faces, D - 1);  // 1 above the sheet
  for (std::size_t i = 0; i < side.size(); ++i) state.smoke[i] = side[i];
  Exec exec(2);
  const double dt = 0.1;
  Tally tally;
  for (int step = 0; step < 6; ++step) {
    for (int axis = 0; axis < D; ++axis)
      for (double& u : state.velocity[axis]) u = uniform(random, -2, 2) * domain.grid.dx / dt;
    const std::vector<double> x0 = s.x;
    const double drift = uniform(random, 0, 1.5) * (step % 2 ? 1 : -1);
    for (std::size_t k = 0; k < s.x.size(); ++k)
      if (k % D == D - 1) s.x[k] = rest[k] + domain.grid.dx * (drift + uniform(random, -move, move));
    for (std::size_t k = D - 1; k < s.x.size(); k += D) EXPECT_GT(s.x[k], 0.5 * domain.grid.dx);  // the ground is below
    findShellFaces<D>(lattice, s.mesh, s.x, nullptr, faces);
    StandingShell<D> shell;
    shell.rays.build(lattice, s.mesh, x0);
    advectScalars(exec, domain, given, shell, x0, s.x, faces, dt, state);
    side = behindShell(domain.grid, faces, D - 1);
    for (std::size_t i = 0; i < side.size(); ++i) {
      tally.cells += side[i];
      tally.behind += !side[i];
      if (side[i])
        tally.missing += state.smoke[i] != 1;
      else
        tally.leaked += std::abs(state.smoke[i]);
    }
  }
  return tally;
}

TEST(SmokeLeak, NothingCrossesAMovingSheetInThePlane) {
  Tally all;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Tally t = runSheet<2>(seed, 24, 12 + seed, 0.05, 0, 0.7);
    EXPECT_EQ(t.leaked, 0) << seed;
    all.cells += t.cells, all.behind += t.behind, all.missing += t.missing;
  }
  EXPECT_GT(all.cells, 40 * 6 * 200);
  EXPECT_GT(all.behind, 40 * 6 * 200);
  EXPECT_EQ(all.missing, 0);
}

TEST(SmokeLeak, NothingCrossesAMovingSheetInSpace) {
  Tally all;
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Tally t = runSheet<3>(seed, 12, 9 + seed, 0.05, 0, 0.7);
    EXPECT_EQ(t.leaked, 0) << seed;
    all.cells += t.cells, all.behind += t.behind, all.missing += t.missing;
  }
  EXPECT_GT(all.cells, 6 * 6 * 600);
  EXPECT_GT(all.behind, 6 * 6 * 600);
  EXPECT_EQ(all.missing, 0);
}

// Folds make pockets of a cell or less that no ray reaches: they may be empty, but the other side gets nothing.
TEST(SmokeLeak, NothingCrossesThinFolds) {
  Tally plane, space;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Tally t = runSheet<2>(100 + seed, 24, 60, 0.03, 0.05, 0.3);
    EXPECT_EQ(t.leaked, 0) << seed;
    plane.cells += t.cells, plane.missing += t.missing;
  }
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Tally t = runSheet<3>(100 + seed, 12, 18, 0.05, 0.1, 0.3);
    EXPECT_EQ(t.leaked, 0) << seed;
    space.cells += t.cells, space.missing += t.missing;
  }
  EXPECT_LT(double(plane.missing), 0.05 * double(plane.cells));
  EXPECT_LT(double(space.missing), 0.05 * double(space.cells));
}

}  // namespace
}  // namespace meniscus::testing

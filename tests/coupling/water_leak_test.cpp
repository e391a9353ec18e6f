// Water on one side of a shell that moves, tilts and folds stays there: exactly none on the other side.
#include <gtest/gtest.h>

#include "tests/coupling/water_boxes.h"

namespace meniscus::testing {
namespace {

struct Tally {
  Offset above = 0, unseen = 0, leakedParticles = 0, leakedCells = 0, lost = 0;
};

// Water on a sheet across the tank, thrown about by up to two cells a step; the sheet goes up and down by one and a half, and its
// nodes by `move` cells beside that.
template <int D>
Tally runSheet(unsigned seed, Index n, Index nodes, double rough, double fold, double move) {
  Exec exec(2);
  std::mt19937 random(seed);
  Point<D> gravity{};
  gravity[D - 1] = -9.81;
  const SmokeDomain<D> domain = waterTank<D>(n, gravity);
  const MacGrid<D>& g = domain.grid;
  const ShellLattice<D> lattice{g};
  TestShell<D> s = spanningSheet(random, nodes, D == 2 ? 0.3 : 0.1, rough, fold, static_cast<TestShell<D>*>(nullptr));
  for (std::size_t k = D - 1; k < s.x.size(); k += D) s.x[k] -= 0.1;
  const std::vector<double> rest = s.x;
  WaterFluidBox<D> water(exec, domain, s.mesh, {});
  ShellFaces<D> faces;
  ShellRays<D> rays;
  Motion now = standing(s.x);
  water.setBoundary(now);
  const auto cellsAbove = [&] {
    findShellFaces<D>(lattice, s.mesh, now.position, nullptr, faces);
    rays.build(lattice, s.mesh, now.position);
    return behindShell(g, faces, D - 1);
  };
  std::vector<char> above = cellsAbove();
  water.fill([&](const Point<D>& x) { return above[std::size_t(g.cell(cellOf<D>(g, x)))] ? x[D - 1] - 0.8 : 1; });
  const double dt = 0.02;
  Tally tally;
  for (int step = 0; step < 6; ++step) {
    water.setVelocity([&](const Point<D>&) {
      Point<D> u;
      for (double& c : u) c = uniform(random, -2, 2) * g.dx / dt;
      return u;
    });
    Motion end = now;
    const double drift = uniform(random, 0, 1.5) * (step % 2 ? 1 : -1);
    for (std::size_t k = 0; k < end.position.size(); ++k) {
      if (k % D == D - 1) end.position[k] = rest[k] + g.dx * (drift + uniform(random, -move, move));
      end.velocity[k] = (end.position[k] - now.position[k]) / dt;
    }
    water.solve(end, dt);
    now = end;
    water.setBoundary(now);
    above = cellsAbove();
    for (const int side : sidesOfParticles<D>(g, rays, above, water.matter().particles.x)) {
      tally.above += side == 1;
      tally.leakedParticles += side == 0;
      tally.unseen += side < 0;
    }
    for (Offset i = 0; i < g.cells(); ++i) tally.leakedCells += !above[std::size_t(i)] && water.matter().wet(i);
  }
  tally.lost = water.matter().lost;
  return tally;
}

template <int D>
void expectNoLeak(unsigned seed, Index n, Index nodes, double rough, double fold, double move, double mostLost) {
  const Tally t = runSheet<D>(seed, n, nodes, rough, fold, move);
  EXPECT_EQ(t.leakedParticles, 0) << seed;
  EXPECT_EQ(t.leakedCells, 0) << seed;
  EXPECT_GT(t.above, 1000) << seed;
  EXPECT_LE(double(t.unseen + t.lost), mostLost * double(t.above)) << seed;
}

TEST(WaterLeak, SlowNothingCrossesAMovingSheet) {
  for (unsigned seed = 0; seed < 20; ++seed) expectNoLeak<2>(seed, 24, 12 + seed, 0.05, 0, 0.7, 0.02);
  for (unsigned seed = 0; seed < 4; ++seed) expectNoLeak<3>(seed, 12, 9 + seed, 0.05, 0, 0.7, 0.02);
}

TEST(WaterLeak, SlowNothingCrossesThinFolds) {
  for (unsigned seed = 0; seed < 20; ++seed) expectNoLeak<2>(100 + seed, 24, 60, 0.03, 0.05, 0.3, 0.1);
  for (unsigned seed = 0; seed < 4; ++seed) expectNoLeak<3>(100 + seed, 12, 18, 0.05, 0.1, 0.3, 0.1);
}

}  // namespace
}  // namespace meniscus::testing

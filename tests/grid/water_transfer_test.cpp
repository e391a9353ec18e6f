// Velocities between particles and faces: affine fields go over exactly, and nothing is taken from behind a shell.
#include <gtest/gtest.h>

#include "engine/grid/water/water_seeding.h"
#include "engine/grid/water/water_transfer.h"
#include "tests/grid/shell_meshes.h"

namespace meniscus::testing {
namespace {

template <int D>
SmokeDomain<D> tank(Index n) {
  SmokeDomain<D> d;
  d.grid.n.fill(n);
  d.grid.dx = 1.0 / n;
  return d;
}

template <int D>
Point<D> affine(const Point<D>& x) {
  Point<D> u;
  for (std::size_t a = 0; a < D; ++a) u[a] = 0.3 - 0.2 * double(a) + 1.5 * x[a] - 0.7 * x[(a + 1) % D];
  return u;
}

template <int D>
void setParticles(WaterMatter<D>& matter, bool withGradient) {
  for (std::size_t p = 0; p < matter.particles.x.size(); ++p) {
    matter.particles.v[p] = affine<D>(matter.particles.x[p]);
    for (std::size_t a = 0; a < D && withGradient; ++a) {
      matter.particles.gradient[p][a][a] = 1.5;
      matter.particles.gradient[p][a][(a + 1) % D] = -0.7;
    }
  }
}

template <int D>
void expectAffine() {
  Exec exec(2);
  SmokeDomain<D> domain = tank<D>(9);
  domain.gravity[0] = 4;
  const GivenFaces<D> given(domain);
  ShellFaces<D> none;
  ShellRays<D> rays;
  findShellFaces<D>({domain.grid}, {}, {}, nullptr, none);
  rays.build({domain.grid}, {}, {});
  WaterState<D> state;
  FilledBodies<D> noBodies;
  auto matter = std::make_shared<WaterMatter<D>>(
      *fillWater<D>(exec, domain, given, none, rays, {}, noBodies, [](const Point<D>& x) { return x[D - 1] - 0.61; }));
  setParticles(*matter, true);
  state.matter = matter;
  for (int axis = 0; axis < D; ++axis) state.velocity[axis].assign(std::size_t(domain.grid.faces(axis)), 0);
  Buffer<double> predicted[D];
  WaterScratch<D> scratch;
  gatherVelocity(exec, domain, given, none, rays, state, 0.1, scratch, predicted);
  Offset checked = 0;
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{domain.grid.faceExtent(axis), domain.grid.dx, {}};
    for (Offset f = 0; f < faces.cells(); ++f) {
      const Cell<D> c = faces.cellAt(f);
      const Point<D> x = domain.grid.faceCentre(axis, c);
      if (given.given(axis, f) || x[D - 1] > 0.61) continue;
      EXPECT_NEAR(predicted[axis][std::size_t(f)], affine<D>(x)[std::size_t(axis)] + (axis == 0 ? 0.4 : 0), 1e-12);
      ++checked;
    }
  }
  EXPECT_GT(checked, D * 40);
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> faces{domain.grid.faceExtent(axis), domain.grid.dx, {}};
    for (Offset f = 0; f < faces.cells(); ++f)
      predicted[axis][std::size_t(f)] = affine<D>(domain.grid.faceCentre(axis, faces.cellAt(f)))[std::size_t(axis)];
  }
  const std::vector<double> noVelocity;
  std::mt19937 random(3);
  for (int k = 0; k < 50; ++k) {
    Point<D> x;
    for (double& c : x) c = uniform(random, 0.1, 0.9);
    const AffineVelocity<D> at = affineVelocity<D>({domain.grid, rays, noVelocity}, predicted, x);
    const Point<D> alone = clearVelocity<D>(domain.grid, predicted, x);
    for (std::size_t a = 0; a < D; ++a) {
      EXPECT_NEAR(at.v[a], affine<D>(x)[a], 1e-12);
      EXPECT_NEAR(alone[a], affine<D>(x)[a], 1e-12);
      EXPECT_NEAR(at.gradient[a][a], 1.5, 1e-11);
      EXPECT_NEAR(at.gradient[a][(a + 1) % D], -0.7, 1e-11);
    }
  }
}

TEST(WaterTransfer, AffineFieldsAreExact) {
  expectAffine<2>();
  expectAffine<3>();
}

// Water on both sides of a sheet that flows in opposite directions: no face gets anything in between.
template <int D>
void expectOneSided(unsigned seed, double fold) {
  Exec exec(2);
  std::mt19937 random(seed);
  const SmokeDomain<D> domain = tank<D>(D == 2 ? 20 : 10);
  const MacGrid<D>& g = domain.grid;
  const GivenFaces<D> given(domain);
  const TestShell<D> s = spanningSheet(random, D == 2 ? 30 : 12, 0.2, 0.03, fold, static_cast<TestShell<D>*>(nullptr));
  ShellFaces<D> faces;
  ShellRays<D> rays;
  findShellFaces<D>({g}, s.mesh, s.x, &given, faces);
  rays.build({g}, s.mesh, s.x);
  const std::vector<char> above = behindShell(g, faces, D - 1);
  WaterState<D> state;
  FilledBodies<D> noBodies;
  auto matter = std::make_shared<WaterMatter<D>>(
      *fillWater<D>(exec, domain, given, faces, rays, s.x, noBodies, [](const Point<D>&) { return -1; }));
  for (Offset i = 0; i < g.cells(); ++i)
    for (Index p = matter->first[std::size_t(i)]; p < matter->first[std::size_t(i) + 1]; ++p)
      matter->particles.v[std::size_t(p)].fill(above[std::size_t(i)] ? 1 : -1);
  state.matter = matter;
  for (int axis = 0; axis < D; ++axis) state.velocity[axis].assign(std::size_t(g.faces(axis)), 0);
  Buffer<double> predicted[D];
  WaterScratch<D> scratch;
  gatherVelocity(exec, domain, given, faces, rays, state, 0.1, scratch, predicted);
  Offset up = 0, down = 0;
  for (int axis = 0; axis < D; ++axis) {
    const MacGrid<D> extent{g.faceExtent(axis), g.dx, {}};
    for (Offset f = 0; f < extent.cells(); ++f) {
      if (given.given(axis, f)) continue;
      const double u = predicted[axis][std::size_t(f)];
      if (!faces.closed(axis, f) && u != 0) { EXPECT_EQ(u, above[std::size_t(g.cell(extent.cellAt(f)))] ? 1 : -1); }
      EXPECT_TRUE(u == 0 || std::abs(std::abs(u) - 1) < 1e-15) << u;
      (u > 0 ? up : down) += u != 0;
    }
  }
  EXPECT_GT(up, g.cells() / 2);
  EXPECT_GT(down, g.cells() / 2);
}

TEST(WaterTransfer, NothingIsTakenFromBehindAShell) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    expectOneSided<2>(seed, seed % 2 ? 0.02 : 0);
    expectOneSided<3>(seed, seed % 2 ? 0.03 : 0);
  }
}

}  // namespace
}  // namespace meniscus::testing

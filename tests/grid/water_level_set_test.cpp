// The level set of water: distances, volume, repair.
#include <gtest/gtest.h>

#include "engine/grid/water/shell_gaps.h"
#include "engine/grid/water/water_level_set.h"
#include "tests/grid/shell_meshes.h"

namespace meniscus::testing {
namespace {

template <int D>
struct Bench {
  Exec exec{2};
  SmokeDomain<D> domain;
  ShellFaces<D> none;
  ShellRays<D> rays;
  std::vector<double> noVelocity;
  Buffer<double> levelSet;

  explicit Bench(Index n) {
    domain.grid.n.fill(n);
    domain.grid.dx = 1.0 / n;
    findShellFaces<D>({domain.grid}, {}, {}, nullptr, none);
    rays.build({domain.grid}, {}, {});
  }
  template <class Function>
  void set(const Function& f) {
    levelSet.resize(std::size_t(domain.grid.cells()));
    for (Offset i = 0; i < domain.grid.cells(); ++i) levelSet[std::size_t(i)] = f(domain.grid.centre(domain.grid.cellAt(i)));
  }
  void distances() { redistance(exec, domain.grid, GivenFaces<D>(domain), none, levelSet); }
  OneSided<D> field() const { return {domain.grid, rays, noVelocity}; }
};

template <int D>
double ball(const Point<D>& x) {
  double square = 0;
  for (const double c : x) square += (c - 0.5) * (c - 0.5);
  return std::sqrt(square) - 0.3;
}

// Largest error within the band, of a ball whose level set had three times its slope away from the surface.
template <int D>
double errorOfBall(Index n) {
  Bench<D> b(n);
  const double dx = b.domain.grid.dx;
  b.set([&](const Point<D>& x) { return std::abs(ball<D>(x)) < 1.5 * dx ? ball<D>(x) : 3 * ball<D>(x); });
  b.distances();
  double most = 0;
  for (Offset i = 0; i < b.domain.grid.cells(); ++i) {
    const double exact = ball<D>(b.domain.grid.centre(b.domain.grid.cellAt(i)));
    if (std::abs(exact) < 4 * dx) most = std::max(most, std::abs(b.levelSet[std::size_t(i)] - exact));
    EXPECT_EQ(b.levelSet[std::size_t(i)] < 0, exact < 0);
    EXPECT_LE(std::abs(b.levelSet[std::size_t(i)]), kBand * dx);
  }
  return most / dx;
}

TEST(WaterLevelSet, MarchedDistancesAreThoseOfABall) {
  EXPECT_LT(errorOfBall<2>(64), 0.5);
  EXPECT_LT(errorOfBall<3>(32), 0.8);
}

// Cells beside the surface keep their values to the last bit, so that what is still stays so.
TEST(WaterLevelSet, SurfaceIsNotMoved) {
  Bench<2> b(20);
  b.set([](const Point<2>& x) { return 0.9 * (x[1] - 0.503) - 0.3 * (x[0] - 0.5); });
  const Buffer<double> before = b.levelSet;
  b.distances();
  int kept = 0;
  for (Offset i = 0; i < b.domain.grid.cells(); ++i) {
    bool beside = false;
    forOpenNeighbours<2>(b.domain.grid, GivenFaces<2>(b.domain), b.none, b.domain.grid.cellAt(i), [&](int, int, Offset, Offset n) {
      beside = beside || (before[std::size_t(i)] < 0) != (before[std::size_t(n)] < 0);
    });
    if (!beside) continue;
    EXPECT_EQ(b.levelSet[std::size_t(i)], before[std::size_t(i)]);
    ++kept;
  }
  EXPECT_GE(kept, 40);
}

TEST(WaterLevelSet, VolumeIsHeld) {
  Bench<2> b(40);
  b.set(ball<2>);
  b.distances();
  const double exact = M_PI * 0.09;
  EXPECT_NEAR(wetVolume(b.domain.grid, b.levelSet), exact, 3e-3 * exact);
  for (int k = 0; k < 20; ++k) holdVolume(b.domain.grid, 1.1 * exact, b.levelSet);
  EXPECT_NEAR(wetVolume(b.domain.grid, b.levelSet), 1.1 * exact, 1e-6);
  EXPECT_EQ(b.levelSet[std::size_t(b.domain.grid.cell({0, 0}))], kBand * b.domain.grid.dx);  // far cells stay
  b.set([](const Point<2>&) { return 1; });
  EXPECT_EQ(holdVolume(b.domain.grid, 1, b.levelSet), 0);  // without a surface
}

// A sheet that sinks past rows of centres: the volume above it grows as the sheet sinks, without jumps.
TEST(WaterLevelSet, VolumeReachesToTheShell) {
  Bench<2> b(16);
  ShellMesh<2> mesh;
  mesh.nodes = 2;
  mesh.elements.push_back({0, 1});
  Buffer<double> air[2];
  for (int axis = 0; axis < 2; ++axis) air[axis].assign(std::size_t(b.domain.grid.faces(axis)), 0);
  FilledBodies<2> noBodies;
  for (double y = 0.5; y > 0.3; y -= 0.013) {
    const std::vector<double> x = {-0.1, y + 0.06, 1.1, y - 0.06};
    ShellFaces<2> faces;
    findShellFaces<2>({b.domain.grid}, mesh, x, nullptr, faces);
    const std::vector<char> above = behindShell(b.domain.grid, faces, 1);
    for (std::size_t i = 0; i < above.size(); ++i) b.levelSet.resize(above.size()), b.levelSet[i] = above[i] ? -1 : 1;
    const double volume =
        wetVolume(b.domain.grid, b.levelSet) + volumeBesideShell<2>({b.domain, mesh, x, faces, b.levelSet, air}, noBodies);
    EXPECT_NEAR(volume, 1 - y, 0.003) << y;
  }
}

// A particle out of the water makes a ball of its radius there; one within its radius does not.
TEST(WaterLevelSet, EscapedParticlesRepairIt) {
  Bench<3> b(12);
  const double dx = b.domain.grid.dx;
  b.set([](const Point<3>& x) { return x[2] - 0.5; });
  WaterParticles<3> particles;
  particles.resizeUninitialized(2);
  for (std::size_t p = 0; p < 2; ++p) particles.v[p] = {}, particles.gradient[p] = {};
  const Point<3> centre = b.domain.grid.centre({6, 6, 7});
  particles.x[0] = centre;
  particles.radius[0] = 0.5 * dx;
  particles.x[1] = {0.2, 0.2, 0.5 + 0.2 * dx};
  particles.radius[1] = 0.3 * dx;
  const Buffer<double> before = b.levelSet;
  repairByParticles(b.exec, b.field(), particles, 1e300, b.levelSet);
  int changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != b.levelSet[i];
  EXPECT_NEAR(b.levelSet[std::size_t(b.domain.grid.cell({6, 6, 7}))], -0.5 * dx, 1e-12);
  EXPECT_GE(changed, 1);
  EXPECT_LE(changed, 8);
  EXPECT_EQ(measureParticles(b.exec, b.field(), before, particles), 1);  // the first is spray
  EXPECT_EQ(particles.radius[0], 0.5 * dx);
  EXPECT_NEAR(particles.radius[1], 0.1 * dx, 1e-12);
}

// Particles that left the water just above a sheet make balls above it only.
TEST(WaterLevelSet, RepairDoesNotReachThroughAShell) {
  Bench<2> b(16);
  const double dx = b.domain.grid.dx;
  ShellMesh<2> mesh;
  mesh.nodes = 2;
  mesh.elements.push_back({0, 1});
  const double y = 8.9 * dx;
  const std::vector<double> x = {-0.1, y, 1.1, y};
  b.rays.build({b.domain.grid}, mesh, x);
  b.noVelocity.assign(4, 0);
  b.set([](const Point<2>&) { return 0.4; });
  WaterParticles<2> particles;
  particles.resizeUninitialized(8);
  for (std::size_t p = 0; p < 8; ++p) particles.x[p] = {0.1 + 0.1 * double(p), y + 0.02 * dx}, particles.radius[p] = 0.5 * dx;
  repairByParticles(b.exec, b.field(), particles, 1e300, b.levelSet);
  int above = 0;
  for (Offset i = 0; i < b.domain.grid.cells(); ++i) {
    const bool over = b.domain.grid.centre(b.domain.grid.cellAt(i))[1] > y;
    if (!over) { EXPECT_EQ(b.levelSet[std::size_t(i)], 0.4); }
    above += over && b.levelSet[std::size_t(i)] < 0.4;
  }
  EXPECT_GE(above, 8);
}

}  // namespace
}  // namespace meniscus::testing

// Smoke as the fluid of offline coupling: pure, the same for all numbers of threads, and without loss of momentum.
#include <gtest/gtest.h>

#include "tests/coupling/smoke_boxes.h"
#include "tests/coupling/wall_impulse.h"
#include "tests/shared/error_of.h"

namespace meniscus::testing {
namespace {

using coupling::SmokeFluidBox;

template <int D>
TestShell<D> closedShell(std::mt19937& random);
template <>
TestShell<2> closedShell(std::mt19937& random) {
  return randomPolygon(random, 30, 0);
}
template <>
TestShell<3> closedShell(std::mt19937& random) {
  return randomPolyhedron(random, 2, 0);
}

template <int D>
void randomVelocity(std::mt19937& random, SmokeFluidBox<D>& fluid) {
  for (int axis = 0; axis < D; ++axis)
    for (double& u : fluid.state().velocity[axis]) u += uniform(random, -1, 1);
}

// The nodes move by up to half a cell.
inline Motion moved(std::mt19937& random, const Motion& now, double dx, double dt) {
  Motion end = now;
  for (std::size_t k = 0; k < end.position.size(); ++k) {
    end.position[k] += uniform(random, -0.5, 0.5) * dx;
    end.velocity[k] = (end.position[k] - now.position[k]) / dt;
  }
  return end;
}

// A few steps in a box with a shell; all loads and the last state.
template <int D>
std::vector<double> history(int threads, bool disturb) {
  Exec exec(threads);
  std::mt19937 random(7);
  SmokeDomain<D> domain = box<D>(D == 2 ? 40 : 14, SideKind::wall);
  domain.side[0][1] = SideKind::open;
  domain.smokeAcceleration[D - 1] = -3;
  domain.source.push_back({domain.grid.cellAt(domain.grid.cells() / 2), 1, 5});
  const TestShell<D> shell = closedShell<D>(random);
  SmokeFluidBox<D> fluid(exec, domain, shell.mesh, {});
  Motion now = atRest(shell.x);
  randomVelocity(random, fluid);
  fluid.setBoundary(now);
  fluid.startFromPotentialFlow();
  std::vector<double> all;
  const double dt = 0.02;
  for (int step = 0; step < 3; ++step) {
    fluid.setBoundary(now);
    fluid.save();
    const Motion end = moved(random, now, domain.grid.dx, dt);
    if (disturb) {
      std::mt19937 other(step + 1U);
      for (int k = 0; k < 2; ++k) {
        fluid.solve(moved(other, now, domain.grid.dx, dt), k == 0 ? 0.5 * dt : dt);
        fluid.restore();
      }
    }
    const Load load = fluid.solve(end, dt);
    all.insert(all.end(), load.value.begin(), load.value.end());
    now = end;
  }
  for (const Buffer<double>& u : fluid.state().velocity) all.insert(all.end(), u.begin(), u.end());
  all.insert(all.end(), fluid.state().smoke.begin(), fluid.state().smoke.end());
  return all;
}

TEST(SmokeBox, SolvesTakenBackAndThreadsLeaveNoBit) {
  const std::vector<double> plane = history<2>(1, false), space = history<3>(1, false);
  EXPECT_GT(vectorOf(plane).norm(), 1);
  EXPECT_GT(vectorOf(space).norm(), 1);
  EXPECT_EQ(history<2>(1, true), plane);
  EXPECT_EQ(history<2>(2, false), plane);
  EXPECT_EQ(history<3>(2, true), space);
}

// sum over all faces but the walls' of rho V u, along an axis
template <int D>
double momentum(const SmokeDomain<D>& d, const Buffer<double>* u, int axis) {
  double sum = 0;
  const Index n = d.grid.n[std::size_t(axis)];
  const MacGrid<D> faces{d.grid.faceExtent(axis), d.grid.dx, d.grid.origin};
  for (Offset f = 0; f < faces.cells(); ++f) {
    const Index i = faces.cellAt(f)[std::size_t(axis)];
    if (i > 0 && i < n) sum += u[axis][std::size_t(f)];
  }
  return sum * d.density * std::pow(d.grid.dx, D);
}

// Fluid and free masses in a closed box: what one gains, the other or the walls have given.
template <int D>
void expectMomentum(unsigned seed) {
  Exec exec(2);
  std::mt19937 random(seed);
  SmokeDomain<D> domain = box<D>(D == 2 ? 32 : 12, SideKind::wall);
  const TestShell<D> shell = closedShell<D>(random);
  SmokeFluidBox<D> fluid(exec, domain, shell.mesh, {});
  const Motion now = atRest(shell.x);
  fluid.setBoundary(now);
  randomVelocity(random, fluid);
  for (int axis = 0; axis < D; ++axis) {  // no flow through the walls
    const MacGrid<D> faces{domain.grid.faceExtent(axis), domain.grid.dx, {}};
    for (Offset f = 0; f < faces.cells(); ++f)
      if (GivenFaces<D>(domain).given(axis, f)) fluid.state().velocity[axis][std::size_t(f)] = 0;
  }
  fluid.setBoundary(now);
  const double dt = 0.01;
  const Load load = fluid.solve(moved(random, now, domain.grid.dx, dt), dt);
  PistonSolid masses(VectorXd::Constant(Eigen::Index(shell.x.size()), 0.01), VectorXd::Zero(Eigen::Index(shell.x.size())));
  masses.solve(load, dt);
  double size = 0;
  for (const double i : fluid.faceImpulses()) size += std::abs(i);
  ASSERT_GT(size, 1e-3);
  for (int axis = 0; axis < D; ++axis) {
    double ofMasses = 0;
    for (Eigen::Index k = axis; k < masses.v.size(); k += D) ofMasses += 0.01 * masses.v[k];
    const double before = momentum<D>(domain, fluid.predicted(), axis), after = momentum<D>(domain, fluid.state().velocity, axis);
    EXPECT_NEAR(after + ofMasses, before + wallImpulse<D>(domain, fluid.state().pressure, axis), 1e-12 * size);
  }
}

TEST(SmokeBox, MomentumIsExchangedWholly) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    expectMomentum<2>(seed);
    expectMomentum<3>(seed);
  }
}

// Nodes on a circle or a sphere of radius 0.3 about (0.45, ...).
template <int D>
TestShell<D> roundShell() {
  std::mt19937 random(1);
  TestShell<D> s;
  if constexpr (D == 2)
    s = randomPolygon(random, 90, 0);
  else
    s = randomPolyhedron(random, 3, 0);
  for (std::size_t k = 0; k < s.x.size(); k += D) {
    double length = 0;
    for (std::size_t a = 0; a < D; ++a) length += std::pow(s.x[k + a] - 0.5, 2);
    for (std::size_t a = 0; a < D; ++a) s.x[k + a] = 0.45 + 0.3 * (s.x[k + a] - 0.5) / std::sqrt(length);
  }
  return s;
}

// Fluid and shell of one velocity in open surroundings: nothing acts, nothing changes, and the smoke inside stays whole.
template <int D>
void expectTranslation() {
  Exec exec(2);
  const SmokeDomain<D> domain = box<D>(D == 2 ? 32 : 14, SideKind::open);
  const TestShell<D> shell = roundShell<D>();
  SmokeFluidBox<D> fluid(exec, domain, shell.mesh, {});
  const auto inside = [&](const std::vector<double>& x) {
    ShellFaces<D> faces;
    findShellFaces<D>({domain.grid}, shell.mesh, x, nullptr, faces);
    return behindShell(domain.grid, faces, 0);
  };
  const double dt = 0.05, speed[3] = {0.3, -0.2, 0.25}, way[3] = {dt * 0.3, dt * -0.2, dt * 0.25};
  Motion now = atRest(shell.x);
  for (int axis = 0; axis < D; ++axis)
    for (double& u : fluid.state().velocity[axis]) u = speed[axis];
  for (std::size_t k = 0; k < now.velocity.size(); ++k) now.velocity[k] = speed[k % D];
  std::vector<char> smoke = inside(now.position);
  std::copy(smoke.begin(), smoke.end(), fluid.state().smoke.begin());
  fluid.setBoundary(now);
  for (int step = 1; step <= 4; ++step) {
    Motion end = now;
    for (std::size_t k = 0; k < end.position.size(); ++k) end.position[k] += way[k % D];
    const Load load = fluid.solve(end, dt);
    for (const double j : load.value) EXPECT_NEAR(j, 0, 1e-13);
    for (int axis = 0; axis < D; ++axis)
      for (const double u : fluid.state().velocity[axis]) EXPECT_NEAR(u, speed[axis], 1e-12);
    EXPECT_EQ(fluid.enclosed().size(), 1U);
    now = end;
    fluid.setBoundary(now);
    smoke = inside(now.position);
    for (std::size_t i = 0; i < smoke.size(); ++i) EXPECT_EQ(fluid.state().smoke[i], smoke[i]) << i;
  }
}

TEST(SmokeBox, TranslationTogetherChangesNothing) {
  expectTranslation<2>();
  expectTranslation<3>();
}

TEST(SmokeBox, MistakesAreRefused) {
  Exec exec(1);
  const SmokeDomain<2> good = box<2>(4, SideKind::wall);
  SmokeDomain<2> bad = good;
  bad.inflow.push_back({1, {0, 2}, 1, 0, 0});
  EXPECT_NE(errorOf([&] { SmokeFluidBox<2>(exec, bad, {}, {}); }).find("inflow 0"), std::string::npos);
  bad = good;
  bad.density = 0;
  EXPECT_NE(errorOf([&] { SmokeFluidBox<2>(exec, bad, {}, {}); }).find("density"), std::string::npos);
  ShellMesh<2> mesh;
  mesh.nodes = 2;
  mesh.elements.push_back({1, 2});
  EXPECT_NE(errorOf([&] { SmokeFluidBox<2>(exec, good, mesh, {}); }).find("node 2"), std::string::npos);
  mesh.elements[0] = {0, 1};
  SmokeFluidBox<2> fluid(exec, good, mesh, {});
  EXPECT_NE(errorOf([&] { fluid.setBoundary(atRest({0.1, 0.2})); }), "");
  EXPECT_NE(errorOf([&] { fluid.setBoundary(atRest({0.1, 0.2, 0.3, std::nan("")})); }), "");
  fluid.setBoundary(atRest({0.1, 0.2, 0.3, 0.2}));
  EXPECT_TRUE(std::isnan(fluid.solve(atRest({0.1, 0.2, 0.3, std::nan("")}), 0.1).value[0]));
}

}  // namespace
}  // namespace meniscus::testing

// Smoke as the fluid of offline coupling: pure, the same for all numbers of threads, and exact where the answer is known.
#include <gtest/gtest.h>

#include "engine/coupling/smoke_fluid_box.h"
#include "tests/coupling/boxes.h"
#include "tests/grid/shell_meshes.h"
#include "tests/shared/error_of.h"

namespace meniscus::testing {
namespace {

using coupling::EnclosedRegion;
using coupling::ShellLoad;
using coupling::SmokeFluidBox;
using coupling::SmokeFluidOptions;

template <int D>
SmokeDomain<D> box(Index n, SideKind side) {
  SmokeDomain<D> d;
  d.grid.n.fill(n);
  d.grid.dx = 1.0 / n;
  d.density = 1.3;
  for (auto& s : d.side) s = {side, side};
  return d;
}

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
  const SmokeState<D> still = fluid.state();
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

inline Motion atRest(const std::vector<double>& x) { return {x, std::vector<double>(x.size(), 0)}; }

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

// What the walls give: A times the pressure of the cells beside them.
template <int D>
double wallImpulse(const SmokeDomain<D>& d, const Buffer<double>& pressure, int axis) {
  double sum = 0;
  for (Offset i = 0; i < d.grid.cells(); ++i) {
    const Index k = d.grid.cellAt(i)[std::size_t(axis)];
    if (k == 0) sum += pressure[std::size_t(i)];
    if (k == d.grid.n[std::size_t(axis)] - 1) sum -= pressure[std::size_t(i)];
  }
  return sum * std::pow(d.grid.dx, D - 1);
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
    findShellFaces<D>({domain.grid}, shell.mesh, x, faces);
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

// A sheet along the axis D - 1's normal through the whole box, at the given height.
template <int D>
TestShell<D> flatSheet(double height) {
  std::mt19937 random(5);
  TestShell<D> s = spanningSheet(random, 7, 0, 0, 0, static_cast<TestShell<D>*>(nullptr));
  for (std::size_t k = D - 1; k < s.x.size(); k += D) s.x[k] = height;
  return s;
}

// The impulse on each face of a sheet: all are the same.
template <int D>
double impulseOfFaces(const SmokeFluidBox<D>& fluid, Index faces) {
  EXPECT_EQ(Index(fluid.faces().face.size()), faces);
  double mean = 0;
  for (const double i : fluid.faceImpulses()) mean += i / double(fluid.faceImpulses().size());
  for (const double i : fluid.faceImpulses()) EXPECT_NEAR(i, mean, 1e-11 * std::abs(mean));
  return mean;
}

// A resting sheet between n1 and n2 layers of heavy fluid. With means of zero in both regions the pressures beside it are those of
// half the layers, and with the fluid in the dual cells the sheet carries half the box: -rho g dt (n1 + n2) / 2 dx a face.
template <int D>
void expectHydrostatic() {
  Exec exec(1);
  const Index n = D == 2 ? 20 : 10;
  SmokeDomain<D> domain = box<D>(n, SideKind::wall);
  const double g = 9.81, dt = 0.01, dx = domain.grid.dx;
  domain.gravity[D - 1] = -g;
  const TestShell<D> shell = flatSheet<D>(0.3 + 0.2 * dx);
  SmokeFluidBox<D> fluid(exec, domain, shell.mesh, {});
  const Motion now = atRest(shell.x);
  fluid.setBoundary(now);
  fluid.solve(now, dt);
  for (const Buffer<double>& u : fluid.state().velocity)
    for (const double v : u) EXPECT_NEAR(v, 0, 1e-11 * g * dt);
  const Index faces = D == 2 ? n : n * n;
  EXPECT_NEAR(impulseOfFaces<D>(fluid, faces), -0.5 * n * domain.density * g * dt * dx * std::pow(dx, D - 1), 1e-12);
  // its two regions: the whole sheet is their border, up out of the lower and down out of the upper
  const std::vector<EnclosedRegion> regions = fluid.enclosed();
  ASSERT_EQ(regions.size(), 2U);
  for (std::size_t r = 0; r < 2; ++r) {
    double area[3] = {};
    for (std::size_t k = 0; k < regions[r].area.size(); ++k) area[k % D] += regions[r].area[k];
    for (int a = 0; a < D; ++a) EXPECT_NEAR(area[a], a < D - 1 ? 0 : (r == 0 ? 1 : -1), 1e-12);
    EXPECT_EQ(regions[r].outflow, 0);
  }
}

TEST(SmokeBox, HeavyFluidAtRest) {
  expectHydrostatic<2>();
  expectHydrostatic<3>();
}

// A sheet that starts at once with the flow below it: it sets n2 layers above in motion against the open side, and with a mean of
// zero below the impulse is -rho U dx A ((n1 - 1) / 2 + n2 + 1).
template <int D>
void expectPlug() {
  Exec exec(1);
  const Index n = D == 2 ? 20 : 10, n1 = D == 2 ? 6 : 3;
  SmokeDomain<D> domain = box<D>(n, SideKind::wall);
  domain.side[D - 1][1] = SideKind::open;
  const double speed = 0.7, dx = domain.grid.dx, dt = 0.3 * dx / speed;
  for (Offset i = 0; i < domain.grid.cells(); ++i)
    if (domain.grid.cellAt(i)[D - 1] == 0) domain.inflow.push_back({D - 1, domain.grid.cellAt(i), speed, 1, 0});
  const TestShell<D> shell = flatSheet<D>(n1 * dx - 0.1 * dx);
  SmokeFluidBox<D> fluid(exec, domain, shell.mesh, {});
  const Motion now = atRest(shell.x);
  fluid.setBoundary(now);
  Motion end = now;
  for (std::size_t k = D - 1; k < end.position.size(); k += D) end.position[k] += dt * speed, end.velocity[k] = speed;
  fluid.solve(end, dt);
  for (int axis = 0; axis < D; ++axis)
    for (const double v : fluid.state().velocity[axis]) EXPECT_NEAR(v, axis == D - 1 ? speed : 0, 1e-11);
  EXPECT_NEAR(impulseOfFaces<D>(fluid, D == 2 ? n : n * n),
              -domain.density * speed * std::pow(dx, D) * (0.5 * (n1 - 1) + (n - n1) + 1), 1e-11);
  ASSERT_EQ(fluid.enclosed().size(), 1U);
  EXPECT_NEAR(fluid.enclosed()[0].outflow, -speed, 1e-12);
}

TEST(SmokeBox, PlugPushedThroughAChannel) {
  expectPlug<2>();
  expectPlug<3>();
}

// Without a shell: steps of one cell carry the smoke of the inflow up by one layer each.
TEST(SmokeBox, PlugFlowCarriesTheFrontByOneLayerAStep) {
  Exec exec(2);
  SmokeDomain<2> domain = box<2>(12, SideKind::wall);
  domain.side[1][1] = SideKind::open;
  const double speed = 0.5, dt = domain.grid.dx / speed;
  for (Index i = 0; i < 12; ++i) domain.inflow.push_back({1, {i, 0}, speed, 1, 4});
  SmokeFluidBox<2> fluid(exec, domain, {}, {});
  for (double& v : fluid.state().velocity[1]) v = speed;
  fluid.setBoundary({});
  for (Index step = 1; step <= 5; ++step) {
    EXPECT_TRUE(fluid.solve({}, dt).value.empty());
    fluid.setBoundary({});
    for (Offset i = 0; i < domain.grid.cells(); ++i) {
      const bool reached = domain.grid.cellAt(i)[1] < step;
      EXPECT_NEAR(fluid.state().smoke[std::size_t(i)], reached ? 1 : 0, 1e-12);
      EXPECT_NEAR(fluid.state().temperature[std::size_t(i)], reached ? 4 : 0, 1e-12);
    }
  }
  for (const double v : fluid.state().velocity[1]) EXPECT_NEAR(v, speed, 1e-12);
}

// u = sin(pi x) cos(pi y), v = -cos(pi x) sin(pi y) is a steady flow of an ideal fluid between walls.
double vortexError(Index n) {
  Exec exec(2);
  const SmokeDomain<2> domain = box<2>(n, SideKind::wall);
  SmokeFluidBox<2> fluid(exec, domain, {}, {});
  const auto exact = [&](int axis, Offset f) {
    const MacGrid<2> faces{domain.grid.faceExtent(axis), domain.grid.dx, {}};
    const Point<2> x = domain.grid.faceCentre(axis, faces.cellAt(f));
    return axis == 0 ? std::sin(M_PI * x[0]) * std::cos(M_PI * x[1]) : -std::cos(M_PI * x[0]) * std::sin(M_PI * x[1]);
  };
  for (int axis = 0; axis < 2; ++axis)
    for (Offset f = 0; f < domain.grid.faces(axis); ++f) fluid.state().velocity[axis][std::size_t(f)] = exact(axis, f);
  fluid.setBoundary({});
  for (int step = 0; step < n / 4; ++step) {
    fluid.solve({}, 1.0 / n);
    fluid.setBoundary({});
  }
  double square = 0;
  for (int axis = 0; axis < 2; ++axis)
    for (Offset f = 0; f < domain.grid.faces(axis); ++f)
      square += std::pow(fluid.state().velocity[axis][std::size_t(f)] - exact(axis, f), 2);
  return std::sqrt(square) / n;
}

// At a fixed number of cells a step, linear interpolation is of first order.
TEST(SmokeBox, SteadyVortexConvergesAtFirstOrder) {
  const double e[3] = {vortexError(20), vortexError(40), vortexError(80)};
  EXPECT_NEAR(std::log2(e[0] / e[1]), 1, 0.15);
  EXPECT_NEAR(std::log2(e[1] / e[2]), 1, 0.15);
  EXPECT_LT(e[2], 0.03);
}

// Pressure on a flat sheet along the grid: the mean jump times the whole area, like the sum of the faces' pressures.
TEST(SmokeBox, PressureForcesOnAFlatSheet) {
  Exec exec(1);
  SmokeDomain<2> domain = box<2>(20, SideKind::wall);
  domain.side[1][1] = SideKind::open;
  const double speed = 0.7, dx = domain.grid.dx, dt = 0.3 * dx / speed;
  const TestShell<2> shell = flatSheet<2>(6 * dx - 0.1 * dx);
  for (Index i = 0; i < 20; ++i) domain.inflow.push_back({1, {i, 0}, speed, 1, 0});
  Motion end = atRest(shell.x);
  for (std::size_t k = 1; k < end.position.size(); k += 2) end.position[k] += dt * speed, end.velocity[k] = speed;
  SmokeFluidOptions options;
  options.load = ShellLoad::pressure;
  options.pressureScale = 2;
  SmokeFluidBox<2> fluid(exec, domain, shell.mesh, options);
  fluid.setBoundary(atRest(shell.x));
  const Load load = fluid.solve(end, dt);
  // twice (p_L - p_R) dt times the area of the node: 1.4 / 6 between two inner ones
  const double jump = -domain.density * speed * dx * (0.5 * 5 + 14);
  for (std::size_t node = 2; node + 2 < 7; ++node) {
    EXPECT_NEAR(load.value[2 * node + 1], 2 * jump * 1.4 / 6, 1e-11);
    EXPECT_NEAR(load.value[2 * node], 0, 1e-12);
  }
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

// Flows of smoke whose answer is known, with a sheet and without.
#include <gtest/gtest.h>

#include "tests/coupling/smoke_boxes.h"

namespace meniscus::testing {
namespace {

using coupling::EnclosedRegion;
using coupling::ShellLoad;
using coupling::SmokeFluidBox;
using coupling::SmokeFluidOptions;

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

TEST(SmokeFlows, HeavyFluidAtRest) {
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

TEST(SmokeFlows, PlugPushedThroughAChannel) {
  expectPlug<2>();
  expectPlug<3>();
}

// Without a shell: steps of one cell carry the smoke of the inflow up by one layer each.
TEST(SmokeFlows, PlugFlowCarriesTheFrontByOneLayerAStep) {
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
TEST(SmokeFlows, SteadyVortexConvergesAtFirstOrder) {
  const double e[3] = {vortexError(20), vortexError(40), vortexError(80)};
  EXPECT_NEAR(std::log2(e[0] / e[1]), 1, 0.15);
  EXPECT_NEAR(std::log2(e[1] / e[2]), 1, 0.15);
  EXPECT_LT(e[2], 0.03);
}

// Pressure on a flat sheet along the grid: the mean jump times the whole area, like the sum of the faces' pressures.
TEST(SmokeFlows, PressureForcesOnAFlatSheet) {
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

}  // namespace
}  // namespace meniscus::testing

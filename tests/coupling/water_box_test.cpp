// Water as the fluid of offline coupling: pure, the same for all numbers of threads, and without loss of momentum.
#include <gtest/gtest.h>

#include "engine/coupling/grid_operators.h"
#include "tests/coupling/wall_impulse.h"
#include "tests/coupling/water_boxes.h"
#include "tests/shared/error_of.h"

namespace meniscus::testing {
namespace {

template <int D>
TestShell<D> closedShell(std::mt19937& random) {
  if constexpr (D == 2)
    return randomPolygon(random, 30, 0);
  else
    return randomPolyhedron(random, 2, 0);
}

template <int D>
Point<D> swirl(const Point<D>& x) {
  Point<D> u{};
  for (std::size_t a = 0; a < D; ++a) u[a] = std::sin(7 * x[(a + 1) % D] + double(a)) * (1 - x[a]) * x[a];
  return u;
}

// The nodes move by up to half a cell.
Motion moved(std::mt19937& random, const Motion& now, double dx, double dt) {
  Motion end = now;
  for (std::size_t k = 0; k < end.position.size(); ++k) {
    end.position[k] += uniform(random, -0.5, 0.5) * dx;
    end.velocity[k] = (end.position[k] - now.position[k]) / dt;
  }
  return end;
}

// Some steps of water that is partly inside a shell; all loads and the last state.
template <int D>
std::vector<double> history(int threads, bool disturb) {
  Exec exec(threads);
  std::mt19937 random(7);
  Point<D> gravity{};
  gravity[D - 1] = -9.81;
  const SmokeDomain<D> domain = waterTank<D>(D == 2 ? 32 : 14, gravity);
  const TestShell<D> shell = closedShell<D>(random);
  WaterFluidBox<D> water(exec, domain, shell.mesh, {});
  Motion now = standing(shell.x);
  water.setBoundary(now);
  water.fill([](const Point<D>& x) { return x[D - 1] - 0.6; });
  water.setVelocity(swirl<D>);
  std::vector<double> all;
  const double dt = 0.02;
  for (int step = 0; step < 4; ++step) {
    water.setBoundary(now);
    water.save();
    const Motion end = moved(random, now, domain.grid.dx, dt);
    if (disturb) {
      std::mt19937 other(step + 1U);
      for (int k = 0; k < 2; ++k) {
        water.solve(moved(other, now, domain.grid.dx, dt), k == 0 ? 0.5 * dt : dt);
        water.restore();
      }
    }
    const Load load = water.solve(end, dt);
    all.insert(all.end(), load.value.begin(), load.value.end());
    now = end;
  }
  water.setBoundary(now);
  for (const Buffer<double>& u : water.state().velocity) all.insert(all.end(), u.begin(), u.end());
  all.insert(all.end(), water.matter().levelSet.begin(), water.matter().levelSet.end());
  for (const Point<D>& x : water.matter().particles.x) all.insert(all.end(), x.begin(), x.end());
  return all;
}

TEST(WaterBox, SolvesTakenBackAndThreadsLeaveNoBit) {
  const std::vector<double> plane = history<2>(1, false), space = history<3>(1, false);
  EXPECT_GT(vectorOf(plane).norm(), 1);
  EXPECT_GT(vectorOf(space).norm(), 1);
  EXPECT_EQ(history<2>(1, true), plane);
  EXPECT_EQ(history<2>(2, false), plane);
  EXPECT_EQ(history<3>(2, true), space);
}

// sum over the faces of the mass of their water times u, along an axis
template <int D>
double momentum(const WaterFluidBox<D>& water, const SmokeDomain<D>& d, const Buffer<double>* u, int axis) {
  double sum = 0;
  for (Offset f = 0; f < d.grid.faces(axis); ++f)
    sum += water.faceMass(axis, f) * (GivenFaces<D>(d).given(axis, f) ? 0 : u[axis][std::size_t(f)]);
  return sum;
}

// A shell in water with a surface: what the water gains, the walls have given or the shell has lost.
template <int D>
void expectMomentum(unsigned seed) {
  Exec exec(2);
  std::mt19937 random(seed);
  Point<D> gravity{};
  gravity[0] = 3;
  gravity[D - 1] = -9.81;
  const SmokeDomain<D> domain = waterTank<D>(D == 2 ? 24 : 10, gravity);
  const TestShell<D> shell = closedShell<D>(random);
  WaterFluidBox<D> water(exec, domain, shell.mesh, {});
  const Motion now = standing(shell.x);
  water.setBoundary(now);
  water.fill([](const Point<D>& x) { return x[D - 1] - 0.55 + 0.2 * std::sin(5 * x[0]); });
  water.setVelocity(swirl<D>);
  const double dt = 0.01;
  const Load load = water.solve(moved(random, now, domain.grid.dx, dt), dt);
  double size = 0;
  for (const double i : water.faceImpulses()) size += std::abs(i);
  ASSERT_GT(size, 1e-3);
  for (int axis = 0; axis < D; ++axis) {
    double ofShell = 0;
    for (std::size_t k = std::size_t(axis); k < load.value.size(); k += D) ofShell += load.value[k];
    const double before = momentum(water, domain, water.predicted(), axis);
    const double after = momentum(water, domain, water.state().velocity, axis);
    EXPECT_NEAR(after + ofShell, before + wallImpulse<D>(domain, water.state().pressure, axis), 1e-12 * size);
  }
}

TEST(WaterBox, MomentumIsExchangedWholly) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    expectMomentum<2>(seed);
    expectMomentum<3>(seed);
  }
}

// A drop in free flight with a closed shell in it, full of water or dry: all of one velocity, so that nothing acts.
template <int D>
void expectTranslation(bool dry) {
  Exec exec(2);
  const SmokeDomain<D> domain = waterTank<D>(D == 2 ? 40 : 20, {});
  std::mt19937 random(1);
  TestShell<D> shell = closedShell<D>(random);
  const auto distance = [](const Point<D>& x) {
    double square = 0;
    for (const double c : x) square += (c - 0.45) * (c - 0.45);
    return std::sqrt(square);
  };
  for (std::size_t k = 0; k < shell.x.size(); k += D) {
    Point<D> p;
    for (std::size_t a = 0; a < D; ++a) p[a] = shell.x[k + a] - 0.05;
    for (std::size_t a = 0; a < D; ++a) shell.x[k + a] = 0.45 + 0.13 * (p[a] - 0.45) / distance(p);
  }
  WaterFluidBox<D> water(exec, domain, shell.mesh, {});
  const double dt = 0.05, speed[3] = {0.3, -0.2, 0.25};
  Motion now = standing(shell.x);
  for (std::size_t k = 0; k < now.velocity.size(); ++k) now.velocity[k] = speed[k % D];
  water.setBoundary(now);
  ShellFaces<D> faces;
  findShellFaces<D>({domain.grid}, shell.mesh, now.position, nullptr, faces);
  const std::vector<char> inside = behindShell(domain.grid, faces, 0);
  water.fill([&](const Point<D>& x) {
    return dry && inside[std::size_t(domain.grid.cell(cellOf<D>(domain.grid, x)))] ? 1 : distance(x) - 0.3;
  });
  water.setVelocity([&](const Point<D>&) {
    Point<D> u;
    std::copy(speed, speed + D, u.begin());
    return u;
  });
  const double volume = water.matter().volume;
  const Index particles = water.matter().particles.size();
  for (int step = 1; step <= 4; ++step) {
    water.setBoundary(now);
    Motion end = now;
    for (std::size_t k = 0; k < end.position.size(); ++k) end.position[k] += dt * speed[k % D];
    const Load load = water.solve(end, dt);
    for (const double j : load.value) EXPECT_NEAR(j, 0, 1e-9);  // of 1000 kg/m^D
    for (const Point<D>& v : water.matter().particles.v)
      for (std::size_t a = 0; a < D; ++a) EXPECT_NEAR(v[a], speed[a], 1e-11);
    EXPECT_EQ(water.enclosed().size(), dry ? 0U : 1U);
    now = end;
  }
  water.setBoundary(now);
  EXPECT_NEAR(wetVolume(domain.grid, water.matter().levelSet) + water.matter().besideShell + water.matter().spray, volume,
              1e-3 * volume);
  EXPECT_NEAR(water.matter().particles.size(), particles, 0.02 * particles);
  EXPECT_EQ(water.matter().lost, 0);
}

TEST(WaterBox, TranslationTogetherChangesNothing) {
  for (const bool dry : {false, true}) {
    expectTranslation<2>(dry);
    expectTranslation<3>(dry);
  }
}

TEST(WaterBox, MistakesAreRefused) {
  Exec exec(1);
  const SmokeDomain<2> good = waterTank<2>(4, {});
  SmokeDomain<2> bad = good;
  bad.side[0][1] = SideKind::open;
  EXPECT_NE(errorOf([&] { WaterFluidBox<2>(exec, bad, {}, {}); }).find("open"), std::string::npos);
  bad = good;
  bad.obstacle.nodes = 2;
  bad.obstacle.elements.push_back({0, 1});
  bad.obstacleNodes = {0.1, 0.1, 0.9, 0.1};
  EXPECT_NE(errorOf([&] { WaterFluidBox<2>(exec, bad, {}, {}); }).find("obstacle"), std::string::npos);
  bad = good;
  bad.density = 0;
  EXPECT_NE(errorOf([&] { WaterFluidBox<2>(exec, bad, {}, {}); }).find("density"), std::string::npos);
  ShellMesh<2> mesh;
  mesh.nodes = 2;
  mesh.elements.push_back({1, 2});
  EXPECT_NE(errorOf([&] { WaterFluidBox<2>(exec, good, mesh, {}); }).find("node 2"), std::string::npos);
  mesh.elements[0] = {0, 1};
  WaterFluidBox<2> water(exec, good, mesh, {});
  EXPECT_NE(errorOf([&] { water.setBoundary(standing({0.1, 0.2})); }), "");
  EXPECT_NE(errorOf([&] { water.setBoundary(standing({0.1, 0.2, 0.3, std::nan("")})); }), "");
  water.setBoundary(standing({0.1, 0.2, 0.3, 0.2}));
  EXPECT_TRUE(std::isnan(water.solve(standing({0.1, 0.2, 0.3, std::nan("")}), 0.1).value[0]));
}

// A tank that is full has regions without a surface on both sides of a shell. Of the equations for a shell that has moved they are
// beside the faces of that place, of which there are others: those of the solve before led out of the lists.
TEST(WaterBox, RegionsAreThoseOfThePlaceThatWasLookedAt) {
  Exec exec(1);
  std::mt19937 random(7);
  const TestShell<2> shell = randomPolygon(random, 30, 0);
  const Motion now = standing(shell.x);
  Motion smaller = now;
  for (double& x : smaller.position) x = 0.5 + 0.4 * (x - 0.5);
  const auto fill = [&](WaterFluidBox<2>& water) {
    water.setBoundary(now);
    water.fill([](const Point<2>&) { return -1.0; });
    water.setBoundary(now);
    water.save();
  };
  const double dt = 0.02;
  WaterFluidBox<2> looked(exec, waterTank<2>(32, {0, -9.81}), shell.mesh, {}),
      solved(exec, waterTank<2>(32, {0, -9.81}), shell.mesh, {});
  fill(looked);
  looked.solve(now, dt);
  const std::size_t faces = looked.faces().face.size();
  looked.restore();
  coupling::operatorsOf<coupling::GridOperators<2>>(looked, "monolithic", "fluid").linearised(smaller.position, dt);
  EXPECT_LT(looked.faces().face.size(), faces);
  fill(solved);
  solved.solve(smaller, dt);
  const std::vector<coupling::EnclosedRegion> a = looked.enclosed(), b = solved.enclosed();
  ASSERT_GE(b.size(), 2U);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < b.size(); ++k) EXPECT_EQ(a[k].area, b[k].area) << k;
}

}  // namespace
}  // namespace meniscus::testing

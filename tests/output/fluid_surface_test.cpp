// The mesh about the fluid: closed, where the fluid ends, and the same on any number of threads.
#include "engine/output/fluid_surface.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <set>

#include "engine/base/error.h"
#include "engine/output/marching_cubes.h"
#include "engine/world/build.h"
#include "tests/shared/water_scene.h"

namespace meniscus {
namespace {

constexpr double kDx = 0.02;

struct Measured {
  double volume = 0, area = 0, inward = 0;  // m^3, m^2, area of triangles against their points' normals
  bool closed = true;
};

Measured measure(const FluidSurface& s) {
  Measured m;
  std::map<std::pair<std::int32_t, std::int32_t>, int> edges;  // directed: each once, and once the other way
  for (std::size_t t = 0; t < s.tri.size(); t += 3) {
    Vec3d p[3], n{};
    for (std::size_t k = 0; k < 3; ++k) {
      p[k] = Vec3d(s.x[std::size_t(s.tri[t + k])]);
      n += Vec3d(s.n[std::size_t(s.tri[t + k])]);
      ++edges[{s.tri[t + k], s.tri[t + (k + 1) % 3]}];
    }
    const Vec3d a = cross(p[1] - p[0], p[2] - p[0]) * 0.5;
    m.volume += dot(p[0], a) / 3;
    m.area += norm(a);
    if (dot(a, n) < 0) m.inward += norm(a);
  }
  for (const auto& [edge, times] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    m.closed = m.closed && times == 1 && back != edges.end() && back->second == 1;
  }
  return m;
}

World ballOf(Exec& exec, double radius) {
  SceneDef scene = testing::emptyTank("surface", {-.5, -.5, -.5}, {.5, .5, .5}, 0.002);
  testing::addBallOfWater(scene, kDx, radius);
  return buildWorld(scene, exec, nullptr);
}

TEST(FluidSurface, OfABallIsASphere) {
  Exec exec;
  const double radius = 0.2;
  const World w = ballOf(exec, radius);
  const FluidSurface s = fluidSurface(exec, w);
  const Measured m = measure(s);
  EXPECT_TRUE(m.closed);
  EXPECT_LT(m.inward, 1e-3 * m.area);
  const double volume = w.fluid.n * kDx * kDx * kDx, pi = 3.14159265358979;
  EXPECT_NEAR(m.volume / volume, 1, 0.03);
  EXPECT_NEAR(m.area / (4 * pi * radius * radius), 1, 0.05);
  double worst = 0;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const double r = norm(Vec3d(s.x[i]));
    worst = std::max(worst, std::abs(r - radius));
    EXPECT_GT(dot(Vec3d(s.x[i]) * (1 / r), Vec3d(s.n[i])), 0.8);
  }
  EXPECT_LT(worst, 0.5 * kDx);  // a lattice of particles is no rounder
}

// The top of still water is half a spacing above the last layer, and flat to a hundredth of a spacing.
TEST(FluidSurface, OfStillWaterIsLevel) {
  Exec exec;
  SceneDef scene = testing::emptyTank("surface", {-.5, -.5, -.5}, {.5, .5, .5}, 0.002);
  testing::addBoxOfWater(scene, kDx, {0.6, 0.6, 0.3});
  const World w = buildWorld(scene, exec, nullptr);
  const FluidSurface s = fluidSurface(exec, w);
  EXPECT_TRUE(measure(s).closed);
  double low = 1, high = -1;
  int points = 0;
  for (const Vec3f& x : s.x) {
    if (std::abs(x.x) > 0.15f || std::abs(x.y) > 0.15f || x.z < 0) continue;
    low = std::min(low, double(x.z));
    high = std::max(high, double(x.z));
    ++points;
  }
  EXPECT_GT(points, 500);
  EXPECT_NEAR(low / kDx, 0.15 / kDx, 0.05);
  EXPECT_NEAR(high / kDx, 0.15 / kDx, 0.05);
  EXPECT_LT(high - low, 0.02 * kDx);
}

// Drops keep about their volume, however few their particles.
TEST(FluidSurface, DropsAreKept) {
  Exec exec;
  World w = ballOf(exec, 0.1);
  for (const Index n : {1, 2, 4}) {
    w.fluid.n = n;
    for (Index k = 0; k < n; ++k)
      w.fluid.x[std::size_t(k)] = {0.5f + float(k & 1) * float(kDx), 0.5f + float(k >> 1) * float(kDx), 0.5f, 1.f};
    const Measured m = measure(fluidSurface(exec, w));
    EXPECT_TRUE(m.closed) << n;
    EXPECT_GT(m.volume, 0.5 * n * kDx * kDx * kDx) << n;
    EXPECT_LT(m.volume, 2.5 * n * kDx * kDx * kDx) << n;
  }
  w.fluid.n = 0;
  EXPECT_TRUE(fluidSurface(exec, w).tri.empty());
}

TEST(FluidSurface, IsTheSameOnAnyNumberOfThreads) {
  Exec one(1), three(3);
  const World w = ballOf(one, 0.15);
  const FluidSurface a = fluidSurface(one, w), b = fluidSurface(three, w);
  ASSERT_EQ(a.x.size(), b.x.size());
  EXPECT_EQ(std::memcmp(a.x.data(), b.x.data(), a.x.size() * sizeof(Vec3f)), 0);
  EXPECT_EQ(std::memcmp(a.n.data(), b.n.data(), a.n.size() * sizeof(Vec3f)), 0);
  EXPECT_EQ(a.tri, b.tri);
}

// A field of noise has cells of every kind: closed all the same, with two triangles at each edge and no two points at one place.
TEST(MarchingCubes, OfNoiseIsClosed) {
  NodeField f;
  f.n = {40, 30, 20};
  f.value.assign(40 * 30 * 20, 0.f);
  std::uint32_t random = 1;
  for (Index k = 1; k < 19; ++k)
    for (Index j = 1; j < 29; ++j)
      for (Index i = 1; i < 39; ++i) {
        random = random * 1664525u + 1013904223u;
        f.value[f.at(i, j, k)] = float(random >> 8) / float(1 << 24);
      }
  FluidSurface s;
  marchingCubes(f, 0.5f, s.x, s.n, s.tri);
  const Measured m = measure(s);
  EXPECT_TRUE(m.closed);
  std::set<std::array<float, 3>> places;
  for (const Vec3f& x : s.x) places.insert({x.x, x.y, x.z});
  EXPECT_EQ(places.size(), s.x.size());
}

// Of a distance, the point of every edge is where it is zero, and the normal the distance's gradient.
TEST(MarchingCubes, OfADistanceIsItsSphere) {
  NodeField f;
  f.n = {41, 41, 41};
  f.spacing = 0.05;
  f.origin = {-1, -1, -1};
  f.value.resize(41 * 41 * 41);
  for (Index k = 0; k < 41; ++k)
    for (Index j = 0; j < 41; ++j)
      for (Index i = 0; i < 41; ++i)
        f.value[f.at(i, j, k)] = 0.7f - float(norm(f.origin + Vec3d{double(i), double(j), double(k)} * f.spacing));
  FluidSurface s;
  marchingCubes(f, 0, s.x, s.n, s.tri);
  EXPECT_TRUE(measure(s).closed);
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    ASSERT_NEAR(norm(s.x[k]), 0.7f, 1e-3f);
    ASSERT_GT(dot(s.n[k], s.x[k] * (1 / norm(s.x[k]))), 0.999f);
  }
  const double pi = 3.14159265358979;
  EXPECT_NEAR(measure(s).volume / (4 * pi / 3 * 0.343), 1, 5e-3);
}

// Two fluids have a surface each, and points move with the fluid.
TEST(FluidSurface, KnowsItsFluidAndItsVelocity) {
  Exec exec;
  SceneDef scene = testing::emptyTank("surface", {-.5, -.5, -.5}, {.5, .5, .5}, 0.002);
  testing::addBallOfWater(scene, kDx, 0.1, {-0.25, 0, 0}).velocity = {1, 2, 3};
  FluidDef& oil = testing::addBallOfWater(scene, kDx, 0.1, {0.25, 0, 0});
  oil.name = "oil";
  oil.velocity = {0, 0, -1};
  const FluidSurface s = fluidSurface(exec, buildWorld(scene, exec, nullptr));
  EXPECT_TRUE(measure(s).closed);
  int of[2] = {0, 0};
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    ASSERT_EQ(s.fluid[i], s.x[i].x > 0);
    ++of[s.fluid[i]];
    const Vec3f expected = s.fluid[i] ? Vec3f{0, 0, -1} : Vec3f{1, 2, 3};
    ASSERT_LT(norm(s.v[i] - expected), 1e-5f);
  }
  EXPECT_GT(of[0], 200);
  EXPECT_GT(of[1], 200);
}

// Far apart, their grid would not fit: refused with the numbers, not attempted.
TEST(FluidSurface, SpreadTooFarIsRefused) {
  Exec exec;
  World w = ballOf(exec, 0.1);
  w.fluid.x[0] = {1e3f, 1e3f, 1e3f, 1.f};
  try {
    fluidSurface(exec, w);
    FAIL() << "a grid over 1000 m was made";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input);
    EXPECT_NE(std::string(e.what()).find("nodes"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace meniscus

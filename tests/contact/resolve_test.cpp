// Contact after the move: nothing crosses, leaks are told.
#include <gtest/gtest.h>

#include "kernels/contact/continuous.h"
#include "kernels/contact/primitives.h"
#include "tests/contact/contact_scene.h"

namespace meniscus {
namespace {

using namespace test;

// Particles whose straight path crosses any triangle moving from xPrev to x, by the exhaustive test.
int crossingParticles(const ContactScene& s) {
  const SolidState& sol = s.world.solid;
  int count = 0;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    bool crosses = false;
    for (std::size_t t = 0; t < sol.tri.size() && !crosses; t += 3) {
      MovingTriangle m;
      for (std::size_t k = 0; k < 3; ++k) {
        m.start[k] = sol.xPrev[std::size_t(sol.tri[t + k])] - s.world.scene.domain.min;
        m.end[k] = sol.x[std::size_t(sol.tri[t + k])] - s.world.scene.domain.min;
      }
      // the swept triangle and the path have no common point if their middles are too far apart
      Vec3d middle{};
      double reach = 0;
      for (int k = 0; k < 3; ++k) middle += (m.start[k] + m.end[k]) * (1.0 / 6);
      for (int k = 0; k < 3; ++k) reach = std::max({reach, norm(m.start[k] - middle), norm(m.end[k] - middle)});
      const Vec3d from(s.xOld[i].xyz()), to(s.x[i].xyz());
      if (norm((from + to) * 0.5 - middle) > reach + 0.5 * norm(to - from)) continue;
      Crossing c[3];
      int net = 0;
      for (int n = crossings(from, to, m, c), k = 0; k < n; ++k) net += c[k].from;
      crosses = net != 0;
    }
    count += crosses;
  }
  return count;
}

TEST(Resolve, ParticleStopsOnAStillSheet) {
  World w = emptyWorld({0.4, 0.4, 0.4}, false);
  const Mesh m = sheet({0.1, 0.1, 0.2}, {0.2, 0, 0}, {0, 0.2, 0}, 5, 5);
  addSurface(w, SolidKind::fixed, false, true, m.x, m.tri);
  ContactScene s(std::move(w));
  s.setParticles({{0.21, 0.207, 0.21}});
  s.find();
  setVelocity(s, 0, {0.5, 0, -4}, 0.01);  // 40 mm down, through the sheet
  EXPECT_EQ(s.resolve(), 1);
  EXPECT_NEAR(s.x[0].z, 0.2 + 0.25 * kDx, 1e-6);
  EXPECT_NEAR(s.x[0].x, 0.215, 1e-6);  // it slides
  EXPECT_NEAR(s.u[0].z, 0, 1e-6);
  EXPECT_NEAR(s.u[0].x, 0.5, 1e-6);
  EXPECT_EQ(leaks(s), 0);
  // the sheet's support took the impulse: mass 8 g times 4 m/s
  EXPECT_NEAR(s.world.impulseOnFluidFromStatic.z, 0.008 * 4, 1e-7);
  EXPECT_NEAR(s.world.impulseExchanged, 0.008 * 4, 1e-7);
}

TEST(Resolve, WallsHoldAtTheContactDistance) {
  World w = emptyWorld({0.4, 0.4, 0.4}, true);
  ContactScene s(std::move(w));
  s.setParticles({{0.01, 0.01, 0.01}, {0.39, 0.2, 0.2}, {0.2, 0.2, 0.2}});
  s.find();
  const Vec3d far[3] = {{-100, -0.5, -3}, {1e4, 0, 0}, {0, 0, 7}};
  for (std::size_t i = 0; i < 3; ++i) setVelocity(s, i, far[std::size_t(s.order[i])], 0.01);
  s.resolve();
  for (const Vec4f& x : s.x) {
    for (const float c : {x.x, x.y, x.z}) {
      EXPECT_GE(c, 0.2499f * kDx);
      EXPECT_LE(c, 0.4f - 0.2499f * kDx);
    }
  }
  EXPECT_EQ(leaks(s), 0);
}

// A light cloth thrown at 40 m/s (0.2 m in a step, ten spacings) takes every particle in its way along.
TEST(Resolve, FastSheetLeavesNothingBehind) {
  for (const double edge : {0.5, 2.0, 8.0}) {
    World w = emptyWorld({0.8, 0.8, 0.8}, true);
    const Mesh m = sheet({0.08, 0.08, 0.2}, {0.64, 0, 0}, {0, 0.64, 0}, Index(std::lround(0.64 / (edge * kDx))),
                         Index(std::lround(0.64 / (edge * kDx))));
    addSurface(w, SolidKind::cloth, false, true, m.x, m.tri);
    ContactScene s(std::move(w));
    Random random(31);
    std::vector<Vec3d> p;
    for (int i = 0; i < 400; ++i)
      p.push_back({random.uniform(0.12, 0.68), random.uniform(0.12, 0.68), random.uniform(0.206, 0.39)});
    s.setParticles(p);
    s.find();
    for (std::size_t k = 0; k < s.world.solid.x.size(); ++k) {
      s.world.solid.x[k] += Vec3d{0, 0, 0.2};
      s.world.solid.v[k] = {0, 0, 40};
    }
    EXPECT_EQ(s.resolve(), 400);
    EXPECT_EQ(leaks(s), 0);
    EXPECT_EQ(crossingParticles(s), 0);
    // the sheet is pushed back a little
    for (const Vec4f& x : s.x) EXPECT_GE(x.z, s.world.solid.x[0].z + 0.2499 * kDx);
  }
}

// Random paths of up to three spacings against a balloon that is torn in all directions, particles on both sides.
class Storm : public ::testing::TestWithParam<int> {};  // quads along a cube edge of the sphere's mesh
INSTANTIATE_TEST_SUITE_P(Meshes, Storm, ::testing::Values(3, 8, 16));

TEST_P(Storm, NoPathCrossesOrItIsCounted) {
  const Mesh m = sphereMesh({0.3, 0.3, 0.3}, 0.15, GetParam());
  World w = emptyWorld({0.6, 0.6, 0.6}, true);
  addSurface(w, SolidKind::inflatable, true, true, m.x, m.tri);
  ContactScene s(std::move(w));
  Random random(32);
  std::vector<Vec3d> p;
  while (p.size() < 3000) {
    const Vec3d q = random.vector(0.05, 0.55);
    const double r = norm(q - Vec3d{0.3, 0.3, 0.3});
    if (r < 0.15 * 0.75 || r > 0.15 + 0.3 * kDx) p.push_back(q);
  }
  s.setParticles(p);
  s.find();
  for (Vec3d& x : s.world.solid.x) x += Vec3d{0.3 * kDx, 0, 0.8 * kDx} + random.vector(-0.25, 0.25) * double(kDx);
  for (std::size_t i = 0; i < p.size(); ++i) setVelocity(s, i, random.vector(-1, 1) * (3 * kDx / 1e-3), 1e-3);
  const int before = crossingParticles(s);
  EXPECT_GT(before, 60);  // the test does test something
  EXPECT_GE(s.resolve(), before);
  EXPECT_EQ(crossingParticles(s), leaks(s));
  EXPECT_EQ(leaks(s), 0);
}

TEST_P(Storm, SameBitsWithAnyNumberOfThreads) {
  std::vector<Vec4f> x[3], u[3];
  std::vector<Vec3d> v[3];
  const int threads[3] = {1, 2, 4};
  for (int run = 0; run < 3; ++run) {
    const Mesh m = sphereMesh({0.3, 0.3, 0.3}, 0.15, GetParam());
    World w = emptyWorld({0.6, 0.6, 0.6}, true);
    addSurface(w, SolidKind::inflatable, true, true, m.x, m.tri);
    w.solid.bodies[0].material.friction = 0.3;
    ContactScene s(std::move(w), threads[run]);
    Random random(33);
    std::vector<Vec3d> p;
    for (int i = 0; i < 4000; ++i) p.push_back(random.vector(0.1, 0.5));
    s.setParticles(p);
    s.find();
    for (Vec3d& q : s.world.solid.x) q += random.vector(-0.2, 0.2) * double(kDx);
    for (std::size_t i = 0; i < p.size(); ++i) setVelocity(s, i, random.vector(-1, 1) * (kDx / 1e-3), 1e-3);
    s.resolve();
    x[run].assign(s.x.begin(), s.x.end());
    u[run].assign(s.u.begin(), s.u.end());
    v[run].assign(s.world.solid.v.begin(), s.world.solid.v.end());
  }
  for (int run = 1; run < 3; ++run) {
    EXPECT_EQ(std::memcmp(x[0].data(), x[run].data(), x[0].size() * sizeof(Vec4f)), 0);
    EXPECT_EQ(std::memcmp(u[0].data(), u[run].data(), u[0].size() * sizeof(Vec4f)), 0);
    EXPECT_EQ(std::memcmp(v[0].data(), v[run].data(), v[0].size() * sizeof(Vec3d)), 0);
  }
}

// Coulomb: the tangential velocity falls by mu times the normal one; sticking takes all of it.
TEST(Resolve, FrictionAndSticking) {
  for (const bool sticks : {false, true}) {
    World w = emptyWorld({0.4, 0.4, 0.4}, true);
    w.scene.domain.friction = 0.25;
    w.scene.domain.noSlip = sticks;
    ContactScene s(std::move(w));
    s.setParticles({{0.2, 0.2, 0.006}});
    s.find();
    setVelocity(s, 0, {3, 0, -4}, 0.001);
    s.resolve();
    EXPECT_NEAR(s.u[0].z, 0, 1e-6);
    EXPECT_NEAR(s.u[0].x, sticks ? 0 : 2, 1e-5);
  }
}

// A thin rigid plate (half a spacing) and a capsule in the way of fast particles.
TEST(Resolve, FastParticlesDoNotPassThinPrimitives) {
  World w = emptyWorld({0.6, 0.6, 0.6}, true);
  RigidBody plate, rod;
  plate.shape.kind = ShapeKind::box;
  plate.shape.size = {0.4, 0.4, 0.5 * kDx};
  plate.x = plate.xPrev = {0.3, 0.3, 0.3};
  plate.q = plate.qPrev = Quatd::axisAngle({1, 0, 0}, 0.4);
  rod.shape.kind = ShapeKind::capsule;
  rod.shape.radius = 0.2 * kDx;
  rod.shape.height = 0.3;
  rod.x = rod.xPrev = {0.3, 0.3, 0.45};
  rod.q = rod.qPrev = Quatd::axisAngle({0, 1, 0}, 1.5707963267948966);
  w.solid.rigid = {plate, rod};
  ContactScene s(std::move(w));
  std::vector<Vec3d> p;
  Random random(35);
  for (int i = 0; i < 500; ++i) p.push_back({random.uniform(0.2, 0.4), random.uniform(0.2, 0.4), 0.41});
  for (int i = 0; i < 50; ++i) p.push_back({random.uniform(0.2, 0.4), random.uniform(0.297, 0.303), 0.47});
  s.setParticles(p);
  s.find();
  for (std::size_t i = 0; i < p.size(); ++i) setVelocity(s, i, {0, 0, s.xOld[i].z > 0.44f ? -50.0 : -300.0}, 1e-3);
  s.resolve();
  const Vec3d up = plate.q.rotate({0, 0, 1});
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (s.xOld[i].z < 0.44f) {
      EXPECT_GE(dot(Vec3d(s.x[i].xyz()) - plate.x, up), 0.4999 * kDx);
    } else {
      // round the rod, never through it
      for (double t = 0; t <= 1; t += 1e-3) {
        const Vec3d q = Vec3d(s.xOld[i].xyz()) * (1 - t) + Vec3d(s.x[i].xyz()) * t - rod.x;
        ASSERT_GT(capsuleFeature(rod.shape.radius, 0.15, rod.q.conjugate().rotate(q)).d, -1e-6);
      }
    }
  }
  EXPECT_EQ(leaks(s), 0);
}

// A particle that is squeezed flat between a sheet and a wall has no way out: it stays on its side or is told.
TEST(Resolve, SqueezedBetweenSheetAndWall) {
  World w = emptyWorld({0.4, 0.4, 0.4}, true);
  const Mesh m = sheet({0.1, 0.1, 0.02}, {0.2, 0, 0}, {0, 0.2, 0}, 8, 8);
  addSurface(w, SolidKind::cloth, false, true, m.x, m.tri);
  ContactScene s(std::move(w));
  std::vector<Vec3d> p;
  for (int i = 0; i < 50; ++i) p.push_back({0.13 + 0.0028 * i, 0.2, 0.01});
  s.setParticles(p);
  s.find();
  for (Vec3d& x : s.world.solid.x) x.z = 0.002;  // a tenth of a spacing above the floor
  s.resolve();
  EXPECT_EQ(crossingParticles(s), leaks(s));
  EXPECT_EQ(leaks(s), 0);
  for (const Vec4f& x : s.x) EXPECT_GT(x.z, 0.f);
}

TEST(Resolve, ALeakIsTold) {
  // nodes that collapse onto one point swallow the particle: no position on the old side exists
  World w = emptyWorld({0.4, 0.4, 0.4}, false);
  const Mesh m = sphereMesh({0.2, 0.2, 0.2}, 0.05, 4);
  addSurface(w, SolidKind::inflatable, true, true, m.x, m.tri);
  ContactScene s(std::move(w));
  s.setParticles({{0.2, 0.2, 0.2}, {0.1, 0.1, 0.1}});
  s.find();
  for (Vec3d& x : s.world.solid.x) x = Vec3d{0.3, 0.3, 0.3} + (x - Vec3d{0.2, 0.2, 0.2}) * 1e-4;
  s.resolve();
  for (std::size_t i = 0; i < 2; ++i) {
    const bool inside = s.order[i] == 0;
    if (!inside) { EXPECT_EQ(s.leaked[i], 0); }
  }
  EXPECT_EQ(crossingParticles(s), leaks(s));
  EXPECT_EQ(s.boundary->leakedInLastStep(), leaks(s));
}

TEST(Resolve, NotANumberEndsAndStaysItsOwn) {
  World w = emptyWorld({0.4, 0.4, 0.4}, true);
  const Mesh m = sheet({0.1, 0.1, 0.2}, {0.2, 0, 0}, {0, 0.2, 0}, 5, 5);
  addSurface(w, SolidKind::cloth, false, true, m.x, m.tri);
  ContactScene s(std::move(w));
  s.setParticles({{0.2, 0.2, 0.21}, {0.25, 0.2, 0.21}});
  s.find();
  const float nan = std::nanf("");
  setVelocity(s, 1, {0, 0, -10}, 2e-3);
  s.x[0] = Vec4f(nan, 0.2f, 0.2f, 0.f);
  s.u[0] = Vec4f(nan, nan, nan, 0.f);
  s.resolve();
  EXPECT_GT(s.x[1].z, 0.2f);
  for (const Vec3d& v : s.world.solid.v) EXPECT_TRUE(std::isfinite(norm(v)));
  // features of a particle that is not a number: none from triangles, and no crash
  s.find();
}

}  // namespace
}  // namespace meniscus

// The continuous test against motions whose crossing is known in closed form.
#include "kernels/contact/continuous.h"

#include <gtest/gtest.h>

#include "tests/contact/contact_scene.h"

namespace meniscus {
namespace {

using test::Random;

MovingTriangle still(const Vec3d& a, const Vec3d& b, const Vec3d& c) { return {{a, b, c}, {a, b, c}}; }
MovingTriangle shifted(const MovingTriangle& t, const Vec3d& d) {
  MovingTriangle m = t;
  for (Vec3d& v : m.end) v += d;
  return m;
}

const MovingTriangle kFlat = still({0, 0, 0}, {1, 0, 0}, {0, 1, 0});

TEST(Continuous, StillTriangle) {
  Crossing c[3];
  ASSERT_EQ(crossings({0.2, 0.3, 0.5}, {0.2, 0.3, -1.5}, kFlat, c), 1);
  EXPECT_NEAR(c[0].s, 0.25, 1e-15);
  EXPECT_NEAR(c[0].b1, 0.2, 1e-12);
  EXPECT_NEAR(c[0].b2, 0.3, 1e-12);
  EXPECT_EQ(c[0].from, 1);
  ASSERT_EQ(crossings({0.2, 0.3, -1.5}, {0.2, 0.3, 0.5}, kFlat, c), 1);
  EXPECT_EQ(c[0].from, -1);
  EXPECT_EQ(crossings({0.6, 0.6, 0.5}, {0.6, 0.6, -1.5}, kFlat, c), 0);  // beside it
  EXPECT_EQ(crossings({0.2, 0.3, 0.5}, {0.2, 0.3, 1e-9}, kFlat, c), 0);  // stops short
}

// A sheet at 40 m/s hits a resting particle 1 mm away within a step of 5 ms at 1/200 of the way.
TEST(Continuous, FastSheetMeetsRestingParticle) {
  Crossing c[3];
  ASSERT_EQ(crossings({0.3, 0.3, 0.001}, {0.3, 0.3, 0.001}, shifted(kFlat, {0, 0, 0.2}), c), 1);
  EXPECT_NEAR(c[0].s, 0.005, 1e-14);
  EXPECT_EQ(crossings({0.3, 0.3, 0.001}, {0.3, 0.3, 0.201}, shifted(kFlat, {0, 0, 0.2}), c), 0);  // both move alike
}

// The third vertex swings from z = -1 to z = 1 while the point rests at z = 0 above the edge y = 0: the plane there passes the
// point when the vertex has z = 0, s = 1/2.
TEST(Continuous, SwingingTriangle) {
  const MovingTriangle t{{{0, 0, 0}, {1, 0, 0}, {0, 1, -1}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}};
  Crossing c[3];
  ASSERT_EQ(crossings({0.2, 0.4, 0}, {0.2, 0.4, 0}, t, c), 1);
  EXPECT_NEAR(c[0].s, 0.5, 1e-12);
}

// The apex sweeps from y = 1 to y = -1 at z = 0.1 over the resting x axis.
TEST(Continuous, FlippingTriangle) {
  const MovingTriangle flip{{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0.1}}, {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0.1}}};
  Crossing c[3];
  // a resting point at y = 0.2, z = 0.05 is met when 0.2/0.05 = (1-2s)/0.1: s = 0.3
  ASSERT_EQ(crossings({0, 0.2, 0.05}, {0, 0.2, 0.05}, flip, c), 1);
  EXPECT_NEAR(c[0].s, 0.3, 1e-12);
  // moving in y as 0.3 (1-2s) it is met when 6 (1-2s) = 10 (1-2s): s = 0.5
  ASSERT_EQ(crossings({0, 0.3, 0.05}, {0, -0.3, 0.05}, flip, c), 1);
  EXPECT_NEAR(c[0].s, 0.5, 1e-12);
}

// The plane z = (1-2s) x turns while the point runs along x = 1-2s at z = e: f = e - (1-2s)^2 times the doubled area, so e < 0
// stays below the plane, e > 0 is above it between the two times where (1-2s)^2 = e.
TEST(Continuous, GrazingIsNoCrossingButPenetrationIs) {
  const MovingTriangle turning{{{-3, -3, -3}, {3, -3, 3}, {0, 6, 0}}, {{-3, -3, 3}, {3, -3, -3}, {0, 6, 0}}};
  Crossing c[3];
  EXPECT_EQ(crossings({1, -2.5, -1e-9}, {-1, -2.5, -1e-9}, turning, c), 0);
  ASSERT_EQ(crossings({1, -2.5, 1e-6}, {-1, -2.5, 1e-6}, turning, c), 2);
  EXPECT_NEAR(c[0].s, 0.5 * (1 - 1e-3), 1e-9);
  EXPECT_NEAR(c[1].s, 0.5 * (1 + 1e-3), 1e-9);
  EXPECT_EQ(c[0].from, -c[1].from);
}

// The surface of two triangles sharing an edge, or six sharing a vertex, moving: a particle aimed exactly at the shared edge or
// vertex is always seen by at least one of them.
TEST(Continuous, NothingSlipsThroughEdgesAndVertices) {
  Random random(11);
  for (int trial = 0; trial < 3000; ++trial) {
    Vec3d ring[6], ringEnd[6];
    const Vec3d hub = random.vector(-0.1, 0.1), hubEnd = hub + random.vector(-0.5, 0.5);
    for (int k = 0; k < 6; ++k) {
      const double a = 6.283185307179586 * k / 6;
      ring[k] = Vec3d{std::cos(a), std::sin(a), 0} + random.vector(-0.2, 0.2);
      ringEnd[k] = ring[k] + (hubEnd - hub) + random.vector(-0.2, 0.2);
    }
    // a point of edge hub-ring[0], or the hub itself, is hit at time s
    const double r = trial % 3 == 0 ? 0 : random.uniform(0, 0.9), s = random.uniform(0.05, 0.95);
    const auto at = [&](const Vec3d& a, const Vec3d& b, double time) { return a + (b - a) * time; };
    const Vec3d target = at(at(hub, hubEnd, s), at(ring[0], ringEnd[0], s), r);
    const Vec3d dir = random.vector(-0.3, 0.3) + Vec3d{0, 0, trial % 2 ? 2.0 : -2.0};
    const Vec3d p0 = target - dir * s, p1 = target + dir * (1 - s);
    int seen = 0;
    for (int k = 0; k < 6; ++k) {
      const MovingTriangle t{{hub, ring[k], ring[(k + 1) % 6]}, {hubEnd, ringEnd[k], ringEnd[(k + 1) % 6]}};
      Crossing c[3];
      seen += crossings(p0, p1, t, c);
    }
    EXPECT_GE(seen, 1) << "trial " << trial;
  }
}

TEST(Continuous, NotANumberAndDegenerateAreNoCrossing) {
  Crossing c[3];
  const double nan = std::nan("");
  EXPECT_EQ(crossings({nan, 0, 0}, {0, 0, 0}, kFlat, c), 0);
  EXPECT_EQ(crossings({0, 0, 1}, {0, 0, nan}, kFlat, c), 0);
  EXPECT_EQ(crossings({0, 0, 1}, {0, 0, -1}, still({0, 0, 0}, {0, 0, 0}, {0, 0, 0}), c), 0);
  EXPECT_EQ(crossings({0.2, 0.2, 0}, {0.3, 0.2, 0}, kFlat, c), 0);  // in the plane all the time
}

}  // namespace
}  // namespace meniscus

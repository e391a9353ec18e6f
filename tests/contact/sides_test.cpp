// Many steps of particles about a balloon that is shaken and crumpled: whoever is not marked as leaked is still on its own side,
// judged by the winding number, which knows nothing of paths.
#include <gtest/gtest.h>

#include "tests/contact/contact_scene.h"

namespace meniscus {
namespace {

using namespace test;

struct Shaking {
  double nodeNoise;      // spacings a step
  double drift;          // m a step, along x, back and forth
  double particleSpeed;  // spacings a step
  int quads;
};

class Sides : public ::testing::TestWithParam<Shaking> {};
INSTANTIATE_TEST_SUITE_P(Balloons, Sides,
                         ::testing::Values(Shaking{0.02, 0.004, 0.4, 6}, Shaking{0.1, 0.01, 0.8, 12}, Shaking{0.3, 0.02, 1.5, 6}));

TEST_P(Sides, AreKept) {
  const Shaking shaking = GetParam();
  const Vec3d middle{0.3, 0.3, 0.3};
  const double R = 0.1;
  const Mesh m = sphereMesh(middle, R, shaking.quads);
  World w = emptyWorld({0.6, 0.6, 0.6}, true);
  addSurface(w, SolidKind::inflatable, true, true, m.x, m.tri);
  ContactScene s(std::move(w));
  Random random(41);
  std::vector<Vec3d> p;
  while (p.size() < 800) {
    const Vec3d q = random.vector(0.15, 0.45);
    const double r = norm(q - middle);
    if (r < R - 0.02 || r > R + 0.006) p.push_back(q);
  }
  const Index triangles = Index(s.world.solid.tri.size() / 3);
  std::vector<int> inside;
  for (const Vec3d& q : p) inside.push_back(int(std::lround(windingNumber(s.world.solid, 0, triangles, q))));
  std::vector<std::uint8_t> leaked(p.size(), 0);
  int corrected = 0;
  for (int step = 0; step < 60; ++step) {
    SolidState& sol = s.world.solid;
    std::copy(sol.x.begin(), sol.x.end(), sol.xPrev.begin());
    s.setParticles(p);
    s.find();
    for (std::size_t k = 0; k < sol.x.size(); ++k) {
      // noise, and a pull back to the sphere that has drifted
      const Vec3d home = m.x[k] + Vec3d{shaking.drift * (step % 20 < 10 ? step % 20 : 20 - step % 20), 0, 0};
      sol.x[k] += (home - sol.x[k]) * 0.3 + random.vector(-1, 1) * (shaking.nodeNoise * kDx);
      sol.v[k] = {};
    }
    for (std::size_t i = 0; i < p.size(); ++i)
      s.x[i] = s.xOld[i] + Vec4f(Vec3f(random.vector(-1, 1) * (shaking.particleSpeed * kDx)), 0.f);
    corrected += s.resolve();
    for (std::size_t i = 0; i < p.size(); ++i) {
      p[std::size_t(s.order[i])] = Vec3d(s.x[i].xyz());
      leaked[std::size_t(s.order[i])] |= s.leaked[i];
    }
  }
  EXPECT_GT(corrected, 300);
  int leaks = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    leaks += leaked[i];
    if (!leaked[i]) {
      EXPECT_EQ(int(std::lround(windingNumber(s.world.solid, 0, triangles, p[i]))), inside[i]) << "particle " << i;
    }
  }
  EXPECT_EQ(leaks, 0);
  RecordProperty("corrected", corrected);
}

}  // namespace
}  // namespace meniscus
